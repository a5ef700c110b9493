"""How long something lasts: '1 min' and '2 h', counted in microseconds."""

from __future__ import annotations

import re
from decimal import Decimal

from millstream.errors import did_you_mean

SECOND = 1_000_000
"""A second in microseconds."""

UNITS = {
    "us": 1,
    "ms": 1_000,
    "s": SECOND,
    "min": 60 * SECOND,
    "h": 3_600 * SECOND,
    "d": 86_400 * SECOND,
}
"""The units in which durations are written, smallest first."""

SPELLINGS = {
    **{unit: unit for unit in UNITS},
    **dict.fromkeys(("microsecond", "microseconds"), "us"),
    **dict.fromkeys(("millisecond", "milliseconds", "msec"), "ms"),
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
}
"""The unit that each spelling stands for; case does not matter."""

LONGEST = 3_650_000 * UNITS["d"]
"""No duration is longer: an instant and a duration always fit in 64 bits."""

_DURATION = re.compile(r"([+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?)\s*([A-Za-z]+)")


def parse_duration(text: str) -> int:
    """The microseconds of a text like '1 min', or ValueError with a short reason."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not a duration: {text.strip()[:40]!r}; write it as 30 min")
    return duration(match[1], match[2])


def duration(amount: str, unit: str) -> int:
    """The microseconds of an amount of a unit, or ValueError with a short reason."""
    known = SPELLINGS.get(unit.lower())
    if known is None:
        raise ValueError(f"no unit of time: {unit[:40]!r}; {did_you_mean(unit, UNITS)}")
    microseconds = Decimal(amount) * UNITS[known]
    if microseconds < 0:
        raise ValueError(f"a duration is not negative: {amount} {unit}")
    if microseconds > LONGEST:
        raise ValueError(f"a duration is at most {LONGEST // UNITS['d']:,} days: {amount} {unit}")
    if microseconds != microseconds.to_integral_value():
        raise ValueError(f"a duration is whole microseconds: {amount} {unit}")
    return int(microseconds)


def format_duration(microseconds: int) -> str:
    """A duration in the largest unit of which it is a whole number."""
    amount, unit = split_duration(microseconds)
    return f"{amount} {unit}"


def split_duration(microseconds: int) -> tuple[int, str]:
    """The whole amount and the unit, the largest possible, that make a duration."""
    for unit, size in reversed(UNITS.items()):
        if microseconds and microseconds % size == 0:
            return microseconds // size, unit
    return microseconds, "s"
