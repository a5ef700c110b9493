"""Slices: the pieces of a stream that windows of different sizes and steps have in common.

A slice begins at an edge of some window and reaches to the next edge, so that each window is made
of whole slices. The edges of windows of size Δ and step μ recur: every kμ a window starts, every
kμ + Δ one ends.

  t   0    10   20   30   40   50   60
      [w0       [w1       [w2       )      size 20, step 20: edges at 0, 20, 40, …
      [v0            )[v1            )     size 30, step 30: edges at 0, 30, 60, …
      [s0       [s1  [s2  [s3       )      slices of both
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass

MOST_CUTS = 6
"""More recurring edges than these are not worth telling apart."""


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """Edges that recur: at offset, offset + period, offset + 2·period, …"""

    period: int
    offset: int = 0

    def covers(self, other: Cut) -> bool:
        """True if all edges of the other are edges of this one."""
        return other.period % self.period == 0 and other.offset % self.period == self.offset

    def last(self, tick: int) -> int:
        """The last edge at or before a tick."""
        return tick - (tick - self.offset) % self.period

    def __str__(self) -> str:
        return f"{self.offset} + {self.period}k" if self.offset else f"{self.period}k"


def cuts_of(windows: Iterable[tuple[int, int]]) -> tuple[Cut, ...]:
    """The edges of windows, given by size and step: as few cuts as have them all.

    Where these are many, one cut with a period that divides all of them is enough.
    """
    edges = {cut for size, step in windows for cut in (Cut(step), Cut(step, size % step))}
    cuts: list[Cut] = []
    for edge in sorted(edges):
        # Only a cut with a shorter period, or an equal one, can have all edges of another.
        if not any(each.covers(edge) for each in cuts):
            cuts.append(edge)
        if len(cuts) > MOST_CUTS:
            return (Cut(math.gcd(*(number for each in edges for number in astuple(each)))),)
    return tuple(cuts)


def slice_of(cuts: Iterable[Cut], tick: int) -> int:
    """Where the slice of a tick begins."""
    return max(cut.last(tick) for cut in cuts)
