"""What time it is: a clock is handed to whoever asks, so that tests can turn it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Anything that tells the time."""

    def now(self) -> datetime:
        """The current instant, in UTC."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The wall clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)
