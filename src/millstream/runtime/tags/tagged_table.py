"""Where tags are, as it was written down: tuples in a row that have one set may be one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.tags.step_layout import TAGSET
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage
from millstream.runtime.tags.numbers import Flags, Integers, integers
from millstream.runtime.tags.tagged_runs import LAST, TUPLES

_POSITION = "position"


@dataclass(frozen=True, slots=True, eq=False)
class TaggedTable:
    """Runs of tagged tuples in the order of their positions; many are of one tuple."""

    first: Integers
    last: Integers
    sets: Integers
    tuples: Integers
    """How many tuples a run has."""

    @classmethod
    def read(
        cls,
        storage: Storage,
        segments: Sequence[Segment],
        within: tuple[int, int] | None = None,
    ) -> TaggedTable:
        """What segments tell, of all positions or of those from one to another."""
        found = [_columns(_read(storage.address(each.name), within)) for each in segments]
        if not found:
            return cls(*(integers(()) for _ in range(4)))
        first, last, sets, tuples = (np.concatenate(each) for each in zip(*found, strict=True))
        order = np.argsort(first, kind="stable")
        return cls(first[order], last[order], sets[order], tuples[order])

    def __len__(self) -> int:
        return len(self.first)

    def where(self, wanted: Flags) -> TaggedTable:
        """Some of the runs."""
        return TaggedTable(
            self.first[wanted], self.last[wanted], self.sets[wanted], self.tuples[wanted]
        )

    def at(self, positions: Integers) -> tuple[Integers, Integers]:
        """Those of some positions at which there is a tagged tuple, and the sets of these.

        Only positions of tuples are asked for: a run tells nothing of what lies between them.
        """
        places = np.searchsorted(self.first, positions, side="right") - 1
        there = places >= 0
        there[there] = positions[there] <= self.last[places[there]]
        return positions[there], self.sets[places[there]]


def _read(file: str, within: tuple[int, int] | None) -> pa.Table:
    if within is None:
        return pq.read_table(file, partitioning=None)
    low, high = within
    begun, behind = compute.field(_POSITION) <= high, compute.field(_POSITION) >= low
    if LAST in pq.read_schema(file).names:
        behind = (compute.field(LAST) >= low) | (compute.field(LAST).is_null() & behind)
    return pq.read_table(file, filters=begun & behind, partitioning=None)


def _columns(table: pa.Table) -> tuple[Integers, Integers, Integers, Integers]:
    first, sets = (integers(table.column(each).to_numpy()) for each in (_POSITION, TAGSET))
    if LAST not in table.column_names:
        return first, first, sets, np.ones(len(first), np.int64)
    last = _filled(table.column(LAST), pa.array(first))
    return first, last, sets, _filled(table.column(TUPLES), 1)


def _filled(column: Column, value: object) -> Integers:
    return integers(compute.coalesce(column, value).to_numpy())
