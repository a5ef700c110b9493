"""Lengths of time as ISO 8601 writes them, added to instants in microseconds."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_PARTS = re.compile(
    r"P(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, order=True)
class TimeShift:
    """Months and microseconds, both forwards or both back."""

    months: int = 0
    microseconds: int = 0

    @classmethod
    def read(cls, text: str) -> TimeShift:
        """The length that a text such as P1M or PT1H states."""
        found = _PARTS.fullmatch(text)
        if found is None:
            raise ValueError(f"not a duration: '{text}'")
        parts = {name: float(value) for name, value in found.groupdict("0").items()}
        seconds = sum(parts[name] * factor for name, factor in _SECONDS.items())
        months = int(parts["years"] * 12 + parts["months"])
        return cls(months, round(seconds * 1_000_000))

    def __neg__(self) -> TimeShift:
        return TimeShift(-self.months, -self.microseconds)

    def __add__(self, other: TimeShift) -> TimeShift:
        return TimeShift(self.months + other.months, self.microseconds + other.microseconds)

    def after(self, instant: int) -> int:
        """The instant that lies so much later; the day of a month is at most its last."""
        if not self.months:
            return instant + self.microseconds
        time = _EPOCH + timedelta(microseconds=instant)
        year, month = divmod(time.year * 12 + time.month - 1 + self.months, 12)
        year = min(max(year, 1), 9999)
        day = min(time.day, monthrange(year, month + 1)[1])
        moved = time.replace(year=year, month=month + 1, day=day)
        return (moved - _EPOCH) // timedelta(microseconds=1) + self.microseconds
