"""Where tags are, as it was written down: tuples in a row that have one set may be one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
_FARTHEST = (1 << 63) - 2


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


class TaggedSegments:
    """The segments of a stream; each is read once, when a position in it is asked for."""

    def __init__(self, storage: Storage, segments: Callable[[], Sequence[Segment]]) -> None:
        """Segments may be merged while they are read."""
        self._storage = storage
        self._segments = segments
        self._spans: dict[str, tuple[int, int]] = {}
        self._read: dict[str, TaggedTable] = {}

    def sets_at(self, positions: Iterable[int]) -> dict[int, int]:
        """The sets of the tuples at some positions, as far as they have tags."""
        wanted = np.unique(integers(list(positions)))
        found: dict[int, int] = {}
        for segment in self._segments():
            low, high = self._span(segment)
            first, behind = np.searchsorted(wanted, (low, high + 1))
            if first < behind:
                there, sets = self._table(segment).at(wanted[first:behind])
                found.update(zip(there.tolist(), sets.tolist(), strict=True))
        return found

    def _span(self, segment: Segment) -> tuple[int, int]:
        if segment.name not in self._spans:
            self._spans[segment.name] = _span(self._storage.address(segment.name))
        return self._spans[segment.name]

    def _table(self, segment: Segment) -> TaggedTable:
        if segment.name not in self._read:
            self._read[segment.name] = TaggedTable.read(self._storage, [segment])
        return self._read[segment.name]


def _span(file: str) -> tuple[int, int]:
    """The positions from and to which a file may tell something, as its statistics say."""
    facts = pq.read_metadata(file)
    columns = [
        group.column(place)
        for group in map(facts.row_group, range(facts.num_row_groups))
        for place in range(group.num_columns)
        if group.column(place).path_in_schema in (_POSITION, LAST)
    ]
    lows, highs = [], []
    for column in columns:
        told = column.statistics
        if told is None or not (told.has_min_max or told.null_count == column.num_values):
            return 0, _FARTHEST
        if told.has_min_max:
            lows.append(told.min)
            highs.append(told.max)
    return min(lows, default=0), max(highs, default=-1)


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
