"""Which edges windows have in common, and the slices between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.slices import Cut, cuts_of, slice_of

WINDOWS = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("windows", "expected"),
    [
        ([(20, 10)], (Cut(10),)),
        ([(20, 10), (60, 40), (60, 60)], (Cut(10),)),
        ([(20, 20), (30, 30)], (Cut(20), Cut(30))),
        ([(5, 30)], (Cut(30), Cut(30, 5))),
        ([(50, 20), (30, 45)], (Cut(20), Cut(20, 10), Cut(45), Cut(45, 30))),
        ([(50, 20), (30, 45), (7, 10)], (Cut(10), Cut(10, 7), Cut(45), Cut(45, 30))),
    ],
)
def test_few_cuts_have_all_edges(windows: list[tuple[int, int]], expected: tuple[Cut]) -> None:
    assert cuts_of(windows) == expected


def test_many_windows_are_cut_at_multiples_of_what_divides_them() -> None:
    windows = [(6, step) for step in (26, 34, 38, 46, 58, 62, 74)]
    assert cuts_of(windows) == (Cut(2),)


@given(WINDOWS, st.integers(0, 200))
def test_a_slice_begins_at_the_last_edge(windows: list[tuple[int, int]], tick: int) -> None:
    edges = {0}
    for size, step in windows:
        edges |= {k * step for k in range(tick + 1)} | {k * step + size for k in range(tick + 1)}
    cuts = cuts_of(windows)
    start = slice_of(cuts, tick)
    last = max(edge for edge in edges if edge <= tick)
    # Before the first window has ended there may be an edge that is none.
    assert last <= start <= tick
    if tick >= max(size for size, _ in windows) and len(cuts) > 1:
        assert start == last


@given(WINDOWS, st.integers(0, 200), st.integers(0, 200))
def test_ticks_of_a_slice_are_in_the_same_windows(
    windows: list[tuple[int, int]], one: int, other: int
) -> None:
    cuts = cuts_of(windows)
    if slice_of(cuts, one) != slice_of(cuts, other):
        return
    for size, step in windows:
        assert holders(size, step, one) == holders(size, step, other)


def holders(size: int, step: int, tick: int) -> list[int]:
    return [k for k in range(tick // step + 1) if k * step <= tick < k * step + size]
