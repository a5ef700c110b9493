"""A stream's log as a Spark DataFrame."""

from __future__ import annotations

from millstream.compiler.columns import sql_type
from millstream.compiler.names import identifier
from millstream.model.layout import ITEM, POSITION, passed_name, view_name, viewed_leaves
from millstream.model.schema import Path, Schema, ValueType
from millstream.model.tags.duration import SECOND

_VIEW_TYPES = {
    ValueType.INTEGER: "BIGINT",
    ValueType.DECIMAL: "DOUBLE",
    ValueType.DOUBLE: "DOUBLE",
    ValueType.TIME: "TIMESTAMP",
}


FILLER_LOG = f"{POSITION} BIGINT, id BIGINT, tsid INT, valid BIGINT, content STRING"
"""The columns of the log of a stream of fillers."""


def log_schema(schema: Schema, *, fed: bool = False) -> str:
    """The columns of a stream's log, as Spark DDL; a fed one tells how far its origin was."""
    columns = [f"{POSITION} BIGINT", f"{ITEM} {sql_type(schema.item)}"]
    for named in (view_name, passed_name) if fed else (view_name,):
        columns += (
            f"{identifier(named(leaf.path))} {_VIEW_TYPES[leaf.type]}"
            for leaf in viewed_leaves(schema)
        )
    return ", ".join(columns)


def is_later(schema: Schema, time: Path, since: int) -> str:
    """True for rows of a log with a time after one in microseconds, and for some before, in SQL.

    A view may be rounded; what is less than a second before is not left out. Rows of a Parquet file
    that has no others are not read.
    """
    leaf = schema.leaf(time)
    if leaf is None or leaf not in viewed_leaves(schema):
        return "true"
    view = identifier(view_name(leaf.path))
    if leaf.type is ValueType.TIME:
        return f"{view} > timestamp_micros({since - SECOND})"
    return f"{view} > {since // SECOND - 1}"
