"""Names and constants as Spark SQL text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

_CONTROL = re.compile(r"[\x00-\x1f\x7f$]")
_NAME = r"(?:[^\W\d]\w*|`(?:[^`]|``)+`)"
_REFERENCE = re.compile(rf"{_NAME}(?:\.{_NAME})*")
_LITERAL = re.compile(r"(?:TIMESTAMP |-)?(?:'[^'\\]*'|[0-9][0-9.eE+-]*(?:BD|[LD]))|true|false")

MOST_DIGITS = 38
"""How many digits Spark keeps of a decimal."""


def identifier(name: str) -> str:
    """A name, quoted."""
    return f"`{name.replace('`', '``')}`"


def string(text: str) -> str:
    """A string constant; a dollar sign is written by its number, or Spark would substitute."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{_CONTROL.sub(_by_number, escaped)}'"


def _by_number(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def integer(value: int) -> str:
    """An integer constant: a bigint where it fits, else a decimal, else a double."""
    if -(2**63) <= value < 2**63:
        return f"{value}L"
    return f"{value}BD" if abs(value) < 10**MOST_DIGITS else double(nearest_double(value))


def double(value: float) -> str:
    """A constant of type double."""
    if math.isnan(value):
        return "double('NaN')"
    if math.isinf(value):
        return "double('Infinity')" if value > 0 else "double('-Infinity')"
    return f"{value!r}D"


def nearest_double(value: int | Decimal | float) -> float:
    """The double nearest to a number, infinite for what is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def exact(value: Decimal) -> str:
    """A decimal constant with at most 18 fractional digits."""
    return f"try_cast('{value:f}' AS DECIMAL(38,18))"


def timestamp(value: datetime) -> str:
    """A constant of type timestamp."""
    return f"TIMESTAMP '{value.astimezone(UTC).isoformat(' ', 'microseconds')}'"


def is_reference(sql: str) -> bool:
    """True for a column, a field or a lambda variable: cheap enough to be named twice."""
    return _REFERENCE.fullmatch(sql) is not None


def is_constant(sql: str) -> bool:
    """True for a constant that is not null."""
    return _LITERAL.fullmatch(sql) is not None


def let(name: str, sql: str, body: Callable[[str], str]) -> str:
    """The body with an SQL expression in place, named so that it is computed once.

    The body must use no lambda variable of the same name from outside.
    """
    if is_reference(sql) or is_constant(sql):
        return body(sql)
    return f"get(transform(array({sql}), {name} -> {body(name)}), 0)"
