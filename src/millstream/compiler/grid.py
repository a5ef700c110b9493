"""Boxes of numbers laid on a grid of cells, so that an item finds the boxes around it by lookup.

The grid has levels of different fineness, and a box lies on one of them, where it covers few
cells. An item has one cell on each level:

  level of 8 cells    |    |    |[===|==] |    |    |    |    |
  level of 2 cells    |   [=====|===================|=====]   |
  item                                 ↑

A number's cell is computed by the same operations in Python and in Spark. Each of them keeps the
order of numbers, and so a number between two others has a cell between their cells: no item
misses a box. All else, such as where the grid begins and how fine it is, is a matter of speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from millstream.compiler.costs import Bits, Costs, Numbers

Indexes = npt.NDArray[np.int64]

FINEST = 16
"""The most bits that number the cells of one dimension."""
MOST_LEVELS = 8
MOST_DIMENSIONS = 3
_SAMPLE = 200
"""Boxes that are looked at when levels are chosen."""
_OUTLIERS = 0.01
"""The share of bounds that may lie outside, where they would make the grid much wider."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of a level: cells of equal width, the outer ones open to all that is beyond."""

    low: float
    scale: float
    """Cells a unit."""
    last: float
    """The last cell."""

    @property
    def cells(self) -> int:
        return int(self.last) + 1

    def cell(self, numbers: Numbers) -> Indexes:
        """The cells of numbers, none of which is NaN; in SQL this is `cell_sql`."""
        with np.errstate(over="ignore", invalid="ignore"):
            place = (numbers - self.low) * self.scale
        # Infinity times zero: there is but one cell.
        place = np.where(np.isnan(place), self.last, place)
        cells: Indexes = np.maximum(0.0, np.minimum(place, self.last)).astype(np.int64)
        return cells


def cell_sql(number: str, low: str, scale: str, last: str) -> str:
    """The cell of a number; for NaN, which Spark holds to be the greatest number, the last."""
    return f"CAST(greatest(0D, least(({number} - {low}) * {scale}, {last})) AS BIGINT)"


@dataclass(frozen=True, slots=True)
class Level:
    """One fineness of the grid."""

    bits: Bits
    axes: tuple[Axis, ...]

    @property
    def cells(self) -> int:
        return int(np.prod([each.cells for each in self.axes], dtype=object))

    @property
    def strides(self) -> tuple[int, ...]:
        """How far the numbers of neighbouring cells are apart, by dimension."""
        cells = [each.cells for each in self.axes]
        return tuple(int(np.prod(cells[place + 1 :], dtype=object)) for place in range(len(cells)))


@dataclass(frozen=True, slots=True)
class Grid:
    """Levels, and the cells that each box covers: box boxes[i] covers cell cells[i]."""

    dimensions: tuple[int, ...]
    """Those of the boxes' dimensions that the grid has."""
    levels: tuple[Level, ...]
    boxes: Indexes
    cells: Indexes
    cost: float
    """Expected nanoseconds of a step."""

    @property
    def bases(self) -> tuple[int, ...]:
        """The number of the first cell of each level."""
        return tuple(accumulate((each.cells for each in self.levels[:-1]), initial=0))


def lay(lows: Numbers, highs: Numbers, costs: Costs) -> Grid:
    """Boxes, given by a row of bounds each, on the levels where they cost least.

    A box with a bound that is NaN holds nothing.
    """
    held = np.flatnonzero(~(np.isnan(lows) | np.isnan(highs)).any(axis=1))
    lows, highs = lows[held], highs[held]
    hulls = [_hull(*each) for each in zip(lows.T, highs.T, strict=True)]
    widths = np.stack([_widths(*each) for each in zip(lows.T, highs.T, hulls, strict=True)], axis=1)
    narrow = np.argsort(np.mean(np.sqrt(widths), axis=0), kind="stable")[:MOST_DIMENSIONS]
    bits = np.array(_choose(widths[:, narrow], costs))
    narrow, bits = narrow[bits.any(axis=0)], bits[:, bits.any(axis=0)]
    places = costs.of_boxes(widths[:, narrow], [*map(tuple, bits.tolist())]).argmin(axis=1)
    used, places = np.unique(places, return_inverse=True)
    cost = costs.of_levels(widths[:, narrow], bits[used])
    levels = tuple(_level(each, [hulls[one] for one in narrow]) for each in bits[used].tolist())
    boxes, cells = _cover(levels, places, lows[:, narrow], highs[:, narrow])
    return Grid(tuple(narrow.tolist()), levels, held[boxes], cells, cost)


def _cover(
    levels: Sequence[Level], places: Indexes, lows: Numbers, highs: Numbers
) -> tuple[Indexes, Indexes]:
    """The cells that boxes cover, each on the level that it has its place on."""
    boxes, cells, base = [], [], 0
    for number, level in enumerate(levels):
        members = np.flatnonzero(places == number)
        owners, covered = _covered(level, lows[members], highs[members])
        boxes.append(members[owners])
        cells.append(covered + base)
        base += level.cells
    return np.concatenate(boxes), np.concatenate(cells)


def _hull(lows: Numbers, highs: Numbers) -> tuple[float, float]:
    """Where most bounds lie."""
    lows, highs = lows[np.isfinite(lows)], highs[np.isfinite(highs)]
    bounds = np.concatenate([lows, highs])
    if not bounds.size:
        return 0.0, 1.0
    bounds = np.clip(bounds, -1e300, 1e300)
    low, high = float(bounds.min()), float(bounds.max())
    inner_low = float(np.quantile(bounds, _OUTLIERS, method="lower"))
    inner_high = float(np.quantile(bounds, 1 - _OUTLIERS, method="higher"))
    if inner_high - inner_low < (high - low) / 4:
        low, high = inner_low, inner_high
    if not (high - low) * 2.0**-FINEST > 1e-300:
        # One point, or so narrow that it cannot be divided.
        high = low + max(1.0, abs(low) * 2.0**-20)
    return low, high


def _widths(lows: Numbers, highs: Numbers, hull: tuple[float, float]) -> Numbers:
    """The share of the hull that each box covers."""
    inside = np.minimum(highs, hull[1]) - np.maximum(lows, hull[0])
    share: Numbers = np.clip(inside / (hull[1] - hull[0]), 0.0, 1.0)
    return share


def _level(bits: Sequence[int], hulls: Sequence[tuple[float, float]]) -> Level:
    return Level(
        tuple(bits), tuple(_axis(each, hull) for each, hull in zip(bits, hulls, strict=True))
    )


def _axis(bits: int, hull: tuple[float, float]) -> Axis:
    """The hull in 2^bits cells, and one more at either side for what lies outside."""
    low, high = hull
    if bits == 0:
        return Axis(low, 0.0, 0.0)
    cells = 2**bits
    width = (high - low) / cells
    return Axis(low - width, 1.0 / width, float(cells + 1))


def _covered(level: Level, lows: Numbers, highs: Numbers) -> tuple[Indexes, Indexes]:
    """The cells that boxes cover: a box and a cell for each."""
    boxes = np.arange(len(lows), dtype=np.int64)
    cells = np.zeros(len(lows), np.int64)
    for place, (axis, stride) in enumerate(zip(level.axes, level.strides, strict=True)):
        first = axis.cell(lows[:, place])[boxes]
        counts = np.maximum(0, axis.cell(highs[:, place])[boxes] - first + 1)
        repeated = np.repeat(np.arange(len(boxes)), counts)
        within = np.arange(len(repeated)) - np.repeat(np.cumsum(counts) - counts, counts)
        cells = cells[repeated] + (first[repeated] + within) * stride
        boxes = boxes[repeated]
    return boxes, cells


def _choose(widths: Numbers, costs: Costs) -> list[Bits]:
    """The levels that cost least, found by going downhill; the last has but one cell."""
    sample = widths
    if len(widths) > _SAMPLE:
        sample = np.random.default_rng(0).choice(widths, _SAMPLE, replace=False)
    costs = costs.scaled(len(widths) / max(1, len(sample)))
    starts = _fitting(sample)
    chosen: list[Bits] = []
    best = np.inf
    while len(chosen) < MOST_LEVELS:
        start = starts[costs.with_one_more(sample, chosen, starts).argmin()]
        more = _downhill([*chosen, start], sample, costs)
        cost = costs.of_levels(sample, more)
        if cost >= best * 0.98:
            break
        chosen, best = more, cost
    return [*chosen, (0,) * widths.shape[1]]


def _fitting(widths: Numbers) -> list[Bits]:
    """Levels whose cells are about as wide as boxes are."""
    bits = np.ceil(-np.log2(np.maximum(widths, 2.0**-FINEST)))
    return [tuple(each) for each in np.unique(bits.astype(int), axis=0).tolist()]


def _downhill(levels: list[Bits], sample: Numbers, costs: Costs) -> list[Bits]:
    """The levels, each made finer or coarser for as long as that helps."""
    levels = list(levels)
    improved = True
    while improved:
        improved = False
        for index, level in enumerate(levels):
            tried = [level, *_neighbours(level)]
            others = [*levels[:index], *levels[index + 1 :]]
            levels[index] = tried[costs.with_one_more(sample, others, tried).argmin()]
            improved |= levels[index] != level
    return levels


def _neighbours(bits: Bits) -> list[Bits]:
    steps = [
        (*bits[:place], bits[place] + step, *bits[place + 1 :])
        for place in range(len(bits))
        for step in (1, -1)
    ]
    both = [tuple(each + step for each in bits) for step in (1, -1)]
    return [each for each in (*steps, *both) if all(0 <= bit <= FINEST for bit in each)]
