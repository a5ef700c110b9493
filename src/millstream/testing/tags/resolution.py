"""Which tags are on which objects of which tuples, straight from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from millstream.model.tags import (
    Element,
    Granularity,
    Mark,
    MarkedTuple,
    Mode,
    ObjectName,
    Placed,
    PlacedTag,
    StreamShape,
    StreamTuple,
    TickTag,
)
from millstream.model.values import Value
from millstream.testing.tags.indexed_tags import indexed_marks, indexed_tags


@dataclass(frozen=True, slots=True)
class PlacedTuple:
    """A tuple at its position, with what its attributes stand for."""

    position: int
    tuple: StreamTuple
    values: dict[str, Value | None]


@dataclass(frozen=True, slots=True)
class Attachment:
    """One object of a tag: the tuples it is on, and those on which it ends earlier tags.

    A tag may still be ended itself: see `_ended`.
    """

    tag: PlacedTag
    layer: Granularity
    """The granularity within which it overwrites."""
    granularity: Granularity
    attribute: str | None
    """None for whole tuples."""
    on: frozenset[int]
    """Positions of tuples."""
    reached: frozenset[int]
    """Positions of the tuples that come after it and match, however long it lives."""
    bound: tuple[tuple[int, Value | None], ...] = ()
    """For a value: where it was bound, and to what."""


def resolve(elements: Iterable[Placed], shape: StreamShape) -> tuple[MarkedTuple, ...]:
    """The tuples of a stream in order, with the tags that apply to them.

    The order in which elements are handed over does not matter: they are placed.
    """
    ordered = sorted(elements, key=lambda placed: placed.position)
    tuples = [_placed_tuple(each, shape) for each in ordered if _is_tuple(each.element)]
    attachments = _attachments(ordered, tuples, shape)
    indexed = indexed_marks(ordered, shape)
    return tuple(
        MarkedTuple(
            each.position,
            each.tuple,
            _marks(each, attachments, shape) | indexed.get(each.position, frozenset()),
        )
        for each in tuples
    )


def _marks(
    placed: PlacedTuple, attachments: Sequence[Attachment], shape: StreamShape
) -> frozenset[Mark]:
    return frozenset(
        Mark(attribute, each.granularity, each.tag)
        for each in attachments
        if placed.position in each.on and not _ended(each, placed, attachments)
        for attribute in ((each.attribute,) if each.attribute else shape.names)
    )


def _ended(old: Attachment, placed: PlacedTuple, attachments: Sequence[Attachment]) -> bool:
    """True when a later tag of the same tagger overwrites an attachment on a tuple."""
    return any(
        new.tag.tag.mode is Mode.OVERWRITE
        and new.tag.tag.tagger == old.tag.tag.tagger
        and _written_at(new.tag) > _written_at(old.tag)
        and (new.layer, new.attribute) == (old.layer, old.attribute)
        and placed.position in new.reached
        and _same_value(new, placed)
        for new in attachments
    )


def _written_at(tag: PlacedTag) -> tuple[int, int]:
    """The last writer wins: by time, then by position."""
    return tag.tag.timestamp, tag.position


def _same_value(new: Attachment, placed: PlacedTuple) -> bool:
    if new.layer is not Granularity.VALUE or new.attribute is None:
        return True
    value = placed.values[new.attribute]
    return any(
        position <= placed.position and value is not None and bound == value
        for position, bound in new.bound
    )


def _attachments(
    ordered: Sequence[Placed], tuples: Sequence[PlacedTuple], shape: StreamShape
) -> list[Attachment]:
    indexed = indexed_tags(ordered)
    found: list[Attachment] = []
    for place, each in enumerate(ordered):
        if isinstance(each.element, TickTag) and each.position not in indexed:
            tag = PlacedTag(shape.name, each.position, each.element)
            found += _attachments_of(tag, tuples, _segment(ordered, place))
    return found


def _attachments_of(
    tag: PlacedTag, tuples: Sequence[PlacedTuple], segment: frozenset[int]
) -> list[Attachment]:
    reached = [each for each in tuples if _reaches(tag, each)]
    attached = _attached(tag.tag, reached, segment)
    positions = frozenset(each.position for each in reached)
    objects = tag.tag.applicability.objects
    if objects:
        return [_on_object(tag, each, attached, positions) for each in objects]
    on = frozenset() if tag.tag.is_retraction else frozenset(each.position for each in attached)
    (granularity,) = tag.tag.granularities
    layers = _whole_layers(tag.tag, granularity)
    return [Attachment(tag, layer, granularity, None, on, positions) for layer in layers]


def _whole_layers(tag: TickTag, granularity: Granularity) -> tuple[Granularity, ...]:
    # A retraction has no lifespan by which the stream could be told from the next tuple.
    if tag.is_retraction and tag.lifespan is None and tag.applicability.names_everything:
        return (Granularity.STREAM, Granularity.TUPLE)
    return (granularity.layer,)


def _on_object(
    tag: PlacedTag, name: ObjectName, attached: Sequence[PlacedTuple], reached: frozenset[int]
) -> Attachment:
    carriers = [each for each in attached if each.values[name.attribute] is not None]
    bound = [(each.position, each.values[name.attribute]) for each in carriers]
    if name.of_value and tag.tag.lifespan is not None:
        # It is bound to the value of the first tuple, and lasts where that value recurs.
        bound = bound[:1]
        carriers = [each for each in carriers if each.values[name.attribute] == bound[0][1]]
    on = frozenset() if tag.tag.is_retraction else frozenset(each.position for each in carriers)
    layer = name.granularity
    kept = tuple(bound) if name.of_value else ()
    return Attachment(tag, layer, layer, name.attribute, on, reached, kept)


def _reaches(tag: PlacedTag, placed: PlacedTuple) -> bool:
    """True when a tuple comes after a tag, in place and in time, and matches its patterns."""
    return (
        placed.position > tag.position
        and placed.tuple.time >= tag.tag.timestamp
        and tag.tag.applicability.matches(tag.stream, placed.tuple.id)
    )


def _attached(
    tag: TickTag, reached: Sequence[PlacedTuple], segment: frozenset[int]
) -> Sequence[PlacedTuple]:
    """The tuples that a tag is attached to: those it lives for, or what an instant is."""
    names = [each.attribute for each in tag.applicability.objects]
    matching = [
        each
        for each in reached
        if tag.validity.holds_at(each.tuple.time)
        and (not names or any(each.values[name] is not None for name in names))
    ]
    if tag.lifespan is not None:
        return matching
    if tag.applicability.tuples.matches_all:
        return matching[:1]
    return [each for each in matching if each.position in segment]


def _segment(ordered: Sequence[Placed], place: int) -> frozenset[int]:
    """The positions of the run of tuples that follows the group of tags at a place."""
    start = place
    while start < len(ordered) and not _is_tuple(ordered[start].element):
        start += 1
    end = start
    while end < len(ordered) and _is_tuple(ordered[end].element):
        end += 1
    return frozenset(each.position for each in ordered[start:end])


def _is_tuple(element: Element) -> bool:
    return isinstance(element, StreamTuple)


def _placed_tuple(placed: Placed, shape: StreamShape) -> PlacedTuple:
    element = placed.element
    if not isinstance(element, StreamTuple):
        raise TypeError("only tuples have values")
    values = {
        attribute.name: attribute.value(text)
        for attribute, text in zip(shape.attributes, element.texts, strict=True)
    }
    return PlacedTuple(placed.position, element, values)
