"""Arithmetic on single values: integers stay integers, everything else is a double."""

from __future__ import annotations

import math
import operator as python
from collections.abc import Callable

from millstream.errors import QueryError
from millstream.testing.reference.values import Atomic, as_number


def calculate(
    operator: str, left: tuple[Atomic, ...], right: tuple[Atomic, ...]
) -> tuple[int | float, ...]:
    """The result as a sequence: empty if an operand is empty or no number."""
    if len(left) > 1 or len(right) > 1:
        raise QueryError(f"'{operator}' needs single values, not sequences of several")
    if not left or not right:
        return ()
    one, other = as_number(left[0]), as_number(right[0])
    if one is None or other is None:
        return ()
    result = _result(operator, one, other)
    return () if result is None else (result,)


def _result(operator: str, one: int | float, other: int | float) -> int | float | None:
    if isinstance(one, int) and isinstance(other, int) and operator in ON_INTEGERS:
        return ON_INTEGERS[operator](one, other)
    return ON_DOUBLES[operator](float(one), float(other))


def _integer_quotient(one: int, other: int) -> int | None:
    """The quotient towards zero, unlike Python's, which goes down."""
    if other == 0:
        return None
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


def _integer_remainder(one: int, other: int) -> int | None:
    quotient = _integer_quotient(one, other)
    return None if quotient is None else one - quotient * other


def _quotient(one: float, other: float) -> float:
    if other != 0:
        return one / other
    if one == 0 or math.isnan(one):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1, other)


def _truncated_quotient(one: float, other: float) -> float | None:
    quotient = _quotient(one, other)
    return float(math.trunc(quotient)) if math.isfinite(quotient) else None


def _remainder(one: float, other: float) -> float:
    if other == 0 or math.isinf(one):
        return math.nan
    return math.fmod(one, other)


ON_INTEGERS: dict[str, Callable[[int, int], int | None]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "idiv": _integer_quotient,
    "mod": _integer_remainder,
}

ON_DOUBLES: dict[str, Callable[[float, float], float | None]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "div": _quotient,
    "idiv": _truncated_quotient,
    "mod": _remainder,
}
