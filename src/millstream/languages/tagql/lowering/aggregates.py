"""SELECT with aggregates: by attributes, and by tags."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.algebra.expressions import PathTo, TupleColumn
from millstream.algebra.operators import AggregateFunction, Operator
from millstream.algebra.tag_operators import (
    AggregateTags,
    AggregateTuples,
    Likeness,
    TupleAggregation,
)
from millstream.errors import QueryError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.lowering.naming import Naming
from millstream.languages.tagql.lowering.values import Typed, lower_value
from millstream.languages.tagql.unparsed_expressions import unparse_value
from millstream.languages.tagql.words import AGGREGATES
from millstream.model.schema import ValueType

LABEL = "group"
"""The variable that holds the name of a group of tags."""


def is_aggregated(statement: syntax.Select) -> bool:
    """True when a statement asks for groups, or for an aggregate of everything."""
    return statement.grouping is not None or bool(_calls(statement))


def aggregated(
    statement: syntax.Select,
    rows: Operator,
    naming: Naming,
    window: int | None,
    *,
    last: bool = False,
) -> Operator:
    """The answers of the groups: one for each tuple that brings a new one, or the last ones."""
    (source,) = statement.sources
    aggregations = tuple(
        _aggregation(call, number, naming) for number, call in enumerate(_calls(statement))
    )
    match statement.grouping:
        case syntax.GroupByTags() as grouping:
            return AggregateTags(
                rows,
                LABEL,
                source.name,
                Likeness[grouping.likeness.name],
                aggregations,
                grouping.threshold,
                naming.dictionary,
                grouping.untagged,
                window,
                grouping.function,
                last,
            )
        case grouping:
            names = grouping.names if grouping else ()
            keys = tuple(naming.attribute(name)[0] for name in names)
            return AggregateTuples(rows, keys, aggregations, window, last)


def answer_columns(statement: syntax.Select, naming: Naming) -> Iterator[TupleColumn]:
    """The columns of an answer, in the order of the statement."""
    number = 0
    for column in statement.columns:
        assert isinstance(column, syntax.Column), "the columns of groups were checked"
        name = column.alias or unparse_value(column.value)
        match column.value:
            case syntax.TagReference():
                yield TupleColumn(name, PathTo(LABEL), ValueType.TEXT)
            case syntax.Call(function, arguments) if function in AGGREGATES:
                type = _result_type(function, lower_value(arguments[0], naming))
                yield TupleColumn(name, PathTo(_variable(number)), type)
                number += 1
            case value:
                typed = lower_value(value, naming)
                yield TupleColumn(name, typed.expression, typed.type or ValueType.TEXT)


def _calls(statement: syntax.Select) -> list[syntax.Call]:
    return [
        column.value
        for column in statement.columns
        if isinstance(column, syntax.Column)
        and isinstance(column.value, syntax.Call)
        and column.value.function in AGGREGATES
    ]


def _aggregation(call: syntax.Call, number: int, naming: Naming) -> TupleAggregation:
    function = AggregateFunction[call.function]
    (argument,) = call.arguments
    if isinstance(argument, syntax.Star):
        if function is not AggregateFunction.COUNT:
            raise QueryError(f"only COUNT is of *, not {call.function}", span=call.span)
        return TupleAggregation(_variable(number), function, None, ValueType.INTEGER)
    value = lower_value(argument, naming)
    type = _result_type(call.function, value)
    return TupleAggregation(_variable(number), function, value.expression, type)


def _result_type(function: str, value: Typed) -> ValueType:
    match function:
        case "COUNT":
            return ValueType.INTEGER
        case "AVG":
            exact = value.type in (ValueType.INTEGER, ValueType.DECIMAL)
            return ValueType.DECIMAL if exact else ValueType.DOUBLE
        case "SUM" if not value.numeric:
            return ValueType.INTEGER
    return value.type or ValueType.TEXT


def _variable(number: int) -> str:
    return f"answer {number}"
