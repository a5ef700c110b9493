"""The time of a stream's elements: microseconds, written as seconds or as an instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum

from millstream.model.lifespan import format_instant
from millstream.model.schema import ValueType
from millstream.model.tags.duration import SECOND
from millstream.model.values import format_number, parse_instant, parse_value

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
LATEST = 10**12
"""Seconds before and after 0 that a time may have; with any lifespan it fits in 64 bits."""


class TimeForm(Enum):
    """How a stream writes the time of its elements."""

    SECONDS = "seconds"
    """A number; 1.5 is one and a half seconds."""
    INSTANT = "instant"
    """A date and time of ISO 8601; without a zone it is UTC."""

    @classmethod
    def of_type(cls, type: ValueType) -> TimeForm:
        """The form of a stream that is ordered by a leaf of some type."""
        return cls.INSTANT if type is ValueType.TIME else cls.SECONDS


def parse_time(text: str, form: TimeForm) -> int:
    """The microseconds that a time's text stands for, or ValueError with a short reason.

    Instants are counted from 1970; digits past the microsecond are cut off.
    """
    if form is TimeForm.INSTANT:
        return (parse_instant(text) - _EPOCH) // _MICROSECOND
    seconds = parse_value(text, ValueType.DOUBLE)
    if not isinstance(seconds, float) or not abs(seconds) <= LATEST:
        raise ValueError(f"not a time in seconds: {text.strip()[:40]!r}")
    return int(Decimal(text.strip()) * SECOND)


def format_time(microseconds: int, form: TimeForm) -> str:
    """A time as its stream writes it."""
    if form is TimeForm.INSTANT:
        return format_instant(_EPOCH + microseconds * _MICROSECOND)
    return format_number(Decimal(microseconds) / SECOND)
