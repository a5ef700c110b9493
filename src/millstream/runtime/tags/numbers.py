"""Arrays of numbers, and what is done with ranges of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Integers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

NEVER = np.iinfo(np.int64).max
"""The end of what does not end, and the index of what does not come."""
LONG_AGO = np.iinfo(np.int64).min
"""Before all times."""

NONE: Integers = np.empty(0, np.int64)


def integers(values: Any) -> Integers:
    """Values as an array of integers."""
    return np.asarray(values, np.int64)


def flags(column: pa.Array | pa.ChunkedArray) -> Flags:
    """A column of truths, none of them unknown, as an array."""
    return np.asarray(column.to_numpy(zero_copy_only=False), np.bool_)


def ranges(low: Integers, high: Integers) -> tuple[Integers, Integers]:
    """The numbers of all ranges, one after another, and the range that each is from."""
    lengths = np.maximum(high - low, 0)
    owners = np.repeat(np.arange(len(low), dtype=np.int64), lengths)
    ends = np.cumsum(lengths)
    inside = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    return low[owners] + inside - (ends - lengths)[owners], owners


def occurring(codes: Integers) -> list[int]:
    """The codes that occur, in order; codes are small and not negative."""
    found: list[int] = np.flatnonzero(np.bincount(codes)).tolist()
    return found


def mixed(numbers: Hashes) -> Hashes:
    """Numbers spread over 64 bits, so that sums of different sets differ."""
    found: Hashes = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found ^ (found >> np.uint64(31))


def rows_where(table: pa.Table, wanted: Flags) -> pa.Table:
    """The rows that are wanted; nothing is copied where these are all or none."""
    if wanted.all():
        return table
    return table.filter(pa.array(wanted)) if wanted.any() else table.slice(0, 0)
