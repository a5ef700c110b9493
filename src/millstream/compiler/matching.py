"""How the items of a batch meet the channels of a signature: tried one by one, or looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from millstream.compiler.constants import Constant
from millstream.compiler.costs import Costs, Numbers
from millstream.compiler.grid import Grid, cell_sql, lay
from millstream.compiler.lookups import Key, Lookups, Range
from millstream.compiler.names import nearest_double
from millstream.compiler.rows import CHANNELS

CELL = "cell"
"""The column of a channel's cells, beside its own columns."""
_AXIS_COLUMNS = (("low", "DOUBLE"), ("scale", "DOUBLE"), ("last", "DOUBLE"), ("stride", "BIGINT"))


@dataclass(frozen=True, slots=True)
class Matching:
    """The way chosen for a signature and its channels."""

    sql: str
    """What joins a batch b to candidates c among the channels, with CHANNELS for their view."""
    description: str
    grid: Grid | None = None

    def __str__(self) -> str:
        return self.description


def nested_loop(channels: int) -> Matching:
    """Every item with every channel."""
    return Matching(f" CROSS JOIN {CHANNELS} c", f"nested loop over {_counted(channels)}")


def cells_view(channels: str) -> str:
    """The view of the cells that channels cover, each with all columns of its channel."""
    return f"{channels}_cells"


def levels_view(channels: str) -> str:
    """The view of the levels of the channels' grid."""
    return f"{channels}_levels"


def level_columns(grid: Grid) -> tuple[tuple[str, str], ...]:
    """Names and SQL types of the columns of the levels' view."""
    numbers = [
        (f"{name}{place}", type)
        for place in range(len(grid.dimensions))
        for name, type in _AXIS_COLUMNS
    ]
    return ("base", "BIGINT"), *numbers


def level_rows(grid: Grid) -> list[dict[str, int | float]]:
    """The rows of the levels' view."""
    rows = []
    for base, level in zip(grid.bases, grid.levels, strict=True):
        row: dict[str, int | float] = {"base": base}
        for place, (axis, stride) in enumerate(zip(level.axes, level.strides, strict=True)):
            values = (axis.low, axis.scale, axis.last, stride)
            names = (name for name, _ in _AXIS_COLUMNS)
            row.update((f"{name}{place}", each) for name, each in zip(names, values, strict=True))
        rows.append(row)
    return rows


def choose_matching(
    lookups: Lookups, channels: Sequence[Sequence[Constant]], items: int
) -> Matching:
    """The cheapest way for channels, given by their constants, and about so many items."""
    costs = Costs(items, _share(lookups.keys, channels))
    count = len(channels)
    cost = costs.hash_join(count) if lookups.keys else costs.nested_loop(count)
    if lookups.ranges and cost > costs.least_grid(count):
        grid = lay(*_boxes(lookups.ranges, channels), costs)
        if grid.cost < cost:
            return _on_grid(lookups, grid, count)
    return _hash_join(lookups.keys, count) if lookups.keys else nested_loop(count)


def _hash_join(keys: Sequence[Key], channels: int) -> Matching:
    paths = ", ".join(each.path for each in keys)
    return Matching(
        f" JOIN {CHANNELS} c ON {' AND '.join(_equal(keys))}",
        f"hash join on {paths} with {_counted(channels)}",
    )


def _on_grid(lookups: Lookups, grid: Grid, channels: int) -> Matching:
    ranges = [lookups.ranges[each] for each in grid.dimensions]
    cell = "l.base"
    for place, each in enumerate(ranges):
        column = cell_sql(each.number, f"l.low{place}", f"l.scale{place}", f"l.last{place}")
        cell += f" + {column} * l.stride{place}"
    known = (f"{each.number} IS NOT NULL" for each in ranges)
    joined = " AND ".join((f"c.{CELL} = {cell}", *known, *_equal(lookups.keys)))
    return Matching(
        f" CROSS JOIN {levels_view(CHANNELS)} l JOIN {cells_view(CHANNELS)} c ON {joined}",
        _described(lookups.keys, ranges, grid, channels),
        grid,
    )


def _equal(keys: Sequence[Key]) -> list[str]:
    return [f"{each.item} = {each.channel}" for each in keys]


def _boxes(
    ranges: Sequence[Range], channels: Sequence[Sequence[Constant]]
) -> tuple[Numbers, Numbers]:
    """The bounds of each channel, a row each."""
    constants = np.array(
        [[_number(each) for each in constants] for constants in channels], np.float64
    )
    lows = np.stack([constants[:, each.lows].max(axis=1) for each in ranges], axis=1)
    highs = np.stack([constants[:, each.highs].min(axis=1) for each in ranges], axis=1)
    return lows, highs


def _number(constant: Constant) -> float:
    # Texts are constants of other conditions.
    return 0.0 if isinstance(constant, str) else nearest_double(constant)


def _share(keys: Sequence[Key], channels: Sequence[Sequence[Constant]]) -> float:
    """The share of the channels that have an item's keys, if items are as channels want them."""
    if not keys:
        return 1.0
    found = Counter(tuple(constants[key.constant] for key in keys) for constants in channels)
    return sum(count * count for count in found.values()) / len(channels) ** 2


def _described(keys: Sequence[Key], ranges: Sequence[Range], grid: Grid, channels: int) -> str:
    paths = ", ".join(each.path for each in ranges)
    sizes = ", ".join("×".join(str(2**bits) for bits in level.bits) for level in grid.levels)
    within = f" within {', '.join(each.path for each in keys)}" if keys else ""
    plural = "s" if len(ranges) > 1 else ""
    return (
        f"grid of {len(ranges)} dimension{plural} {paths}{within}, levels of {sizes} cells,"
        f" {len(grid.cells) / channels:.1f} cells a channel over {_counted(channels)}"
    )


def _counted(channels: int) -> str:
    return "1 channel" if channels == 1 else f"{channels:,} channels"
