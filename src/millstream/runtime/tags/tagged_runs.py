"""Tuples that follow one another and have one set, as runs: from one position to another.

Positions are not consecutive: a tuple takes as many as it has bytes. So that a run is found by
looking up, all positions are cut into stretches, about as long as a run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from millstream.model.tags.step_layout import TAGSET
from millstream.runtime.tags.numbers import Integers, ranges

RUN_FIELDS = pa.schema(
    [("stretch", pa.int64()), ("first", pa.int64()), ("last", pa.int64()), (TAGSET, pa.int64())]
)
LAST, TUPLES = "last", "tuples"
WRITTEN_FIELDS = pa.schema(
    [("position", pa.int64()), (LAST, pa.int64()), (TAGSET, pa.int64()), (TUPLES, pa.int64())]
)
"""A run as it is written down: where it begins and ends, and how many tuples it has."""
_MOST_RUNS = 100_000
_FEWER = 4
"""How many times fewer runs than tuples there must be."""


@dataclass(frozen=True, slots=True)
class TaggedRuns:
    """The runs of a step."""

    table: pa.Table
    """Once for each stretch that they touch."""
    stretch: int
    """How many positions a stretch has: a power of 4, so that there are few to choose from."""
    written: pa.Table
    """Once each."""


def runs_of(positions: Integers, sets: Integers) -> TaggedRuns | None:
    """The runs of all tuples, whose sets are -1 where they have no tags; None for too many."""
    begins = np.flatnonzero(np.diff(sets, prepend=-2) != 0)
    ends = np.append(begins[1:], len(sets)) - 1
    tagged = sets[begins] >= 0
    begins, ends = begins[tagged], ends[tagged]
    if not len(begins) or len(begins) > min(int(np.count_nonzero(sets >= 0)) // _FEWER, _MOST_RUNS):
        return None
    first, last = positions[begins], positions[ends]
    stretch = 1
    while stretch < np.mean(last - first + 1):
        stretch *= 4
    touched, owners = ranges(first // stretch, last // stretch + 1)
    columns = [touched, first[owners], last[owners], sets[begins][owners]]
    written = [first, last, sets[begins], ends - begins + 1]
    return TaggedRuns(
        pa.table(columns, schema=RUN_FIELDS),
        stretch,
        pa.table(written, schema=WRITTEN_FIELDS),
    )
