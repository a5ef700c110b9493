"""Windows made from partial aggregates are those made from the items, by the reference."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.window import EndRule
from millstream.testing.reference import evaluate
from tests.testing.photons import photons
from tests.testing.tiles import composed_query, direct_query, partial_query


def contents(time: int, number: int) -> str:
    energy = f"<en>{number}.{number % 7}</en>" if number % 3 else ""
    return f"{energy}<flux>{number % 4}</flux><det_time>{time}</det_time>"


@st.composite
def divisions(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Size and step of tiles, and of windows that they pave."""
    tile_step = draw(st.integers(1, 4))
    tile = tile_step * draw(st.integers(1, 3))
    return tile, tile_step, tile * draw(st.integers(1, 4)), tile_step * draw(st.integers(1, 5))


@given(
    division=divisions(),
    gaps=st.lists(st.sampled_from((0, 0, 1, 1, 2, 9)), max_size=30),
    ended=st.booleans(),
    empty=st.booleans(),
)
@settings(max_examples=150)
def test_composed_windows_are_the_direct_ones(
    division: tuple[int, int, int, int], gaps: list[int], ended: bool, empty: bool
) -> None:
    tile, tile_step, size, step = division
    times = [sum(gaps[: index + 1]) for index in range(len(gaps))]
    items = photons(*(contents(time, index) for index, time in enumerate(times)))
    expected = evaluate(direct_query(size, step, empty=empty), items, ended=ended).results
    tiles = evaluate(partial_query(tile, tile_step), items, ended=ended).results
    composed = composed_query(size, step, tile, empty=empty)
    found = evaluate(composed, [("windows", each) for each in tiles], ended=ended).results
    # Tiles without photons are not told of: before the end, windows may be given later.
    assert found == (expected if ended else expected[: len(found)])


# tick   0    10   20   30   40        windows of 20 every 10, from tiles of 10 and of 20
#        [t0  [t1  [t2  [t3  )
#        [w0       )
#             [w1       )


@pytest.mark.parametrize(("tile", "step"), [(10, 10), (20, 10), (5, 5)])
def test_tiles_pave_windows(tile: int, step: int) -> None:
    items = photons(*(contents(time, time) for time in range(0, 60, 3)))
    tiles = evaluate(partial_query(tile, step), items).results
    found = evaluate(composed_query(20, 10, tile), [("windows", each) for each in tiles]).results
    assert found == evaluate(direct_query(20, 10), items).results


def test_a_window_closes_with_its_last_tile() -> None:
    items = photons(*(contents(time, time) for time in (0, 12, 20, 31, 40)))
    tiles = evaluate(partial_query(10, 10), items, ended=False).results
    assert len(tiles) == 4
    composed = composed_query(20, 20, 10)
    found = evaluate(composed, [("windows", each) for each in tiles], ended=False).results
    assert found == evaluate(direct_query(20, 20), items, ended=False).results
    assert len(found) == 2


def test_an_end_rule_sees_the_ends_of_tiles() -> None:
    items = photons(*(contents(time, time) for time in (0, 12, 20, 31, 40, 47)))
    tiles = evaluate(partial_query(10, 10), items, end=EndRule.CUT).results
    composed = composed_query(20, 20, 10)
    for rule in (EndRule.CUT, EndRule.GATHER):
        found = evaluate(composed, [("windows", each) for each in tiles], end=rule).results
        assert found == evaluate(direct_query(20, 20), items, end=EndRule.CUT).results


def test_a_tile_that_comes_late_is_late_for_the_windows_it_paves() -> None:
    def tile(start: int) -> tuple[str, str]:
        return "windows", f"<window><start>{start}</start><n>1</n></window>"

    # Tile 5 paves nothing of [0,20) or [10,30): it is not late, it has no window.
    arrivals = [tile(0), tile(10), tile(20), tile(5), tile(0), tile(10)]
    outcome = evaluate(composed_query(20, 10, 10), arrivals)
    assert outcome.late == (4, 5)
