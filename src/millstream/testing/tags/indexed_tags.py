"""Tags that a stix says the place of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from millstream.model.tags import (
    Granularity,
    Mark,
    Placed,
    PlacedTag,
    Stix,
    StreamShape,
    StreamTuple,
    TickTag,
)


@dataclass(frozen=True, slots=True)
class IndexedGroup:
    """A stix, the tags it speaks of, and the tuples up to the next tag."""

    stix: Stix
    tags: tuple[PlacedTag, ...]
    tuples: tuple[int, ...]
    """Their positions."""


def indexed_tags(ordered: Sequence[Placed]) -> frozenset[int]:
    """The positions of the tags that are indexed, so that patterns have no say."""
    groups = _groups(ordered, "")
    return frozenset(tag.position for group in groups for tag in group.tags)


def indexed_marks(ordered: Sequence[Placed], shape: StreamShape) -> dict[int, frozenset[Mark]]:
    """What the indexed tags mark, by the positions of tuples."""
    found: dict[int, frozenset[Mark]] = {}
    for group in _groups(ordered, shape.name):
        for offset, position in enumerate(group.tuples, 1):
            for number, attributes in group.stix.references(offset).items():
                marks = _marks(group, number, attributes, shape)
                found[position] = found.get(position, frozenset()) | marks
    return found


def _marks(
    group: IndexedGroup, number: int, attributes: Sequence[int], shape: StreamShape
) -> frozenset[Mark]:
    if number > len(group.tags) or group.tags[number - 1].tag.is_retraction:
        return frozenset()
    granularity = Granularity.ATTRIBUTE if attributes else Granularity.TUPLE
    numbers = attributes or range(1, len(shape.names) + 1)
    return frozenset(
        Mark(shape.names[each - 1], granularity, group.tags[number - 1])
        for each in numbers
        if each <= len(shape.names)
    )


def _groups(ordered: Sequence[Placed], stream: str) -> Iterator[IndexedGroup]:
    for place, each in enumerate(ordered):
        if isinstance(each.element, Stix):
            yield _group(each.element, ordered[place + 1 :], stream)


def _group(stix: Stix, following: Sequence[Placed], stream: str) -> IndexedGroup:
    tags: list[PlacedTag] = []
    tuples: list[int] = []
    for each in following:
        if isinstance(each.element, StreamTuple):
            tuples.append(each.position)
        elif tuples or isinstance(each.element, Stix):
            break
        elif isinstance(each.element, TickTag) and len(tags) < len(stix.entries):
            tags.append(PlacedTag(stream, each.position, each.element))
    return IndexedGroup(stix, tuple(tags), tuple(tuples))
