"""When a tag holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Validity:
    """From a time on, up to but not including another; without an end, from then on."""

    begin: int
    end: int | None = None

    def holds_at(self, time: int) -> bool:
        return self.begin <= time and (self.end is None or time < self.end)
