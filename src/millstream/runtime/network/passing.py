"""How far a stream had come before each of its items, for items that leave it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from millstream.model.layout import passed_name, view_name, viewed_leaves
from millstream.model.schema import Leaf, Schema
from millstream.runtime.network.narrowing import whole_column
from millstream.runtime.parsing.arrow_types import VIEW_TYPES, Column
from millstream.runtime.watermark import Watermark

Values = npt.NDArray[np.generic]


def highest_before(rows: pa.Table, schema: Schema) -> dict[str, Column]:
    """For each view, the highest value in the rows before each row; null where there is none."""
    return {
        passed_name(leaf.path): _shifted_maximum(whole_column(rows.column(view_name(leaf.path))))
        for leaf in viewed_leaves(schema)
    }


def _shifted_maximum(view: Column) -> Column:
    type = view.type
    numbers = view.cast(pa.timestamp("us", type.tz)).cast(pa.int64()) if _is_time(type) else view
    known = numbers.is_valid().to_numpy(zero_copy_only=False)
    values = numbers.fill_null(0).to_numpy(zero_copy_only=False)
    if values.dtype.kind == "f":
        known = known & np.isfinite(values)
    lowest = -np.inf if values.dtype.kind == "f" else np.iinfo(np.int64).min
    highest = np.maximum.accumulate(np.where(known, values, lowest))
    seen = np.logical_or.accumulate(known)
    shifted = pa.array(_shifted(highest, 0), mask=~_shifted(seen, False))
    return shifted.cast(type) if not _is_time(type) else shifted.cast(pa.int64()).cast(type)


def _shifted(values: npt.NDArray[Any], first: Any) -> npt.NDArray[Any]:
    """The values one place later."""
    return np.concatenate((np.array([first], values.dtype), values[:-1]))[: len(values)]


def drawdown(rows: pa.Table, leaf: Leaf, mark: Watermark | None) -> int | float:
    """The most by which an item lies below what had come before it, in its stream or long ago."""
    values = _numbers(rows, view_name(leaf.path), leaf)
    passed = _numbers(rows, passed_name(leaf.path), leaf)
    if mark is not None and mark.highest is not None:
        passed = np.fmax(passed, float(mark.highest))
    below = passed - values
    return max(0.0, float(np.nanmax(below))) if np.isfinite(below).any() else 0


def _numbers(rows: pa.Table, name: str, leaf: Leaf) -> npt.NDArray[np.float64]:
    column = whole_column(rows.column(name))
    if _is_time(VIEW_TYPES[leaf.type]):
        column = column.cast(pa.timestamp("us", column.type.tz)).cast(pa.int64())
    numbers: npt.NDArray[np.float64] = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return numbers


def _is_time(type: Any) -> bool:
    return bool(pa.types.is_timestamp(type))
