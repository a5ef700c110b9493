"""Aggregates of a sequence: exact for integers and decimals, in doubles for the rest."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal

from millstream.model.schema import ValueType
from millstream.testing.reference.values import (
    Atomic,
    Lexical,
    Value,
    Values,
    as_exact,
    as_instant,
    as_number,
    atomize,
)

AVERAGE_DIGITS = Decimal("1e-18")
WIDE = Context(prec=200, rounding=ROUND_HALF_UP)
"""Wide enough that no sum of a test loses a digit."""


def aggregate(function: str, values: Values) -> Values:
    """The aggregate as a sequence: empty for min, max and avg of nothing."""
    return FUNCTIONS[function](values)


def number_of_values(values: Values) -> Values:
    """How many values an average divides by."""
    return (len(_summands(values)),)


def _count(values: Values) -> Values:
    return (len(values),)


def _sum(values: Values) -> Values:
    return (_total(_summands(values)),)


def _avg(values: Values) -> Values:
    summands = _summands(values)
    if not summands:
        return ()
    total = _total(summands)
    if isinstance(total, float):
        return (total / len(summands),)
    mean = WIDE.divide(Decimal(total), Decimal(len(summands)))
    return (mean.quantize(AVERAGE_DIGITS, context=WIDE),)


def weighted_average(totals: Values, weights: Values) -> Values:
    """The mean of values of which only totals are known, and how many each is of."""
    total, weight = _total(_summands(totals)), _total(_summands(weights))
    if not weight:
        return ()
    if isinstance(total, float):
        return (total / float(weight),)
    mean = WIDE.divide(Decimal(total), Decimal(weight))
    return (mean.quantize(AVERAGE_DIGITS, context=WIDE),)


def _min(values: Values) -> Values:
    return _extreme(values, min)


def _max(values: Values) -> Values:
    return _extreme(values, max)


FUNCTIONS: dict[str, Callable[[Values], Values]] = {
    "count": _count,
    "sum": _sum,
    "avg": _avg,
    "min": _min,
    "max": _max,
}


def _summands(values: Values) -> list[Decimal | float]:
    return [number for value in atomize(values) if (number := _amount(value)) is not None]


def _amount(value: Atomic) -> Decimal | float | None:
    """The number to be summed; decimal leaves are exact and never doubles."""
    if isinstance(value, Lexical) and value.type in (ValueType.INTEGER, ValueType.DECIMAL):
        return as_exact(value)
    exact = as_exact(value)
    return as_number(value) if exact is None else exact


def _total(summands: list[Decimal | float]) -> int | Decimal | float:
    if any(isinstance(each, float) for each in summands):
        return sum(float(each) for each in summands)
    total = Decimal(0)
    for each in summands:
        total = WIDE.add(total, Decimal(each))
    return int(total) if total == total.to_integral_value(context=WIDE) else total


def _extreme(values: Values, choose: Callable[..., tuple[object, Value]]) -> Values:
    """The first value with the least or greatest key, in the order that its type gives."""
    keyed = [pair for value in atomize(values) if (pair := _keyed(value)) is not None]
    if not keyed:
        return ()
    return (choose(keyed, key=lambda pair: pair[0])[1],)


def _keyed(value: Atomic) -> tuple[object, Atomic] | None:
    match value:
        case Lexical(type=ValueType.TEXT):
            return (value.trimmed, Lexical(value.trimmed, value.type)) if value.trimmed else None
        case Lexical(type=ValueType.TIME):
            instant = as_instant(value)
            return None if instant is None else (instant, Lexical(value.trimmed, value.type))
        case str():
            return value, value
        case bool():
            return value, value
        case _:
            number = _amount(value)
            return None if number is None else (number, _plain(number))


def _plain(number: Decimal | float | int) -> Atomic:
    if isinstance(number, Decimal) and number == number.to_integral_value(context=WIDE):
        return int(number)
    return number
