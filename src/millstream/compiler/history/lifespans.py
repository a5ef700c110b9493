"""Lifespans in SQL: begin, end, and whether the end belongs to it."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.model.filler_layout import OPEN, START

OPEN_SQL = f"{OPEN}L"
START_SQL = f"({START}L)"


@dataclass(frozen=True, slots=True)
class Lifespan:
    """An interval of time, in microseconds."""

    begin: str
    end: str
    closed: str

    @property
    def is_instant(self) -> bool:
        """True if it surely is one instant."""
        return self.begin == self.end and self.closed == "true"

    def intersection(self, other: Lifespan) -> Lifespan:
        """What both have in common; it may be empty."""
        if self.is_instant and other.is_instant and self == other:
            return self
        closed = (
            f"CASE WHEN {self.end} < {other.end} THEN {self.closed} "
            f"WHEN {self.end} > {other.end} THEN {other.closed} "
            f"ELSE {_both(self.closed, other.closed)} END"
        )
        return Lifespan(
            f"greatest({self.begin}, {other.begin})", f"least({self.end}, {other.end})", closed
        )

    def meets(self, window: Lifespan) -> str:
        """True if it has an instant in common with a window whose end belongs to it."""
        # Ends that do not belong count only where they are what both end at.
        if self.closed == "true":
            low = f"{self.end} >= {window.begin}"
        elif self.closed == "false":
            low = f"{self.end} > {window.begin}"
        else:
            low = f"if({self.closed}, {self.end} >= {window.begin}, {self.end} > {window.begin})"
        if window.closed == "true":
            high = f"{self.begin} <= {window.end}"
        elif window.closed == "false":
            high = f"{self.begin} < {window.end}"
        else:
            high = f"if({window.closed}, {self.begin} <= {window.end}, {self.begin} < {window.end})"
        ordered = "" if window.begin == window.end else f" AND {window.begin} <= {window.end}"
        return f"({low} AND {high}{ordered})"


def _both(one: str, other: str) -> str:
    if "false" in (one, other):
        return "false"
    if one == "true":
        return other
    return one if other == "true" else f"({one} AND {other})"


ALWAYS = Lifespan(START_SQL, OPEN_SQL, "false")
