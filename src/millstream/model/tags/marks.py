"""Tags where they came to rest: on the attributes of a tuple."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from millstream.model.tags.elements import StreamTuple
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.tick_tag import TickTag


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag, told from others by the stream and the position at which it arrived."""

    stream: str
    position: int
    tag: TickTag


@dataclass(frozen=True, slots=True)
class Mark:
    """A tag on one attribute of a tuple; a tag on the whole tuple marks every attribute."""

    attribute: str
    granularity: Granularity
    tag: PlacedTag


@dataclass(frozen=True, slots=True)
class MarkedTuple:
    """A tuple with all that is tagged in it."""

    position: int
    element: StreamTuple
    marks: frozenset[Mark] = frozenset()

    @property
    def tags(self) -> tuple[PlacedTag, ...]:
        """The tags on it, each once, in the order in which they arrived."""
        return in_arrival_order(mark.tag for mark in self.marks)


def in_arrival_order(tags: Iterable[PlacedTag]) -> tuple[PlacedTag, ...]:
    """Each tag once, by stream and position."""
    return tuple(sorted(set(tags), key=lambda tag: (tag.stream, tag.position)))


def marked_attributes(marked: MarkedTuple) -> Mapping[PlacedTag, frozenset[str]]:
    """The attributes that each tag of a tuple is on."""
    found: dict[PlacedTag, set[str]] = {}
    for mark in marked.marks:
        found.setdefault(mark.tag, set()).add(mark.attribute)
    return {tag: frozenset(names) for tag, names in found.items()}
