"""Work that is done side by side, such as reading files and writing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.runtime.parsing.arrow_types import Column

Item = TypeVar("Item")
Found = TypeVar("Found")

_AT_ONCE = 4
"""Pieces of work at the same time; Arrow does not hold Python up meanwhile."""
_LONG = 100_000
"""Rows for which a thread of its own pays."""


def side_by_side(work: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
    """What is found for each item, in their order."""
    if len(items) < 2:
        return [work(each) for each in items]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(work, items))


def in_slices(work: Callable[[Column], Found], column: Column) -> list[Found]:
    """What is found for a column, which is cut in some slices where it is long."""
    size = max(_LONG, -(-len(column) // _AT_ONCE))
    places = range(0, max(len(column), 1), size)
    return side_by_side(work, [column.slice(each, size) for each in places])


def read_files(files: Sequence[str], columns: Sequence[str] | None = None) -> list[pa.Table]:
    """The tables of Parquet files, all of their columns or some."""

    def read(file: str) -> pa.Table:
        with pq.ParquetFile(file) as opened:
            return opened.read(columns=None if columns is None else list(columns))

    return side_by_side(read, files)
