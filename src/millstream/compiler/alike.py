"""Items that no fold tells apart, taken together before folds choose among them.

Where all that folds ask of items is how numbers compare with constants, two items between the same
constants are wanted by the same folds. Each axis is divided into cells, and the cells between two
constants are one run:

  constants        ↓        ↓ ↓                ↓
  cells     |  |  |x |  |  |xx|  |  |  |  |  |x |  |  |
  runs       0  0     1  1     2  2  2  2  2     3  3

Items of one run on each axis are folded into one, and the folds choose among what is left. Items in
a cell that holds a constant go together only with those of the same number. A number's cell is
computed by operations that keep the order of numbers, so that a number in another cell than a
constant is on the same side of it as its cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from millstream.algebra.expressions import Expression
from millstream.algebra.walk import conjuncts
from millstream.compiler.comparisons import ComparedAs, compared_as
from millstream.compiler.constants import Constant
from millstream.compiler.conversions import double
from millstream.compiler.costs import CANDIDATE, PAIR, PROBE, Numbers
from millstream.compiler.grid import Axis, cell_sql
from millstream.compiler.lookups import Condition, conditions_of
from millstream.compiler.names import nearest_double
from millstream.compiler.scope import Scope

CELLS = 4096
"""How many cells an axis has."""
TOGETHER = 400.0
"""Nanoseconds to find an item's runs, and to fold it with others of the same, as measured."""
GROUP = 1_500.0
"""To pass on what was folded together."""
MATCH = 200.0
"""To fold an item for one more fold that wants it."""

_NUMBERS = (ComparedAs.INTEGERS, ComparedAs.DOUBLES)
_AXIS = (("low", "DOUBLE"), ("scale", "DOUBLE"), ("last", "DOUBLE"), ("runs", "ARRAY<INT>"))


@dataclass(frozen=True, slots=True)
class Dimension:
    """A number of an item, and the conditions that compare it with constants."""

    path: str
    view: str
    """Its column in the batch, in SQL."""
    number: str
    """The number as a double, over a row b."""
    conditions: tuple[Condition, ...]

    def thresholds(self, constants: Sequence[Sequence[Constant]]) -> Numbers:
        """All constants that it is compared with, each once, in order."""
        found = {
            nearest_double(value)
            for each in constants
            for condition in self.conditions
            if not isinstance(value := each[condition.constant], str)
        }
        return np.array(sorted(each for each in found if each == each), np.float64)


def dimensions_of(predicates: Sequence[Expression], scope: Scope) -> tuple[Dimension, ...]:
    """The numbers that predicates compare with constants; none if they ask for something else."""
    found: dict[str, list[Condition]] = {}
    for predicate in predicates:
        conditions = tuple(conditions_of(predicate, scope))
        if len(conditions) < len(conjuncts(predicate)):
            return ()
        for each in conditions:
            if each.item.view is None or compared_as(each.item, each.value) not in _NUMBERS:
                return ()
            found.setdefault(each.item.view, []).append(each)
    return tuple(
        Dimension(all[0].path, view, double(all[0].item), tuple(all)) for view, all in found.items()
    )


def run_sql(dimension: Dimension, place: int, table: str) -> str:
    """The run of an item b on an axis; null in a cell that holds a constant."""
    low, scale, last, runs = (f"{table}.{name}{place}" for name, _ in _AXIS)
    return f"get({runs}, CAST({cell_sql(dimension.number, low, scale, last)} AS INT))"


def axis_columns(dimensions: int) -> tuple[tuple[str, str], ...]:
    """Names and SQL types of what is told of the axes."""
    return tuple((f"{name}{place}", type) for place in range(dimensions) for name, type in _AXIS)


def axis_values(
    dimensions: Sequence[Dimension], constants: Sequence[Sequence[Constant]]
) -> dict[str, float | list[int | None]]:
    """What is told of the axes, for folds given by their constants."""
    told: dict[str, float | list[int | None]] = {}
    for place, dimension in enumerate(dimensions):
        thresholds = dimension.thresholds(constants)
        axis = _axis(thresholds)
        told[f"low{place}"], told[f"scale{place}"] = axis.low, axis.scale
        told[f"last{place}"], told[f"runs{place}"] = axis.last, _runs(axis, thresholds)
    return told


def _axis(thresholds: Numbers) -> Axis:
    finite = thresholds[np.isfinite(thresholds)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    width = (high - low) / CELLS
    if not 1e-300 < width < 1e300:
        width = max(1.0, abs(low) * 2.0**-20) / CELLS
    return Axis(low - width, 1.0 / width, float(CELLS + 1))


def _runs(axis: Axis, thresholds: Numbers) -> list[int | None]:
    held = np.zeros(axis.cells, bool)
    held[axis.cell(thresholds)] = True
    # What is not a number, or none at all, is in the last cell.
    held[-1] = True
    runs = np.cumsum(held)
    return [None if hold else int(run) for hold, run in zip(held, runs, strict=True)]


@dataclass(frozen=True, slots=True)
class Expected:
    """What may be expected of a step."""

    items: int
    folds: int
    matches: float
    """How many folds want an item."""
    groups: float
    """How many groups of items the folds do not tell apart."""

    @property
    def together(self) -> bool:
        """True if it pays to take items together that no fold tells apart."""
        found = min(PAIR * self.folds, PROBE + 2 * CANDIDATE * self.matches)
        matched = found + MATCH * self.matches
        return self.items * TOGETHER + self.groups * (GROUP + matched) < self.items * matched


Bounds = Mapping[str, tuple[float, float]]
"""The least and the greatest number that the items of a step have, by path."""


def expected(
    dimensions: Sequence[Dimension],
    constants: Sequence[Sequence[Constant]],
    bounds: Bounds,
    items: int,
    slices: float,
) -> Expected | None:
    """What to expect of so many items in so many slices; None if nothing is known of them.

    Numbers are taken to be spread evenly, and independently of each other.
    """
    runs, held = max(1.0, slices), 0.0
    shares: npt.NDArray[np.float64] = np.ones(len(constants))
    for dimension in dimensions:
        if dimension.path not in bounds:
            return None
        low, high = bounds[dimension.path]
        thresholds = dimension.thresholds(constants)
        inside = float(((thresholds >= low) & (thresholds <= high)).sum())
        runs *= inside + 1
        held += inside / CELLS
        shares *= [_share(dimension, each, low, high) for each in constants]
    groups = min(float(items), runs + items * min(1.0, held))
    return Expected(items, len(constants), float(shares.sum()), groups)


def _share(
    dimension: Dimension, constants: Sequence[Constant], least: float, greatest: float
) -> float:
    """The share of the numbers between two for which all conditions hold."""
    low, high = least, greatest
    for condition in dimension.conditions:
        value = constants[condition.constant]
        if isinstance(value, str) or condition.operator == "!=":
            continue
        number = nearest_double(value)
        if condition.operator in (">", ">=", "="):
            low = max(low, number)
        if condition.operator in ("<", "<=", "="):
            high = min(high, number)
    if low >= high:
        return 1.0 if low == high == least == greatest else 0.0
    return (high - low) / (greatest - least)
