"""Windows made of other windows: three ways, and the windows themselves, give the same."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.errors import InternalError
from millstream.model.window import WindowKind, WindowSpec
from millstream.sharing.window_reuse import (
    Reuse,
    composed,
    reusable,
    reuse,
    select_by_buffer,
    select_by_number,
    slices,
    tiles,
)

Items = list[tuple[int, int]]
"""Ticks and values, in the order of ticks."""


def spec(size: int, step: int) -> WindowSpec:
    return WindowSpec(WindowKind.DIFF, size, step, ("t",))


def windows(one: WindowSpec, items: Items) -> list[tuple[int, tuple[int, ...]]]:
    """Every window up to the last item with what it holds, computed from the items."""
    last = items[-1][0] if items else -1
    starts = range(0, last + 1, one.step)
    return [
        (start, tuple(value for tick, value in items if start <= tick < start + one.size))
        for start in starts
    ]


@st.composite
def compatible(draw: st.DrawFn) -> tuple[WindowSpec, WindowSpec]:
    """New windows and reused ones that they can be made of."""
    step, count = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    advance = draw(st.integers(1, 9))
    apart = draw(st.integers(1, 4))
    size = apart * step if count > 1 else draw(st.integers(1, 9))
    return spec(size * count, step * advance), spec(size, step)


ITEMS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), max_size=40).map(
    lambda items: sorted(items, key=lambda item: item[0])
)


@given(compatible(), ITEMS)
def test_windows_by_key_are_the_windows(pair: tuple[WindowSpec, WindowSpec], items: Items) -> None:
    new, old = pair
    held = {start: contents for start, contents in windows(old, items) if contents}
    made = [
        (start, tuple(each for part in parts for each in part))
        for start, parts in composed(new, old, held)
    ]
    assert made == [(start, contents) for start, contents in windows(new, items) if contents]


@given(compatible(), ITEMS)
def test_windows_by_position_are_the_windows(
    pair: tuple[WindowSpec, WindowSpec], items: Items
) -> None:
    new, old = pair
    reused = [contents for _, contents in windows(old, items)]
    expected = [contents for _, contents in windows(new, items)]
    for select in (select_by_buffer, select_by_number):
        made = [sum(parts, ()) for parts in select(new, old, reused)]
        assert made == expected, select.__name__


@given(compatible(), st.integers(0, 40))
def test_all_ways_choose_the_same(pair: tuple[WindowSpec, WindowSpec], count: int) -> None:
    new, old = pair
    starts = [number * old.step for number in range(count)]
    by_key = [parts for _, parts in composed(new, old, {each: each for each in starts})]
    assert list(select_by_buffer(new, old, starts)) == by_key
    assert list(select_by_number(new, old, starts)) == by_key


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_only_compatible_windows_are_made_of_each_other(
    new_size: int, new_step: int, old_size: int, old_step: int
) -> None:
    new, old = spec(new_size, new_step), spec(old_size, old_step)
    starts = set(range(0, 3000, old.step))
    parts = [range(start, start + new.size, old.size) for start in (0, new.step, 7 * new.step)]
    paved = new.size % old.size == 0 and all(starts.issuperset(each) for each in parts)
    assert reusable(new, old) == paved


def test_the_printed_example() -> None:
    plan = reuse(spec(80, 20), spec(40, 10))
    assert plan == Reuse(count=2, apart=4, advance=2)
    assert plan.span == 5
    assert list(islice(select_by_buffer(spec(80, 20), spec(40, 10), range(9)), 3)) == [
        (0, 4),
        (2, 6),
        (4, 8),
    ]


@pytest.mark.parametrize("select", [select_by_buffer, select_by_number])
def test_averages_of_twenty_make_averages_of_sixty(select) -> None:  # type: ignore[no-untyped-def]
    chosen = list(select(spec(60, 40), spec(20, 10), range(13)))
    assert chosen == [(0, 2, 4), (4, 6, 8), (8, 10, 12), (12,)]


@pytest.mark.parametrize("select", [select_by_buffer, select_by_number])
def test_what_lies_between_windows_is_skipped(select) -> None:  # type: ignore[no-untyped-def]
    assert list(select(spec(20, 50), spec(10, 10), range(12))) == [(0, 1), (5, 6), (10, 11)]


def test_only_what_a_later_window_needs_is_read_ahead() -> None:
    arriving = iter(range(100))
    assert next(select_by_number(spec(20, 50), spec(10, 10), arriving)) == (0, 1)
    assert next(arriving) == 2


def test_windows_are_made_of_those_that_start_inside_them() -> None:
    assert tiles(spec(60, 40), spec(20, 10), 2) == (80, 100, 120)


def test_windows_that_cannot_be_made_are_not() -> None:
    with pytest.raises(InternalError, match="cannot be made of"):
        tiles(spec(60, 40), spec(40, 10), 0)


def test_slices_are_cut_at_all_edges() -> None:
    # t   0    10   20   30   40
    #     [----20---)
    #          [----20---)
    #     [---15--)
    #                    [---15--)
    assert slices([spec(20, 10), spec(15, 30)], 40) == (
        (0, 10),
        (10, 15),
        (15, 20),
        (20, 30),
        (30, 40),
    )


def test_no_slice_lies_where_no_window_does() -> None:
    assert slices([spec(3, 10), spec(5, 20)], 25) == ((0, 3), (3, 5), (10, 13), (20, 23), (23, 25))


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=3))
def test_every_window_is_made_of_slices(numbers: list[tuple[int, int]]) -> None:
    specs = [spec(size, step) for size, step in numbers]
    pieces = slices(specs, 60)
    covered = {tick for start, end in pieces for tick in range(start, end)}
    assert sum(end - start for start, end in pieces) == len(covered)
    for each in specs:
        for start in range(0, 60 - each.size, each.step):
            inside = [piece for piece in pieces if start <= piece[0] < start + each.size]
            ticks = [tick for piece in inside for tick in range(*piece)]
            assert ticks == list(range(start, start + each.size))
