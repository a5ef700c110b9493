"""Tuples in a row: all of a batch, or those that a tag can be on, searched by place and time.

Time mostly goes on from tuple to tuple, and where it does a tag is on one range of them. Where it
goes back, the tuples near the ends of the range are looked at one by one:

    time of tuples    3   5   4   6   9   8   10
    from 5 to 9           x   ?   x   ?   x          core and edges
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from millstream.runtime.tags.numbers import NEVER, Integers, integers, ranges


@dataclass(frozen=True, slots=True)
class Spans:
    """Ranges of a lane, each for the tag that it was asked for."""

    owners: Integers
    low: Integers
    high: Integers


class Lane:
    """Tuples in the order of their positions, given by their indices in the batch."""

    def __init__(
        self, indices: Integers, positions: Integers, times: Integers, effective: Integers
    ) -> None:
        """An effective time is never earlier than lateness allows."""
        self.indices = indices
        self._positions = positions[indices]
        self._times = times[indices]
        self._effective = effective[indices]

    def __len__(self) -> int:
        return len(self.indices)

    def behind(self, positions: Integers) -> Integers:
        """The places of the first tuples after some positions."""
        return integers(np.searchsorted(self._positions, positions, side="right"))

    def places(self, indices: Integers) -> Integers:
        """The places of the first tuples whose indices are at least these."""
        return integers(np.searchsorted(self.indices, indices, side="left"))

    def spans(self, start: Integers, begin: Integers, end: Integers) -> Spans:
        """Where tuples from a place on have a time from `begin` on and before `end`."""
        low = np.maximum(start, np.searchsorted(self._highest_time, begin))
        settled = np.maximum(low, np.searchsorted(self._lowest_time, begin))
        high = integers(np.searchsorted(self._highest_effective, end))
        over = integers(np.searchsorted(self._lowest_effective, end))
        unending = end == NEVER
        high[unending] = over[unending] = len(self)
        edges = (
            self._edge(low, np.minimum(settled, over), begin, end),
            self._edge(np.maximum(high, settled), over, begin, end),
        )
        core = np.flatnonzero(settled < high)
        return Spans(
            np.concatenate([core, *(owners for owners, _ in edges)]),
            np.concatenate([settled[core], *(places for _, places in edges)]),
            np.concatenate([high[core], *(places + 1 for _, places in edges)]),
        )

    def reach(self, start: Integers, begin: Integers) -> tuple[Integers, Spans]:
        """From which place on all tuples have come to a time, and those before that have too."""
        low = np.maximum(start, np.searchsorted(self._highest_effective, begin))
        settled = np.maximum(low, np.searchsorted(self._lowest_effective, begin))
        places, owners = ranges(low, settled)
        there = self._effective[places] >= begin[owners]
        return settled, Spans(owners[there], places[there], places[there] + 1)

    def first(self, start: Integers, begin: Integers) -> Integers:
        """The first places, from some on, where time has come; the length where there is none."""
        low = np.maximum(start, np.searchsorted(self._highest_time, begin))
        found = np.maximum(low, np.searchsorted(self._lowest_time, begin))
        waiting = np.flatnonzero(low < found)
        places, owners = ranges(low[waiting], found[waiting])
        there = self._times[places] >= begin[waiting][owners]
        np.minimum.at(found, waiting[owners[there]], places[there])
        return found

    def _edge(
        self, low: Integers, high: Integers, begin: Integers, end: Integers
    ) -> tuple[Integers, Integers]:
        places, owners = ranges(low, high)
        inside = (self._times[places] >= begin[owners]) & (self._effective[places] < end[owners])
        return owners[inside], places[inside]

    @cached_property
    def _highest_time(self) -> Integers:
        return np.maximum.accumulate(self._times)

    @cached_property
    def _lowest_time(self) -> Integers:
        return _lowest_from(self._times)

    @cached_property
    def _highest_effective(self) -> Integers:
        return np.maximum.accumulate(self._effective)

    @cached_property
    def _lowest_effective(self) -> Integers:
        return _lowest_from(self._effective)


def _lowest_from(values: Integers) -> Integers:
    return np.minimum.accumulate(values[::-1])[::-1]
