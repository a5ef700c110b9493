"""A made-up road network in the unit square."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from millstream.errors import MillstreamError
from millstream.model.tags.location import Point

_BEND = 0.35
"""How far a crossing may lie from its place in a regular grid, in parts of a block."""

_MISSING = 0.2
"""The share of streets that were never built."""


@dataclass(frozen=True, slots=True)
class RoadNetwork:
    """Crossings, and for each the crossings that a street leads to."""

    crossings: tuple[Point, ...]
    streets: tuple[tuple[int, ...], ...]

    @classmethod
    def generate(cls, side: int = 20, seed: int = 0) -> RoadNetwork:
        """A bent grid with so many crossings a side, in which all can be reached from all."""
        if side < 2:
            raise MillstreamError("a road network has at least 2 crossings a side")
        random = Random(f"roads {seed}")
        crossings = tuple(
            ((column + _shift(random)) / side, (row + _shift(random)) / side)
            for row in range(side)
            for column in range(side)
        )
        streets: list[set[int]] = [set() for _ in crossings]
        for one, other in _built(side, random):
            streets[one].add(other)
            streets[other].add(one)
        return cls(crossings, tuple(tuple(sorted(each)) for each in streets))

    def way_on(self, crossing: int, came_from: int | None, random: Random) -> int:
        """A crossing to go to next; back only from a dead end."""
        ahead = [each for each in self.streets[crossing] if each != came_from]
        return random.choice(ahead or list(self.streets[crossing]))


def _shift(random: Random) -> float:
    return 0.5 + random.uniform(-_BEND, _BEND)


def _built(side: int, random: Random) -> Iterator[tuple[int, int]]:
    """Streets between neighbours: all along the first column and the rows, most of the others."""
    for row in range(side):
        for column in range(side):
            here = row * side + column
            if column + 1 < side:
                yield here, here + 1
            if row + 1 < side and (column == 0 or random.random() >= _MISSING):
                yield here, here + side
