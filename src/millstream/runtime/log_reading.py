"""A stream's log as a Spark DataFrame."""

from __future__ import annotations

from millstream.compiler.columns import sql_type
from millstream.compiler.names import identifier
from millstream.model.layout import ITEM, POSITION, passed_name, view_name, viewed_leaves
from millstream.model.schema import Schema, ValueType

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
