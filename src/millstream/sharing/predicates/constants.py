"""Constants as exact numbers, and back: a text and an instant are numbers to a graph as well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from millstream.algebra.expressions import Literal
from millstream.model.values import parse_instant
from millstream.sharing.predicates.rounding import shortest
from millstream.sharing.predicates.terms import Kind, Weight, exact

Number = int | Decimal | float

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def number_weight(value: Number) -> Weight | None:
    """The number without loss; a double is the shortest decimal that reads as it."""
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return shortest(value) if isfinite(value) else None
    return exact(Fraction(value)) if value.is_finite() else None


def is_faithful(weight: Weight) -> bool:
    """True for a number that stays what it is when it is compared as a double."""
    try:
        return shortest(float(weight)) == weight
    except OverflowError:
        return False


def instant_weight(text: str) -> Weight | None:
    """The microseconds from 1970 on to the instant that a text names."""
    try:
        return (parse_instant(text) - _EPOCH) // _MICROSECOND
    except ValueError:
        return None


def text_weight(text: str) -> Weight:
    """A number that no other text has; the order of texts is not that of their numbers."""
    return int.from_bytes(b"\x01" + text.encode("utf-8", "surrogatepass"), "big")


def literal_of(weight: Weight, kind: Kind, integer: bool) -> Literal:
    """The constant that a number stands for."""
    match kind:
        case Kind.TEXT:
            return Literal(_text(int(weight)))
        case Kind.TIME:
            return Literal((_EPOCH + int(weight) * _MICROSECOND).isoformat())
        case Kind.NUMBER:
            whole = integer and weight.denominator == 1
            return Literal(int(weight) if whole else decimal_of(weight))


def decimal_of(weight: Weight) -> Decimal:
    """The decimal without loss: every constant here is a sum of decimals."""
    places, denominator = 0, weight.denominator
    while denominator % 10 == 0:
        places, denominator = places + 1, denominator // 10
    while denominator != 1:
        places += 1
        denominator = Fraction(weight * 10**places).denominator
    return Decimal(int(weight * 10**places)).scaleb(-places)


def _text(number: int) -> str:
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return data[1:].decode("utf-8", "surrogatepass")
