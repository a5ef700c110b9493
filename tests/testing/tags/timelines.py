"""Tagged streams drawn in a few words."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.model.schema import ValueType
from millstream.model.tags import (
    Element,
    MarkedTuple,
    Mode,
    Sign,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    TickTag,
    parse_applicability,
    place,
    tick_tag,
)
from millstream.model.tags.duration import SECOND
from millstream.testing.tags import TaggedStream, resolve

SHAPE = StreamShape(
    "Patients",
    (StreamAttribute("pid"), StreamAttribute("measure", ValueType.INTEGER), StreamAttribute("loc")),
)


def item(
    time: int, id: str = "p1", measure: str | None = "70", loc: str | None = "home"
) -> StreamTuple:
    """A tuple at a second."""
    return StreamTuple(id, time * SECOND, (id, measure, loc))


def tag(
    time: int,
    content: str,
    on: str = "*,*,{}",
    *,
    lives: int | None = None,
    overwrites: bool = False,
    by: str = "ann",
    sign: Sign = Sign.NEUTRAL,
) -> TickTag:
    """A tag at a second, which lives for some seconds or for an instant."""
    return tick_tag(
        content,
        tagger=by,
        timestamp=time * SECOND,
        applicability=parse_applicability(on),
        sign=sign,
        lifespan=None if lives is None else lives * SECOND,
        mode=Mode.OVERWRITE if overwrites else Mode.COMBINE,
    )


def stream(*elements: Element, shape: StreamShape = SHAPE) -> TaggedStream:
    return TaggedStream(shape, tuple(place(elements)))


def contents(*elements: Element) -> list[str]:
    """The contents on each tuple, those of a stream's tags in letters that were given."""
    return [_shown(each) for each in resolve(place(elements), SHAPE)]


def objects(*elements: Element) -> list[dict[str, list[str]]]:
    """For each tuple the contents, and the attributes that each is on."""
    return [_objects(each) for each in resolve(place(elements), SHAPE)]


def _shown(marked: MarkedTuple) -> str:
    return " ".join(each.tag.content for each in marked.tags)


def _objects(marked: MarkedTuple) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for mark in marked.marks:
        found.setdefault(mark.tag.tag.content, []).append(mark.attribute)
    return {content: sorted(names, key=SHAPE.names.index) for content, names in found.items()}


def positions(marked: Iterable[MarkedTuple]) -> list[int]:
    return [each.position for each in marked]
