"""Runs of tagged tuples say the same as the tuples one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from millstream.runtime.tags.tagged_runs import runs_of

pieces = st.lists(st.tuples(st.integers(1, 200), st.integers(-1, 3)), min_size=1, max_size=8)


@given(pieces, st.integers(1, 300), st.randoms(use_true_random=False))
def test_runs_are_the_tuples(found: list[tuple[int, int]], longest: int, random: object) -> None:
    sets = np.array([number for length, number in found for _ in range(length)])
    steps = [random.randint(1, longest) for _ in sets]  # type: ignore[attr-defined]
    positions = np.cumsum(steps)
    runs = runs_of(positions, sets)
    if runs is None:
        return
    by_stretch: dict[int, list[dict[str, int]]] = {}
    for row in runs.table.to_pylist():
        by_stretch.setdefault(row["stretch"], []).append(row)
    for position, number in zip(positions.tolist(), sets.tolist(), strict=True):
        rows = by_stretch.get(position // runs.stretch, [])
        told = [row["tagset"] for row in rows if row["first"] <= position <= row["last"]]
        assert told == ([number] if number >= 0 else [])


def test_tuples_of_many_bytes_are_runs() -> None:
    positions = np.arange(10_000) * 137
    runs = runs_of(positions, np.arange(10_000) // 50)
    assert runs is not None
    assert runs.table.num_rows <= 3 * 200
    assert runs.stretch == 16_384


def test_tuples_with_sets_of_their_own_are_no_runs() -> None:
    numbers = np.arange(1000)
    assert runs_of(numbers, numbers) is None
    assert runs_of(numbers, np.full(1000, -1)) is None
    assert runs_of(numbers[:0], numbers[:0]) is None
