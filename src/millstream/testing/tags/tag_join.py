"""Joins by tags: tuples of two streams whose tags are alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from millstream.model.tags import Element, Mark, PlacedTag, StreamTuple, build_stix
from millstream.model.tags.marks import in_arrival_order
from millstream.testing.tags.likeness import TaggedObjects
from millstream.testing.tags.operators import Side, moment, pairs
from millstream.testing.tags.relation import Row

MarkPairTest = Callable[[Row, Mark, Row, Mark, TaggedObjects], bool]


@dataclass(frozen=True, slots=True)
class TaggedPair:
    """Two tuples, and the tags by which they were joined."""

    left: Row
    right: Row
    left_tags: tuple[PlacedTag, ...]
    right_tags: tuple[PlacedTag, ...]


def join_by_tags(left: Side, right: Side, test: MarkPairTest) -> tuple[TaggedPair, ...]:
    """The pairs of tuples, within the windows, that have tags which pass."""
    found = (
        _joined(one, other, present_objects(left, right, one, other), test)
        for one, other in pairs(left, right, lambda one, other: True)
    )
    return tuple(pair for pair in found if pair is not None)


def present_objects(left: Side, right: Side, one: Row, other: Row) -> TaggedObjects:
    """The tagged objects in both windows when the later row of a pair comes."""
    now = max(moment(one, 0), moment(other, 1))
    rows = [
        row
        for number, side in enumerate((left, right))
        for row in side.relation
        if moment(row, number) <= now and now[0] < row.time + side.window
    ]
    return TaggedObjects(rows)


def _joined(one: Row, other: Row, objects: TaggedObjects, test: MarkPairTest) -> TaggedPair | None:
    matches = [
        (mine.tag, theirs.tag)
        for mine in one.marks
        for theirs in other.marks
        if test(one, mine, other, theirs, objects)
    ]
    if not matches:
        return None
    mine, theirs = zip(*matches, strict=True)
    return TaggedPair(one, other, in_arrival_order(mine), in_arrival_order(theirs))


def pair_elements(pair: TaggedPair, left: StreamTuple, right: StreamTuple) -> Iterator[Element]:
    """A pair as it flows: a stix, the tags by which it was joined, and both tuples."""
    whole: Sequence[int] = ()
    placed: list[dict[PlacedTag, Sequence[int]]] = [
        dict.fromkeys(pair.left_tags, whole),
        dict.fromkeys(pair.right_tags, whole),
    ]
    tags = tuple(dict.fromkeys((*pair.left_tags, *pair.right_tags)))
    yield build_stix(tags, placed)
    yield from (tag.tag for tag in tags)
    yield from (left, right)
