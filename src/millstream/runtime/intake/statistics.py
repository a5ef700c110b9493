"""What a chunk's typed values are like: their range and how far they are out of order."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from millstream.model.layout import ITEM, view_name, viewed_leaves
from millstream.model.schema import Schema

BYTES = "#bytes"
"""The bytes that the items take in memory; no path has this name."""

# The published types of pyarrow lag behind it.
Column = Any
"""A chunked Arrow array."""
Values = npt.NDArray[np.generic]


def statistics(rows: pa.Table, schema: Schema) -> str:
    """The statistics of each leaf that has a view, as JSON; times in microseconds."""
    found: dict[str, Any] = {
        str(leaf): _of_column(rows.column(view_name(leaf.path))) for leaf in viewed_leaves(schema)
    }
    return json.dumps(found | {BYTES: rows.column(ITEM).nbytes})


def _of_column(column: Column) -> dict[str, Any]:
    values = _values(column)
    nulls = column.null_count
    if values.dtype.kind == "f":
        known = values[~np.isnan(values)]
        nans = len(values) - len(known)
        found = _of_values(known) | {"nulls": nulls}
        return found | {"nans": nans} if nans else found
    return _of_values(values) | {"nulls": nulls}


def _values(column: Column) -> Values:
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", column.type.tz)).cast(pa.int64())
    values: Values = column.drop_null().to_numpy()
    return values


def _of_values(values: Values) -> dict[str, Any]:
    if not len(values):
        return {"min": None, "max": None, "first": None, "last": None, "drawdown": 0}
    return {
        "min": values.min().item(),
        "max": values.max().item(),
        "first": values[0].item(),
        "last": values[-1].item(),
        "drawdown": _drawdown(values),
    }


def _drawdown(values: Values) -> int | float:
    """The largest amount by which a value lies below one before it."""
    below = np.maximum.accumulate(values) - values
    # A difference of two 64-bit integers may need the 64th bit; it is never negative.
    found: int | float = (below.view(np.uint64) if below.dtype.kind == "i" else below).max().item()
    return 0 if found != found else found
