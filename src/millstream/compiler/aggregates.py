"""What one row contributes to the aggregates of a window."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import PathTo
from millstream.compiler import totals
from millstream.compiler.expressions import items_of
from millstream.compiler.scope import Scope
from millstream.compiler.sequences import Chain, Choice, Items, Loop, count
from millstream.model.schema import ValueType


@dataclass(frozen=True, slots=True)
class Partial:
    """A row's contribution, in SQL."""

    count: str
    """How many nodes, a bigint."""
    values: str
    """How many of them have a value, a bigint."""
    total: str | None
    """Their sum, null for none: a decimal, or a double for doubles; None without sums."""
    low: str | None
    """The least value, typed as the leaf. Of a time, a text that sorts by the instant and keeps
    the leaf's own text: as it is, it may stand in a ValueColumn of type time."""
    high: str | None
    """The greatest value, likewise."""


def partial(source: PathTo, scope: Scope, type: ValueType) -> Partial:
    """What the nodes that a path reaches in one row contribute to aggregates of a type."""
    items = items_of(source, scope)
    if isinstance(items, Loop | Chain | Choice):
        return _of_several(items, type)
    value = totals.value(items, type)
    return Partial(
        count=count(items),
        values=f"if({value} IS NULL, 0L, 1L)",
        total=_as_total(value, type),
        low=value,
        high=value,
    )


def _of_several(items: Items, type: ValueType) -> Partial:
    values = totals.values(items, type)
    terms = totals.summands(items, type)
    total = f"if(size({values}) = 0, NULL, {totals.total(terms, type)})"
    return Partial(
        count=count(items),
        values=f"CAST(size({values}) AS BIGINT)",
        total=_as_total(total, type),
        low=f"array_min({values})",
        high=f"array_max({values})",
    )


def _as_total(sql: str, type: ValueType) -> str | None:
    if not type.numeric:
        return None
    return sql if type is ValueType.DOUBLE else f"CAST({sql} AS {totals.SUM[type]})"
