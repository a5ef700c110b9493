"""The values that leaf text stands for: parsing, recognising and printing them, in one place."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

from millstream.model.schema import ValueType

Number = int | Decimal | float
Value = Number | datetime | str

XML_SPACE = " \t\r\n"
MAX_WHOLE_DIGITS = 20
MAX_FRACTION_DIGITS = 18
_LEAST_INTEGER, _GREATEST_INTEGER = -(2**63), 2**63 - 1

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SPECIAL = {"INF": math.inf, "+INF": math.inf, "-INF": -math.inf, "NaN": math.nan}
_INSTANT = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?:[T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]{1,9}))?)?)?"
    r"(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_DISGUISED = re.compile(r"\+|-?0[0-9]")


def parse_value(text: str, type: ValueType) -> Value:
    """The value of a leaf's text, or ValueError with a short reason."""
    if type is ValueType.TEXT:
        return text
    trimmed = text.strip(XML_SPACE)
    match type:
        case ValueType.INTEGER:
            return _parse_integer(trimmed)
        case ValueType.DECIMAL:
            return _parse_decimal(trimmed)
        case ValueType.DOUBLE:
            return _parse_double(trimmed)
        case _:
            return parse_instant(trimmed)


def parse_instant(text: str) -> datetime:
    """The instant, in UTC, that an ISO 8601 date or date-time names.

    A date means its midnight, no zone means UTC, and digits past the microsecond are cut off.
    """
    match = _INSTANT.fullmatch(text.strip(XML_SPACE))
    if match is None or (match["zone"] and not match["hour"]):
        raise ValueError(f"not a date or time: {_shown(text)}")
    try:
        return _instant(match)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"no such date or time: {_shown(text)}") from error


def recognise(text: str) -> ValueType | None:
    """The narrowest type that a value's text fits, None for empty text.

    Signs of an identifier stay text: a leading zero (007), a plus sign (+49), or more digits than
    a number keeps exactly (whole numbers of more than 20 digits).
    """
    trimmed = text.strip(XML_SPACE)
    if not trimmed:
        return None
    if _DISGUISED.match(trimmed) and _DOUBLE.fullmatch(trimmed):
        return ValueType.TEXT
    if _INTEGER.fullmatch(trimmed):
        return _recognise_whole(trimmed)
    for type in (ValueType.DECIMAL, ValueType.DOUBLE, ValueType.TIME):
        if _fits(trimmed, type):
            return type
    return ValueType.TEXT


def is_number(text: str) -> bool:
    """True for text that reads as a number, identifiers of digits included."""
    return _fits(text, ValueType.DOUBLE)


def wider(one: ValueType, other: ValueType) -> ValueType:
    """The narrowest type that holds the values of both."""
    if one is other:
        return one
    if not (one.numeric and other.numeric):
        return ValueType.TEXT
    order = (ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE)
    return max(one, other, key=order.index)


def format_number(value: Number) -> str:
    """A number as XQuery prints it."""
    if isinstance(value, Decimal):
        return _format_decimal(value)
    if isinstance(value, float):
        return _format_double(value)
    return str(value)


def _parse_integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"not an integer: {_shown(text)}")
    # The length is checked first: converting a text of a million digits would take seconds.
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > 19 or not _LEAST_INTEGER <= int(text) <= _GREATEST_INTEGER:
        raise ValueError(f"does not fit in 64 bits: {_shown(text)}")
    return int(text)


def _parse_decimal(text: str) -> Decimal:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise ValueError(f"not a decimal number: {_shown(text)}")
    whole, fraction = match[1] or "", match[2] or match[3] or ""
    if len(whole.lstrip("0")) > MAX_WHOLE_DIGITS or len(fraction.rstrip("0")) > MAX_FRACTION_DIGITS:
        raise ValueError(f"too many digits for a decimal number: {_shown(text)}")
    return Decimal(text)


def _parse_double(text: str) -> float:
    if text in _SPECIAL:
        return _SPECIAL[text]
    if not _DOUBLE.fullmatch(text):
        raise ValueError(f"not a number: {_shown(text)}")
    return float(text)


def _instant(match: re.Match[str]) -> datetime:
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    microsecond = int((match["fraction"] or "0").ljust(6, "0")[:6])
    # ISO 8601 writes the midnight that ends a day as 24:00.
    midnight = hour == 24 and not (minute or second or microsecond)
    local = datetime(
        int(match["year"]),
        int(match["month"]),
        int(match["day"]),
        0 if midnight else hour,
        minute,
        second,
        microsecond,
        tzinfo=_zone(match["zone"]),
    )
    return (local + timedelta(days=midnight)).astimezone(UTC)


def _zone(text: str | None) -> timezone:
    if text in (None, "Z"):
        return UTC
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    if hours > 14 or minutes > 59:
        raise ValueError("no such zone")
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if text[0] == "-" else offset)


def _recognise_whole(text: str) -> ValueType:
    if _fits(text, ValueType.INTEGER):
        return ValueType.INTEGER
    return ValueType.DECIMAL if _fits(text, ValueType.DECIMAL) else ValueType.TEXT


def _fits(text: str, type: ValueType) -> bool:
    try:
        parse_value(text, type)
    except ValueError:
        return False
    return True


def _format_decimal(value: Decimal) -> str:
    plain = format(value, "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain in ("-0", "") else plain


def _format_double(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    exact = Decimal(repr(value))
    if 1e-6 <= abs(value) < 1e6:
        return _format_decimal(exact)
    return _format_scientific(exact)


def _format_scientific(value: Decimal) -> str:
    sign, digits, _ = value.as_tuple()
    mantissa = "".join(map(str, digits)).rstrip("0") or "0"
    return f"{'-' if sign else ''}{mantissa[0]}.{mantissa[1:] or '0'}E{value.adjusted()}"


def _shown(text: str) -> str:
    trimmed = text.strip(XML_SPACE)
    return repr(trimmed if len(trimmed) <= 30 else trimmed[:29] + "…")
