"""Aggregates over the tuples of a group, as SQL over rows e."""

from __future__ import annotations

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.operators import AggregateFunction
from millstream.algebra.tag_operators import TupleAggregation
from millstream.compiler import conversions
from millstream.compiler.expressions import items_of
from millstream.compiler.items import Item, Lexical, Role, Value
from millstream.compiler.sequences import single
from millstream.compiler.tags.marks import flat_name, flattened
from millstream.compiler.tags.tuple_source import TupleSource
from millstream.model.schema import ValueType

_EXACT = (ValueType.INTEGER, ValueType.DECIMAL)


def answer(aggregation: TupleAggregation, source: TupleSource) -> str:
    """An aggregate as the text that a result shows, null for none."""
    value, function = aggregation.value, aggregation.function
    if value is None:
        return "CAST(count(1) AS STRING)"
    match function:
        case AggregateFunction.COUNT:
            return f"CAST(count({_present(value, source)}) AS STRING)"
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return _extreme(function.value, value, source)
    total = f"sum({_number(value, source)})"
    exact = _type(value, source) in _EXACT
    if function is AggregateFunction.SUM:
        zero = "0BD" if exact else "0D"
        type = ValueType.DECIMAL if exact else ValueType.DOUBLE
        return conversions.text(Value(f"coalesce({total}, {zero})", type))
    count = f"count({_number(value, source)})"
    if exact:
        return conversions.text(
            Value(f"try_divide({total}, CAST({count} AS DECIMAL(20,0)))", ValueType.DECIMAL)
        )
    return conversions.text(Value(f"try_divide({total}, {count})", ValueType.DOUBLE))


def _type(value: Expression, source: TupleSource) -> ValueType | None:
    attribute = _attribute(value, source)
    if attribute is not None:
        return attribute[1]
    item = items_of(flattened(value), source.scope("e"))
    return item.type if isinstance(item, Value) else ValueType.DOUBLE


def _attribute(value: Expression, source: TupleSource) -> tuple[int, ValueType] | None:
    """The place and the type of the attribute that a value is, if it is one."""
    if not isinstance(value, PathTo):
        return None
    name = flat_name(value)
    return next(
        ((place, each.type) for place, each in enumerate(source.attributes) if each.name == name),
        None,
    )


def _number(value: Expression, source: TupleSource) -> str:
    """A value to be summed: exact where it was written as an integer or a decimal."""
    attribute = _attribute(value, source)
    if attribute is not None and attribute[1] is ValueType.DECIMAL:
        return conversions.exact(Lexical(f"e.t{attribute[0]}", ValueType.DECIMAL, Role.VALUE))
    type = _type(value, source)
    if type is None or not type.numeric:
        return "CAST(NULL AS DECIMAL(38,18))"
    convert = conversions.exact if type is ValueType.INTEGER else conversions.double
    sql_type = "DECIMAL(38,18)" if type is ValueType.INTEGER else "DOUBLE"
    return single(items_of(flattened(value), source.scope("e")), convert, sql_type)


def _present(value: Expression, source: TupleSource) -> str:
    return single(items_of(flattened(value), source.scope("e")), conversions.text, "STRING")


def _extreme(function: str, value: Expression, source: TupleSource) -> str:
    """The least or greatest, as it was written."""
    attribute = _attribute(value, source)
    if attribute is not None:
        place, _ = attribute
        found = f"IF(e.v{place} IS NULL, NULL, struct(e.v{place} AS v, e.t{place} AS t))"
        return f"{function}({found}).t"
    item = items_of(flattened(value), source.scope("e"))
    computed = single(item, _as_value, "DOUBLE")
    type = item.type if isinstance(item, Value) and item.type else ValueType.DOUBLE
    return conversions.text(Value(f"{function}({computed})", type))


def _as_value(item: Item) -> str:
    if isinstance(item, Value) and item.literal is None:
        return item.sql
    return conversions.double(item)
