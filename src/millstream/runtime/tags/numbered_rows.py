"""Rows that belong to numbers of sets or of tags, found by the steps that these numbers tell."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.tags.step_layout import STEP_NUMBERS
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage


class NumberedRows:
    """A table of some streams; a segment is read once, when one of its numbers is asked for.

    So who reads what a step has given reads what that step has written down, and not all that
    was there before it.
    """

    def __init__(
        self,
        storage: Storage,
        segments: Callable[[], Iterable[Segment]],
        number: str,
        columns: Sequence[str],
    ) -> None:
        """`number` is the column by which rows are found; segments may be merged meanwhile."""
        self._storage = storage
        self._segments = segments
        self._number = number
        self._columns = list(columns)
        self._read: dict[str, pa.Table] = {}

    def of(self, wanted: Collection[int]) -> list[dict[str, Any]]:
        """The rows of some numbers."""
        steps = sorted({each // STEP_NUMBERS for each in wanted})
        numbers = pa.array(sorted(wanted), pa.int64())
        rows: list[dict[str, Any]] = []
        for segment in self._segments():
            place = bisect_left(steps, segment.first_step)
            if place < len(steps) and steps[place] <= segment.last_step:
                table = self._table(segment)
                found = compute.is_in(table.column(self._number), value_set=numbers)
                rows += table.filter(found).to_pylist()
        return rows

    def _table(self, segment: Segment) -> pa.Table:
        if segment.name not in self._read:
            self._read[segment.name] = pq.read_table(
                self._storage.address(segment.name), columns=self._columns, partitioning=None
            )
        return self._read[segment.name]
