"""Durations as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.tags.duration import LONGEST, format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 min", 60_000_000),
        ("30 min", 1_800_000_000),
        ("2 h", 7_200_000_000),
        ("0.5 s", 500_000),
        ("3 Hours", 10_800_000_000),
        ("10ms", 10_000),
        ("1 day", 86_400_000_000),
    ],
)
def test_duration_is_read(text: str, expected: int) -> None:
    assert parse_duration(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-1 min", "not negative"),
        ("1 mim", "did you mean 'min'"),
        ("min", "not a duration"),
        ("1", "not a duration"),
        ("0.1 us", "whole microseconds"),
        ("9999999999 d", "at most"),
    ],
)
def test_bad_duration_is_explained(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_duration(text)


@given(st.integers(0, LONGEST))
def test_printed_duration_is_read_again(microseconds: int) -> None:
    assert parse_duration(format_duration(microseconds)) == microseconds


@pytest.mark.parametrize(
    ("microseconds", "expected"), [(60_000_000, "1 min"), (90_000_000, "90 s"), (0, "0 s")]
)
def test_duration_is_printed_in_its_largest_unit(microseconds: int, expected: str) -> None:
    assert format_duration(microseconds) == expected
