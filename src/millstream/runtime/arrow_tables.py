"""Small tables for Spark, made from plain rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from millstream.compiler.windows import WINDOWS

_TYPES = {
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "STRING": pa.string(),
    "BOOLEAN": pa.bool_(),
    "DECIMAL(38,18)": pa.decimal128(38, 18),
    "ARRAY<INT>": pa.list_(pa.int32()),
    WINDOWS: pa.list_(pa.struct([(name, pa.int64()) for name in ("size", "step", "tile", "next")])),
}


def arrow_table(columns: Sequence[tuple[str, str]], rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """A table of the named columns, given with their SQL types; what a row lacks is null."""
    fields = [pa.field(name, _TYPES[type]) for name, type in columns]
    arrays = [pa.array([row.get(each.name) for row in rows], each.type) for each in fields]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))
