"""The expressions that tag operators hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.tag_operators import (
    AggregateTags,
    AggregateTuples,
    Attach,
    JoinTags,
    JoinTuples,
    SelectTagged,
    SelectTags,
    TagOperator,
    TupleAggregation,
    Tuples,
)

Rewrite = Callable[[Expression], Expression]


def tag_expressions(operator: TagOperator) -> tuple[Expression, ...]:
    """The expressions that an operator itself holds."""
    found: list[Expression] = []

    def note(each: Expression) -> Expression:
        found.append(each)
        return each

    map_tag_expressions(operator, note)
    return tuple(found)


def map_tag_expressions(operator: TagOperator, function: Rewrite) -> TagOperator:
    """The operator with its own expressions replaced; paths must stay paths."""
    match operator:
        case Tuples(_, time, id):
            return replace(operator, time=_path(time, function), id=_path(id, function))
        case SelectTagged() | SelectTags() | JoinTuples() | JoinTags() | Attach():
            return replace(operator, predicate=function(operator.predicate))
        case AggregateTuples():
            keys = tuple(_path(key, function) or key for key in operator.keys)
            return replace(operator, keys=keys, aggregations=_aggregations(operator, function))
        case AggregateTags():
            return replace(operator, aggregations=_aggregations(operator, function))


def _aggregations(
    operator: AggregateTuples | AggregateTags, function: Rewrite
) -> tuple[TupleAggregation, ...]:
    return tuple(
        each if each.value is None else replace(each, value=function(each.value))
        for each in operator.aggregations
    )


def _path(path: PathTo | None, function: Rewrite) -> PathTo | None:
    if path is None:
        return None
    mapped = function(path)
    assert isinstance(mapped, PathTo), "a path stays a path"
    return mapped
