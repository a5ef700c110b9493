"""In what order the items of a step come, by the time that a statement goes by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Order:
    """What is known of the times of items before any of them is looked at."""

    late: bool = False
    """True when some may have come too late, and are to be set aside."""
    behind: int | None = 0
    """By how many microseconds others may be before one that came earlier; None: not known."""


IN_ORDER = Order()
