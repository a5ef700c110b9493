"""Which windows close: the arithmetic against going through all windows one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from millstream.model.window import (
    Closing,
    EndRule,
    Progress,
    WindowKind,
    WindowSpec,
    closing_windows,
)

TICKS = st.integers(-3, 60)


def spec(size: int, step: int) -> WindowSpec:
    return WindowSpec(WindowKind.DIFF, size, step)


def closed(closing: Closing) -> list[int]:
    return list(range(closing.opens, closing.closes + 1))


# t   0    10   20   30   40
#     [w0       )
#          [w1       )
#               [w2       )
def test_windows_close_when_the_stream_has_passed_their_end() -> None:
    progress = Progress(closed_before=15, closed_now=35, last=35, ended=False)
    assert closed(closing_windows(spec(20, 10), 0, EndRule.RUN, progress)) == [0, 1]


def test_nothing_closes_before_the_first_item() -> None:
    progress = Progress(None, None, None, ended=True)
    assert closed(closing_windows(spec(20, 10), 0, EndRule.RUN, progress)) == []


@given(st.integers(1, 9), st.integers(1, 9), TICKS, TICKS, st.integers(0, 5))
def test_running_stream(size: int, step: int, one: int, other: int, first: int) -> None:
    before, now = sorted((one, other))
    expected = [k for k in range(first, 80) if before < k * step + size <= now]
    progress = Progress(before, now, now, ended=False)
    assert closed(closing_windows(spec(size, step), first, EndRule.RUN, progress)) == expected


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 60))
def test_ended_stream(size: int, step: int, last: int) -> None:
    progress = Progress(None, last, last, ended=True)
    full = [k for k in range(80) if k * step + size <= last]
    found = {rule: closed(closing_windows(spec(size, step), 0, rule, progress)) for rule in EndRule}
    assert found == {
        EndRule.CUT: full,
        EndRule.GATHER: [*full, len(full)],
        EndRule.RUN: [k for k in range(80) if k * step <= last],
    }
