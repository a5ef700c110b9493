"""Marked tuples as they flow: a stix where it is wanted, tags, then the tuples they are on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from millstream.model.tags.elements import Element
from millstream.model.tags.marks import (
    MarkedTuple,
    PlacedTag,
    in_arrival_order,
    marked_attributes,
)
from millstream.model.tags.stix import build_stix
from millstream.model.tags.stream_shape import StreamShape


def interleave(tuples: Iterable[MarkedTuple]) -> Iterator[Element]:
    """Each tag once, before the first tuple that it is on."""
    sent: set[PlacedTag] = set()
    for marked in tuples:
        for tag in marked.tags:
            if tag not in sent:
                sent.add(tag)
                yield tag.tag
        yield marked.element


def interleave_indexed(tuples: Iterable[MarkedTuple], shape: StreamShape) -> Iterator[Element]:
    """A stix, tags and tuples for each run of tuples with the same tags.

    The stix says what each tag is on, so nothing depends on tags that were left behind.
    """
    for _, run in groupby(tuples, key=lambda marked: marked.tags):
        yield from indexed_group(list(run), shape)


def indexed_group(
    tuples: Sequence[MarkedTuple], shape: StreamShape, *, whole: bool = False
) -> Iterator[Element]:
    """One stix with the tags of some tuples, then those tuples.

    With `whole`, the stix names tuples only, as after a join by tags, which leaves tuples as they
    are; else a tag on all attributes of a tuple is on the whole tuple.
    """
    tags = in_arrival_order(tag for marked in tuples for tag in marked.tags)
    if tags:
        placements = [_placement(marked, shape, whole) for marked in tuples]
        yield build_stix(tags, placements)
    yield from (tag.tag for tag in tags)
    yield from (marked.element for marked in tuples)


def _placement(
    marked: MarkedTuple, shape: StreamShape, whole: bool
) -> Mapping[PlacedTag, Sequence[int]]:
    return {
        tag: () if whole or len(names) == len(shape.names) else [shape.number(n) for n in names]
        for tag, names in marked_attributes(marked).items()
    }
