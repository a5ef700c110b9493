"""A clock that moves only when a test turns it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from millstream.errors import InternalError


class ManualClock:
    """A clock that stands at a given instant until it is advanced."""

    def __init__(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise InternalError("a clock needs an instant with a time zone")
        self._now = now.astimezone(UTC)

    def now(self) -> datetime:
        """The instant at which this clock stands."""
        return self._now

    def advance(self, seconds: float) -> datetime:
        """The new instant, so many seconds later; time never goes back."""
        if seconds < 0:
            raise InternalError("a clock cannot go back")
        self._now += timedelta(seconds=seconds)
        return self._now
