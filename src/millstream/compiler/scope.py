"""What the variables of an expression are in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from millstream.model.schema import Element, ValueType


@dataclass(frozen=True, slots=True)
class NodeColumn:
    """A variable that holds a node or, with many, a sequence of nodes as an SQL array."""

    sql: str
    element: Element
    many: bool = False
    views: str | None = None
    """The SQL before the names of the typed views of its leaves, such as 'b.'; None without any."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """A variable that holds one atomic value, or null for none.

    In SQL an integer is a bigint or a decimal(38,0), a decimal is a decimal(38,18) or a double, a
    time is a timestamp or what `aggregates.partial` keeps of the least and greatest times.
    """

    sql: str
    type: ValueType


Scope = Mapping[str, NodeColumn | ValueColumn]
"""The variables by name."""
