"""Boxes on a grid: an item inside a box always has a cell that the box covers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from millstream.compiler.costs import Costs
from millstream.compiler.grid import Axis, Grid, cell_sql, lay
from millstream.compiler.names import double

MANY_ITEMS = Costs(1_000_000)
Box = tuple[tuple[float, float], ...]

edges = st.sampled_from(
    (0.0, -0.0, 1.0, -1.0, 0.5, 1 / 3, 2.0**53, 2.0**53 + 2, 2.0**63, 1e308, -1e308, 5e-324, 1e-300)
)
numbers = edges | st.floats(-360, 360) | st.floats(allow_nan=False) | st.integers(-9, 9).map(float)
sides = st.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair)))


def laid(boxes: Sequence[Box], costs: Costs = MANY_ITEMS) -> Grid:
    lows = np.array([[low for low, _ in box] for box in boxes])
    highs = np.array([[high for _, high in box] for box in boxes])
    return lay(lows, highs, costs)


def cells_of(grid: Grid, item: Sequence[float]) -> set[int]:
    """The cells of an item, one on each level."""
    found = set()
    for base, level in zip(grid.bases, grid.levels, strict=True):
        indexes = [
            int(axis.cell(np.array([item[dimension]]))[0])
            for axis, dimension in zip(level.axes, grid.dimensions, strict=True)
        ]
        found.add(base + sum(np.multiply(indexes, level.strides).tolist()))
    return found


def boxes_at(grid: Grid, item: Sequence[float]) -> list[int]:
    cells = cells_of(grid, item)
    pairs = zip(grid.boxes.tolist(), grid.cells.tolist(), strict=True)
    return [box for box, cell in pairs if cell in cells]


def holds(box: Box, item: Sequence[float]) -> bool:
    return all(low <= number <= high for (low, high), number in zip(box, item, strict=True))


@settings(max_examples=300)
@given(
    st.integers(1, 4).flatmap(
        lambda dimensions: st.tuples(
            st.lists(st.tuples(*[sides] * dimensions), min_size=1, max_size=12),
            st.lists(st.tuples(*[numbers] * dimensions), max_size=6),
        )
    )
)
@example(([((math.inf, math.inf),), ((-math.inf, math.inf),), ((0.0, 1.0),)], [(math.inf,)]))
@example(([((1e308, 1.7e308),), ((-1.7e308, -1e308),)], [(0.0,), (1.7e308,)]))
def test_no_item_misses_a_box(given: tuple[list[Box], list[tuple[float, ...]]]) -> None:
    boxes, items = given
    grid = laid(boxes)
    corners = [tuple(side[end] for side in box) for box in boxes for end in (0, 1)]
    for item in (*items, *corners):
        found = boxes_at(grid, item)
        assert len(found) == len(set(found)), "an item meets a box once"
        assert {number for number, box in enumerate(boxes) if holds(box, item)} <= set(found)


def test_boxes_with_nan_hold_nothing() -> None:
    grid = laid([((math.nan, 1.0),), ((0.0, 1.0),), ((0.0, math.nan),)])
    assert set(grid.boxes.tolist()) == {1}


def test_one_cell_away_nothing_is_found() -> None:
    boxes = [((float(x), x + 0.5), (float(y), y + 0.5)) for x in range(20) for y in range(20)]
    grid = laid(boxes)
    assert boxes_at(grid, (-5.0, 3.0)) == [], "what lies outside meets no box"
    assert 1 <= len(boxes_at(grid, (3.25, 4.25))) <= 9


def test_boxes_of_very_different_sizes_lie_on_different_levels() -> None:
    small = [((x / 10, x / 10 + 0.001),) for x in range(1000)]
    large = [((float(x), x + 70.0),) for x in range(20)]
    grid = laid([*small, *large])
    assert len(grid.levels) > 1
    assert len(grid.cells) < 20_000


def test_one_box_far_away_does_not_spoil_the_grid() -> None:
    boxes: list[Box] = [((x / 10, x / 10 + 0.1),) for x in range(1000)]
    grid = laid([*boxes, ((-1e300, 1e300),)])
    assert len(boxes_at(grid, (50.05,))) <= 12


def test_only_dimensions_that_tell_boxes_apart_are_used() -> None:
    grid = laid([((0.0, 1.0), (float(x), x + 1.0)) for x in range(200)])
    assert grid.dimensions == (1,)


def test_few_items_are_worth_few_cells() -> None:
    boxes: list[Box] = [((x / 10, x / 10 + 5), (x / 10, x / 10 + 5)) for x in range(1000)]
    assert len(laid(boxes, Costs(1000)).cells) < len(laid(boxes, Costs(1_000_000)).cells)


AXES = (
    Axis(-1.0, 3.0, 9.0),
    Axis(0.1, 1 / 3, 65537.0),
    Axis(-1e300, 2.0**-900, 17.0),
    Axis(5e-324, 1e300, 17.0),
    Axis(0.0, 0.0, 0.0),
)


@pytest.mark.spark
def test_spark_computes_the_same_cells(spark: SparkSession) -> None:
    random = np.random.default_rng(7)
    values = [0.0, -0.0, 1 / 3, 2.0**53 + 1, 1e308, -1e308, 5e-324, math.inf, -math.inf]
    values += (random.standard_normal(500) * 10.0 ** random.integers(-9, 9, 500)).tolist()
    # Numbers at the edges of cells, and just beside them.
    for axis in AXES[:2]:
        cuts = axis.low + np.arange(axis.cells) / axis.scale
        for cut in cuts[:300].tolist():
            values += [math.nextafter(cut, -math.inf), cut, math.nextafter(cut, math.inf)]
    spark.createDataFrame([(each,) for each in values], "x DOUBLE").createOrReplaceTempView("xs")
    columns = ", ".join(
        cell_sql("x", double(axis.low), double(axis.scale), double(axis.last)) for axis in AXES
    )
    expected = [tuple(int(axis.cell(np.array([x]))[0]) for axis in AXES) for x in values]
    assert [tuple(row) for row in spark.sql(f"SELECT {columns} FROM xs").collect()] == expected


@pytest.mark.spark
def test_nan_has_a_cell_and_no_error(spark: SparkSession) -> None:
    sql = cell_sql("double('NaN')", "0D", "1D", "7D")
    assert spark.sql(f"SELECT {sql}").collect()[0][0] == 7
