"""Runs of tagged tuples say the same as the tuples one by one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from millstream.runtime.tags.set_tables import STRETCH, TAGGED_FIELDS, runs_of

pieces = st.lists(
    st.tuples(st.integers(0, 70), st.integers(1, 200), st.integers(1, 3)), min_size=1, max_size=8
)


def tagged(found: list[tuple[int, int, int]]) -> pa.Table:
    """So many positions left out, then so many with a set, again and again."""
    positions: list[int] = []
    sets: list[int] = []
    at = 0
    for skipped, length, number in found:
        positions += range(at + skipped, at + skipped + length)
        sets += [number] * length
        at += skipped + length
    return pa.table([positions, sets], schema=TAGGED_FIELDS)


@given(pieces)
def test_runs_are_the_tuples(found: list[tuple[int, int, int]]) -> None:
    table = tagged(found)
    runs = runs_of(table)
    if runs is None:
        return
    assert len(runs) * 4 <= len(table)
    spread = [
        (position, row["tagset"])
        for row in runs.to_pylist()
        for position in range(row["first"], row["last"] + 1)
        if position // STRETCH == row["stretch"]
    ]
    assert spread == list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_tuples_with_sets_of_their_own_are_no_runs() -> None:
    numbers = np.arange(1000)
    assert runs_of(pa.table([numbers, numbers], schema=TAGGED_FIELDS)) is None
    assert runs_of(TAGGED_FIELDS.empty_table()) is None
    together = runs_of(pa.table([numbers, numbers // 50], schema=TAGGED_FIELDS))
    assert together is not None
    assert together.num_rows <= 36
