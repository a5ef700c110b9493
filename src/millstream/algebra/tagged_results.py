"""Results that have the tags of the items that they are made of."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.expressions import PathTo
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Operator,
    Window,
)
from millstream.algebra.walk import transform_operator
from millstream.model.schema import ValueType

WINDOW_TAGS = "tags"
"""The variable that holds the sets of tags of a window's items."""


def carrying_tags(branch: Construct) -> Construct:
    """The branch with tags: windows gather the sets of tags of their items."""
    return replace(branch, input=transform_operator(branch.input, _with_sets), carries_tags=True)


def _with_sets(operator: Operator) -> Operator:
    if not isinstance(operator, Window):
        return operator
    source = PathTo(operator.variable)
    sets = Aggregation(WINDOW_TAGS, AggregateFunction.TAGS, source, ValueType.TEXT)
    return replace(operator, aggregations=(*operator.aggregations, sets))
