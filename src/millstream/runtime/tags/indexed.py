"""Tags that a stix says the place of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from millstream.model.tags.stix import Stix
from millstream.model.tags.stix_text import parse_stix
from millstream.runtime.tags.live import OpenIndex
from millstream.runtime.tags.numbers import Integers


@dataclass(frozen=True, slots=True)
class PlacedStix:
    """A stix at its position."""

    position: int
    text: str


@dataclass(frozen=True, slots=True)
class IndexedMark:
    """A tag that was put on a tuple of the batch, or on one of its attributes."""

    tag: int
    """Its number."""
    index: int
    """The tuple."""
    attribute: int
    """Counted from 1; 0 for the whole tuple."""


@dataclass(frozen=True, slots=True)
class IndexedTags:
    """What the stix of a batch say."""

    tags: frozenset[int] = frozenset()
    """The numbers of the tags that they speak of."""
    marks: tuple[IndexedMark, ...] = ()
    index: OpenIndex | None = None
    """The last of them, if more may belong to it."""


@dataclass
class _Reading:
    """A batch while its stix are read."""

    positions: Integers
    tag_positions: Integers
    tag_numbers: Integers
    breaks: Integers
    tags: set[int] = field(default_factory=set)
    marks: list[IndexedMark] = field(default_factory=list)

    def read(self, start: int, stop: int, index: OpenIndex) -> OpenIndex | None:
        """Follow a stix from its position up to the next; what it is still open for."""
        stix = parse_stix(index.stix)
        first = int(np.searchsorted(self.positions, start, side="right"))
        begins = int(self.positions[first]) if first < len(self.positions) else stop
        tags = index.tags
        if not index.seen:
            low, high = np.searchsorted(self.tag_positions, (start, min(begins, stop)))
            wanted = len(stix.entries) - len(tags)
            tags += tuple(self.tag_numbers[low:high][: max(wanted, 0)].tolist())
        self.tags |= set(tags)
        if index.seen and len(self.breaks) and self.breaks[0] <= begins:
            return None
        if begins >= stop:
            return OpenIndex(index.stix, tags, index.seen)
        place = int(np.searchsorted(self.breaks, begins))
        whole = place == len(self.breaks)
        last = len(self.positions)
        if not whole:
            last = int(np.searchsorted(self.positions, self.breaks[place]))
        self.marks += _marks(stix, tags, index.seen, first, last)
        return OpenIndex(index.stix, tags, index.seen + last - first) if whole else None


def read_indexes(
    index: OpenIndex | None,
    stixes: Sequence[PlacedStix],
    positions: Integers,
    tag_positions: Integers,
    tag_numbers: Integers,
) -> IndexedTags:
    """What stix say of the tags and tuples of a batch; tags come in the order of positions."""
    if index is None and not stixes:
        return IndexedTags()
    stops = [each.position for each in stixes]
    breaks = np.sort(np.concatenate((tag_positions, np.array(stops, np.int64))))
    reading = _Reading(positions, tag_positions, tag_numbers, breaks)
    for start, stop, each in _followed(index, stixes):
        index = reading.read(start, stop, each)
    return IndexedTags(frozenset(reading.tags), tuple(reading.marks), index)


def _followed(
    index: OpenIndex | None, stixes: Sequence[PlacedStix]
) -> Iterator[tuple[int, int, OpenIndex]]:
    stops = [*(each.position for each in stixes), np.iinfo(np.int64).max]
    if index is not None:
        yield np.iinfo(np.int64).min, stops[0], index
    for stix, stop in zip(stixes, stops[1:], strict=True):
        yield stix.position, stop, OpenIndex(stix.text)


def _marks(
    stix: Stix, tags: Sequence[int], seen: int, first: int, last: int
) -> Iterator[IndexedMark]:
    for tag, entry in zip(tags, stix.entries, strict=False):
        for reference in entry:
            place = first + reference.offset - seen - 1
            if first <= place < last:
                for attribute in reference.attributes or (0,):
                    yield IndexedMark(tag, place, attribute)
