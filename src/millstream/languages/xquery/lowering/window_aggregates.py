"""The aggregates that a query asks of its windows, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.algebra.expressions import PathTo
from millstream.algebra.operators import AggregateFunction, Aggregation
from millstream.model.schema import ValueType


@dataclass(slots=True)
class WindowAggregates:
    """Collects aggregations by window variable."""

    windows: dict[str, list[Aggregation]] = field(default_factory=dict)

    def add_window(self, variable: str) -> None:
        self.windows[variable] = []

    def found(self, function: AggregateFunction, source: PathTo) -> Aggregation | None:
        """The aggregation that computes this already."""
        for each in self.windows[source.variable]:
            if (each.function, each.source) == (function, source):
                return each
        return None

    def add(
        self, variable: str, function: AggregateFunction, source: PathTo, leaf: ValueType | None
    ) -> Aggregation:
        """A new aggregation over the contents of a window."""
        aggregation = Aggregation(variable, function, source, result_type(function, leaf))
        self.windows[source.variable].append(aggregation)
        return aggregation


def result_type(function: AggregateFunction, leaf: ValueType | None) -> ValueType:
    """The type of an aggregate over values of a type; a mean of exact numbers is a decimal."""
    if function is AggregateFunction.COUNT:
        return ValueType.INTEGER
    if leaf is None:
        return ValueType.TEXT
    if function is AggregateFunction.AVG and leaf is ValueType.INTEGER:
        return ValueType.DECIMAL
    return leaf
