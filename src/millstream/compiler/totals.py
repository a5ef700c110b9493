"""Aggregates of a sequence: exact for integers and decimals, in doubles for the rest."""

from __future__ import annotations

from functools import reduce

from millstream.compiler import conversions
from millstream.compiler.items import Item, Value
from millstream.compiler.names import let
from millstream.compiler.numbers import mean_of_integers
from millstream.compiler.sequences import Items, count, gather, leaves
from millstream.errors import InternalError
from millstream.model.schema import ValueType
from millstream.model.values import wider

EXACT = "DECIMAL(38,18)"
# The sum of two of these fits Spark's widest decimal without losing a fractional digit.
_SUMMAND = {ValueType.INTEGER: "DECIMAL(37,0)", ValueType.DECIMAL: "DECIMAL(37,18)"}
SUM = {ValueType.INTEGER: "DECIMAL(38,0)", ValueType.DECIMAL: EXACT}
_SQL_TYPES = {
    ValueType.INTEGER: "BIGINT",
    ValueType.DECIMAL: EXACT,
    ValueType.DOUBLE: "DOUBLE",
    ValueType.TIME: "STRING",
    ValueType.TEXT: "STRING",
}


def aggregate(function: str, items: Items) -> Value:
    """The aggregate: null for min, max and avg of nothing."""
    match function:
        case "count":
            return Value(count(items), ValueType.INTEGER)
        case "sum":
            type = summed_type(items)
            return Value(total(summands(items, type), type), type)
        case "avg":
            return _average(items)
        case "min" | "max":
            type = common_type(items)
            return Value(f"array_{function}({values(items, type)})", type)
        case _:
            raise InternalError(f"{function}() is no aggregate")


def common_type(items: Items) -> ValueType:
    """The narrowest type that holds what the sequence may hold."""
    types = [conversions.type_of(leaf) or ValueType.TEXT for leaf in leaves(items)]
    return reduce(wider, types) if types else ValueType.INTEGER


def summed_type(items: Items) -> ValueType:
    """The type of a sum."""
    type = common_type(items)
    return type if type.numeric else ValueType.DOUBLE


def values(items: Items, type: ValueType) -> str:
    """The values of a type that the items have, as an SQL array."""
    return gather(items, lambda item: value(item, type), _SQL_TYPES[type])


def value(item: Item, type: ValueType) -> str:
    """The value that an aggregate of a type sees in an item; null for none."""
    match type:
        case ValueType.INTEGER:
            return conversions.integer(item)
        case ValueType.DECIMAL:
            return conversions.exact(item)
        case ValueType.DOUBLE:
            return conversions.double(item)
        case ValueType.TIME:
            return conversions.sortable_time(item)
        case ValueType.TEXT:
            return f"nullif({conversions.trimmed(item)}, '')"


def summands(items: Items, type: ValueType) -> str:
    """The values to be summed, as an SQL array."""
    if type not in _SUMMAND:
        return values(items, type)
    summand = _SUMMAND[type]
    return gather(items, lambda item: f"try_cast({value(item, type)} AS {summand})", summand)


def total(array: str, type: ValueType) -> str:
    """The sum of an array of summands; 0 for none, null if it is too large."""
    if type not in _SUMMAND:
        return f"aggregate({array}, 0D, (total, term) -> total + term)"
    summand = _SUMMAND[type]
    adding = f"(total, term) -> try_cast(total + term AS {summand})"
    return f"CAST(aggregate({array}, CAST(0 AS {summand}), {adding}) AS {SUM[type]})"


def _average(items: Items) -> Value:
    type = summed_type(items)
    mean = let("terms", summands(items, type), lambda all: _mean(all, type))
    return Value(mean, ValueType.DECIMAL if type is ValueType.INTEGER else type)


def _mean(array: str, type: ValueType) -> str:
    if type is ValueType.INTEGER:
        count = f"size({array})"
        return let("total", total(array, type), lambda all: mean_of_integers(all, count))
    number = f"CAST(size({array}) AS {'DOUBLE' if type is ValueType.DOUBLE else 'BIGINT'})"
    return f"try_divide({total(array, type)}, {number})"
