"""How much each user may have: subscriptions, long queries, readers, results a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one identity may have; None is no limit."""

    subscriptions: int | None = 100
    """Active ones."""
    query_bytes: int | None = 65_536
    """Of one query."""
    results_per_second: float | None = 5_000
    """Items, of streams or subscriptions, over all its readers."""
    readers: int | None = 250
    """Event streams open at the same time."""


UNLIMITED = Limits(None, None, None, None)


class Pace:
    """A rate that is kept by waiting: as much as comes in a second may go at once."""

    def __init__(
        self, per_second: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = per_second
        self._clock = clock
        self._ahead = 0.0
        """What was taken and has not been earned yet."""
        self._since = clock()

    def due(self) -> float:
        """Seconds until something may be taken again."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        self._ahead = max(0.0, self._ahead - (now - self._since) * self._rate)
        self._since = now
        return max(0.0, (self._ahead - self._rate) / self._rate)

    def take(self, amount: int) -> float:
        """Take something; the seconds to wait before taking more."""
        self.due()
        self._ahead += amount
        return self.due()
