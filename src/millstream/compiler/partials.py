"""Partial aggregates: what rows contribute, how contributions merge, and the final value.

An average travels as sum and count; equal sources are computed once for all functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from millstream.algebra.expressions import PathTo
from millstream.algebra.operators import AggregateFunction, Aggregation
from millstream.compiler.aggregates import partial
from millstream.compiler.expressions import items_of
from millstream.compiler.names import string
from millstream.compiler.numbers import mean_of_integers
from millstream.compiler.scope import NodeColumn, Scope, ValueColumn
from millstream.compiler.step_tags import CONTENTS, SEPARATOR
from millstream.compiler.totals import summed_type
from millstream.model.schema import ValueType
from millstream.model.tags.step_layout import TAGSET

_NEEDS = {
    AggregateFunction.COUNT: ("count",),
    AggregateFunction.SUM: ("total",),
    AggregateFunction.AVG: ("values", "total"),
    AggregateFunction.MIN: ("low",),
    AggregateFunction.MAX: ("high",),
    AggregateFunction.VALUES: ("values",),
    AggregateFunction.TAGS: ("sets",),
    AggregateFunction.CONTENTS: ("contents",),
}
_LISTS = {"sets": ",", "contents": SEPARATOR}
"""Parts that are lists of texts, with what stands between these."""
_MERGE = {"count": "sum", "values": "sum", "low": "min", "high": "max"}
_EXACT = "DECIMAL(38,18)"
_WHOLE = "DECIMAL(38,0)"
"""Of sums of integers: any number of them has room."""
_WINDOWED = "windowed"
"""The variable at which the sources of partial aggregates start."""


@dataclass(frozen=True, slots=True)
class PartialColumn:
    """One column of partial aggregates: a part of what is known of one source."""

    name: str
    """The same wherever the same is computed: state is read by it."""
    part: str
    source: PathTo
    type: ValueType | None
    """That of the source, as its aggregates give it; None if they only count."""

    @property
    def of_tags(self) -> bool:
        """True for what is known of the tags on an item, which the item itself does not hold."""
        return self.part in _LISTS

    @property
    def sql_type(self) -> str:
        if self.part in ("count", "values"):
            return "BIGINT"
        if self.of_tags:
            return "STRING"
        if self.type is ValueType.DOUBLE:
            return "DOUBLE"
        if self.part == "total":
            return _WHOLE if self.type is ValueType.INTEGER else _EXACT
        if self.type is ValueType.DECIMAL:
            return _EXACT
        return "BIGINT" if self.type is ValueType.INTEGER else "STRING"

    def contribution(self, node: NodeColumn) -> str:
        """What one windowed node adds, in SQL."""
        if self.part == "sets":
            return f"CAST(b.{TAGSET} AS STRING)"
        if self.part == "contents":
            return f"array_join(b.{CONTENTS}, {string(SEPARATOR)})"
        scope = {_WINDOWED: node}
        type = self.type or summed_type(items_of(self.source, scope))
        sql = getattr(partial(self.source, scope, type), self.part)
        return f"CAST({sql} AS {self.sql_type})"

    def merged(self) -> str:
        """The aggregate that merges this column's values."""
        if self.of_tags:
            between = string(_LISTS[self.part])
            listed = f"flatten(collect_list(split({self.name}, {between})))"
            # Slices without tags have an empty list.
            found = f"array_sort(array_remove(array_distinct({listed}), ''))"
            return f"array_join({found}, {between})"
        if self.part == "total":
            # A sum of decimals keeps its type: the cast cannot round, only overflow to null.
            return f"try_cast(try_sum({self.name}) AS {self.sql_type})"
        return f"{_MERGE[self.part]}({self.name})"


@dataclass(frozen=True, slots=True)
class Partials:
    """The partial columns of a window's aggregations."""

    aggregations: tuple[Aggregation, ...]
    columns: tuple[PartialColumn, ...]

    def final_scope(self, alias: str) -> Scope:
        """The aggregation variables as values over merged columns."""
        return {each.variable: self._final(each, alias) for each in self.aggregations}

    def _final(self, aggregation: Aggregation, alias: str) -> ValueColumn:
        column = self._columns_of(aggregation.source, alias)
        type = aggregation.type
        match aggregation.function:
            case AggregateFunction.COUNT:
                return ValueColumn(f"coalesce({column['count']}, 0)", type)
            case AggregateFunction.SUM:
                zero = "0D" if type is ValueType.DOUBLE else "0BD"
                total = f"coalesce({column['total']}, {zero})"
                exact = _WHOLE if type is ValueType.INTEGER else _EXACT
                sql = total if type is ValueType.DOUBLE else f"CAST({total} AS {exact})"
                return ValueColumn(sql, type)
            case AggregateFunction.AVG:
                return ValueColumn(self._mean(aggregation, alias), type)
            case AggregateFunction.MIN:
                return ValueColumn(column["low"], type)
            case AggregateFunction.MAX:
                return ValueColumn(column["high"], type)
            case AggregateFunction.VALUES:
                return ValueColumn(f"coalesce({column['values']}, 0)", type)
            case AggregateFunction.TAGS:
                return ValueColumn(column["sets"], type)
            case AggregateFunction.CONTENTS:
                return ValueColumn(column["contents"], ValueType.TEXT)

    def _mean(self, aggregation: Aggregation, alias: str) -> str:
        (total,) = (
            each
            for each in self.columns
            if each.source == aggregation.source and each.part == "total"
        )
        sum, divisor = f"{alias}.{total.name}", self._divisor(aggregation, alias)
        if total.sql_type == _WHOLE:
            return mean_of_integers(sum, divisor)
        number = "DOUBLE" if aggregation.type is ValueType.DOUBLE else "DECIMAL(20,0)"
        return f"try_divide({sum}, CAST({divisor} AS {number}))"

    def _divisor(self, aggregation: Aggregation, alias: str) -> str:
        if aggregation.weight is None:
            return self._columns_of(aggregation.source, alias)["values"]
        return self._columns_of(aggregation.weight, alias)["total"]

    def _columns_of(self, source: PathTo, alias: str) -> dict[str, str]:
        """The columns of a source, by what they hold."""
        return {each.part: f"{alias}.{each.name}" for each in self.columns if each.source == source}


def partials(aggregations: tuple[Aggregation, ...], node: NodeColumn) -> Partials:
    """The columns that aggregations over the windows of a node need."""
    rebased = tuple(_rebased(each) for each in aggregations)
    columns: dict[tuple[PathTo, str], PartialColumn] = {}
    for source, part in (need for each in rebased for need in _needs(each)):
        column = PartialColumn("", part, source, _leaf_type(source, rebased, node))
        columns[source, part] = replace(column, name=_name(column, node))
    return Partials(rebased, tuple(columns.values()))


def merged(all: Iterable[Partials]) -> tuple[PartialColumn, ...]:
    """The columns of several, each once, in an order that does not depend on theirs."""
    columns = {column.name: column for each in all for column in each.columns}
    return tuple(columns[name] for name in sorted(columns))


def _name(column: PartialColumn, node: NodeColumn) -> str:
    computed = f"{column.part} {column.sql_type} {column.contribution(node)}"
    return f"a_{hashlib.sha256(computed.encode()).hexdigest()[:10]}"


def _needs(aggregation: Aggregation) -> tuple[tuple[PathTo, str], ...]:
    """The sources of an aggregation, and what must be known of them."""
    if aggregation.weight is not None:
        return (aggregation.weight, "total"), (aggregation.source, "total")
    return tuple((aggregation.source, part) for part in _NEEDS[aggregation.function])


def _leaf_type(
    source: PathTo, aggregations: tuple[Aggregation, ...], node: NodeColumn
) -> ValueType | None:
    same = [each for each in aggregations if each.source == source]
    plain = [each for each in same if each.function.value in ("sum", "min", "max")]
    if plain:
        return plain[0].type
    if any(each.function is AggregateFunction.AVG for each in same):
        return summed_type(items_of(source, {_WINDOWED: node}))
    weighs = any(each.weight == source for each in aggregations)
    return ValueType.INTEGER if weighs else None


def _rebased(aggregation: Aggregation) -> Aggregation:
    """The aggregation with its paths starting at the windowed node, whatever its name."""
    weight = aggregation.weight
    return replace(
        aggregation,
        source=PathTo(_WINDOWED, aggregation.source.steps),
        weight=None if weight is None else PathTo(_WINDOWED, weight.steps),
    )
