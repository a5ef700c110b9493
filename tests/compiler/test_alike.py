"""Items that no fold tells apart: runs between constants, and when they are taken together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.compiler.alike import CELLS, Dimension, Expected, axis_values, expected
from millstream.compiler.branch import compile_branch
from millstream.compiler.constants import Constant
from millstream.compiler.fold_statement import FoldStatement
from millstream.compiler.grid import Axis
from millstream.languages.xquery import compile_text
from tests.languages.streams import Streams


def dimensions(selection: str, window: str = "det_time diff 20") -> tuple[Dimension, ...]:
    """By what the photons of a selection can be taken together."""
    source = f'stream("photons")/photons/photon[{selection}]'
    text = f"for $w in {source}|{window}| return <a>{{ sum($w/en) }}</a>"
    (branch,) = compile_text(text, Streams()).branches
    (statement,) = compile_branch(branch).statements.values()
    assert isinstance(statement, FoldStatement)
    return statement.fold.slices.dimensions


@pytest.mark.parametrize(
    ("selection", "paths"),
    [
        ("en >= 1", ["en"]),
        ("en >= 1 and en < 2 and phc = 3", ["en", "phc"]),
        ("1 != phc and coord/cel/ra > 2.5", ["coord/cel/ra", "phc"]),
        ("en >= 1 or phc = 3", []),
        ("en >= phc", []),
        ("en + 1 > 2", []),
        ("en >= 1 and en + 1 > 2", []),
    ],
)
def test_numbers_that_are_compared_with_constants_only(selection: str, paths: list[str]) -> None:
    assert sorted(each.path for each in dimensions(selection)) == paths


def test_counted_items_are_not_taken_together() -> None:
    assert dimensions("en >= 1", "count 20") == ()


ENERGY = dimensions("en >= 1")
NUMBERS = st.one_of(
    st.floats(),
    st.integers(-(2**63), 2**63 - 1).map(float),
    st.sampled_from((0.0, -0.0, 1.0, 1.5, math.nextafter(1.5, 2), 1e300, 5e-324)),
)


def place(told: dict[str, float | list[int | None]], number: float) -> int | None:
    """The run of a number on the first axis."""
    low, scale, last, runs = (told[f"{name}0"] for name in ("low", "scale", "last", "runs"))
    assert isinstance(runs, list) and not any(isinstance(each, list) for each in (low, scale, last))
    if math.isnan(number):
        return runs[-1]
    (cell,) = Axis(low, scale, last).cell(np.array([number]))  # type: ignore[arg-type]
    return runs[cell]


@given(st.lists(NUMBERS, min_size=1, max_size=8), st.lists(NUMBERS, min_size=2, max_size=20))
def test_numbers_of_one_run_compare_alike(constants: list[float], numbers: list[float]) -> None:
    told = axis_values(ENERGY, [(each,) for each in constants])
    runs: dict[int, list[float]] = {}
    for number in numbers:
        run = place(told, number)
        if run is not None:
            runs.setdefault(run, []).append(number)
    for members in runs.values():
        for constant in constants:
            assert len({(each < constant, each == constant) for each in members}) == 1


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8))
def test_most_numbers_are_in_a_run(constants: list[float]) -> None:
    told = axis_values(ENERGY, [(each,) for each in constants])
    runs = told["runs0"]
    assert isinstance(runs, list)
    assert sum(each is None for each in runs) <= len(constants) + 1
    assert len(runs) == CELLS + 2


def thresholds(number: int, low: float, high: float) -> list[tuple[Constant, ...]]:
    return [(low + (high - low) * place / number,) for place in range(number)]


def boxes(number: int, width: float) -> list[tuple[Constant, ...]]:
    """Ranges of two numbers, at places that are not in line."""
    return [
        (low, low + width, other, other + width)
        for low, other in ((number % 97 / 97, number % 89 / 89) for number in range(number))
    ]


BOUNDS = {"en": (0.0, 1.0), "phc": (0.0, 1.0), "det_time": (0.0, 1000.0)}
ONE = "en >= 1"
BOX = "en >= 1 and en <= 2 and phc >= 3 and phc <= 4"


@pytest.mark.parametrize(
    ("selection", "constants", "together"),
    [
        # Measured with 200,000 items: 1.4 and 2.0 seconds of work become 0.5, 9.4 become 1.2 …
        (ONE, thresholds(16, 0.0, 0.2), True),
        (ONE, thresholds(64, 0.0, 1.0), True),
        (ONE, thresholds(200, 0.0, 0.2), True),
        # … but 0.4 would become 0.5, and 0.5 would become 0.8.
        (ONE, thresholds(4, 0.8, 1.0), False),
        (BOX, boxes(64, 0.1), False),
    ],
)
def test_items_are_taken_together_where_that_was_seen_to_pay(
    selection: str, constants: Sequence[tuple[Constant, ...]], together: bool
) -> None:
    found = expected(dimensions(selection), constants, BOUNDS, 200_000, 100)
    assert found is not None
    assert found.together == together


def test_what_is_expected_of_numbers_spread_evenly() -> None:
    found = expected(dimensions(ONE), [(0.25,), (0.75,)], BOUNDS, 1000, 10)
    assert found is not None
    assert (found.matches, found.folds) == (1.0, 2)
    assert found.groups == pytest.approx(30 + 1000 * 2 / CELLS)


def test_nothing_is_expected_of_unknown_items() -> None:
    assert expected(dimensions(ONE), [(0.25,)], {}, 1000, 10) is None


def test_one_fold_takes_each_item_by_itself() -> None:
    assert not Expected(items=1000, folds=1, matches=1.0, groups=20).together
