"""When something holds: from an instant to another, which may be open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

START = "start"
NOW = "now"


@dataclass(frozen=True, slots=True)
class Lifespan:
    """An interval of time; without a begin it holds since the start, without an end until now.

    A version excludes its end, as the next one holds at that instant. Events, which begin and end
    at once, and ends that were clipped include it.
    """

    begin: datetime | None = None
    end: datetime | None = None
    end_included: bool = False

    @classmethod
    def at(cls, instant: datetime) -> Lifespan:
        """The lifespan of an event."""
        return cls(instant, instant, end_included=True)

    @property
    def is_empty(self) -> bool:
        """True when no instant lies in it."""
        if self.begin is None or self.end is None:
            return False
        return self.begin > self.end or (self.begin == self.end and not self.end_included)

    def holds_at(self, instant: datetime) -> bool:
        if self.begin is not None and instant < self.begin:
            return False
        return self.end is None or instant < self.end or (self.end_included and instant == self.end)

    def clip(self, begin: datetime | None, end: datetime | None) -> Lifespan | None:
        """What of it lies between two instants, both included, or None."""
        low = self.begin if begin is None else max(begin, self.begin or begin)
        high, included = self.end, self.end_included
        if end is not None and (high is None or end < high):
            high, included = end, True
        clipped = Lifespan(low, high, included and high is not None)
        return None if clipped.is_empty else clipped

    def __str__(self) -> str:
        return f"[{show_begin(self)}, {show_end(self)}{']' if self.end_included else ')'}"


def cover(lifespans: Iterable[Lifespan]) -> Lifespan:
    """The smallest lifespan that contains all of some; of none, all of time."""
    given = list(lifespans)
    if not given:
        return Lifespan()
    begins = [each.begin for each in given if each.begin is not None]
    ends = [each.end for each in given if each.end is not None]
    begin = min(begins) if len(begins) == len(given) else None
    if len(ends) < len(given):
        return Lifespan(begin)
    end = max(ends)
    return Lifespan(begin, end, any(each.end == end and each.end_included for each in given))


def show_begin(lifespan: Lifespan) -> str:
    """The begin of a lifespan as the attribute vtFrom shows it."""
    return START if lifespan.begin is None else format_instant(lifespan.begin)


def show_end(lifespan: Lifespan) -> str:
    """The end of a lifespan as the attribute vtTo shows it."""
    return NOW if lifespan.end is None else format_instant(lifespan.end)


def format_instant(instant: datetime) -> str:
    """An instant in UTC as CCYY-MM-DDThh:mm:ss, with a fraction only where there is one."""
    shown = instant.astimezone(UTC).replace(tzinfo=None).isoformat()
    return shown.rstrip("0") if "." in shown else shown
