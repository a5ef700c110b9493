"""The library of functions, by plain name; each takes sequences and gives a sequence."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from millstream.errors import QueryError
from millstream.testing.reference.aggregates import FUNCTIONS as AGGREGATES
from millstream.testing.reference.nodes import AttributeNode, ElementNode
from millstream.testing.reference.values import (
    Atomic,
    Values,
    as_number,
    as_text,
    atomize,
    is_related,
    truth,
)


def call(function: str, *arguments: Values) -> Values:
    """What a function of the library gives for its arguments."""
    if function not in LIBRARY:
        raise QueryError(f"function {function}() is not known to the reference evaluator")
    return LIBRARY[function](*arguments)


def _text(values: Values) -> str:
    """The text of one value, the empty text for none."""
    if len(values) > 1:
        raise QueryError("a function that takes one text was given several")
    return "".join(as_text(value) for value in atomize(values))


def _number(values: Values) -> Values:
    numbers = [as_number(value) for value in atomize(values)]
    if len(numbers) > 1:
        raise QueryError("number() was given several values")
    return (float(numbers[0]),) if numbers and numbers[0] is not None else (math.nan,)


def _distinct_values(values: Values) -> Values:
    kept: list[Atomic] = []
    for value in atomize(values):
        if not any(is_related("=", value, other) for other in kept):
            kept.append(value)
    return tuple(kept)


def _name(values: Values) -> Values:
    named = [value for value in values if isinstance(value, ElementNode | AttributeNode)]
    return (named[0].name,) if named else ("",)


def _concat(*arguments: Values) -> Values:
    return ("".join(_text(argument) for argument in arguments),)


def _rounding(function: Callable[[Any], int | float]) -> Callable[[Values], Values]:
    """A function from number to number: empty for none, integers stay as they are."""

    def apply(values: Values) -> Values:
        if len(values) > 1:
            raise QueryError("a function that takes one number was given several")
        numbers = [as_number(value) for value in atomize(values)]
        return tuple(_kept_kind(function, number) for number in numbers if number is not None)

    return apply


def _kept_kind(function: Callable[[Any], int | float], number: int | float) -> int | float:
    if isinstance(number, int) or not math.isfinite(number):
        return function(number) if function is abs else number
    return float(function(number))


def _half_up(number: float) -> int:
    """The nearest integer; of two, the greater."""
    return int((Decimal(number) + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


def _substring(values: Values, start: Values, length: Values | None = None) -> Values:
    """The characters from a position counted from 1, as many as asked for."""
    text, first = _text(values), _half_up(_double(start))
    end = math.inf if length is None else first + _half_up(_double(length))
    return ("".join(each for place, each in enumerate(text, 1) if first <= place < end),)


def _double(values: Values) -> float:
    (number,) = _number(values)
    assert isinstance(number, float)
    return number


def _exactly_one(values: Values) -> Values:
    if len(values) != 1:
        raise QueryError(f"exactly-one() was given {len(values)} values")
    return values


def _zero_or_one(values: Values) -> Values:
    if len(values) > 1:
        raise QueryError(f"zero-or-one() was given {len(values)} values")
    return values


LIBRARY: dict[str, Callable[..., Values]] = {
    **AGGREGATES,
    "abs": _rounding(abs),
    "ceiling": _rounding(math.ceil),
    "concat": _concat,
    "contains": lambda values, part: (_text(part) in _text(values),),
    "data": atomize,
    "distinct-values": _distinct_values,
    "empty": lambda values: (not values,),
    "ends-with": lambda values, end: (_text(values).endswith(_text(end)),),
    "exactly-one": _exactly_one,
    "exists": lambda values: (bool(values),),
    "false": lambda: (False,),
    "floor": _rounding(math.floor),
    "lower-case": lambda values: (_text(values).lower(),),
    "local-name": _name,
    "name": _name,
    "normalize-space": lambda values: (" ".join(_text(values).split()),),
    "not": lambda values: (not truth(values),),
    "number": _number,
    "round": _rounding(_half_up),
    "starts-with": lambda values, start: (_text(values).startswith(_text(start)),),
    "string": lambda values: (_text(values),),
    "string-length": lambda values: (len(_text(values)),),
    "substring": _substring,
    "true": lambda: (True,),
    "upper-case": lambda values: (_text(values).upper(),),
    "zero-or-one": _zero_or_one,
}
