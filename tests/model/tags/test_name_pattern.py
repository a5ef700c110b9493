"""Patterns over names: what they match, and that none of them can stall a stream."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.tags.name_pattern import LONGEST_PATTERN, NamePattern
from tests.model.tags.samples import NAMES


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*", "anything", True),
        ("p.*", "p17", True),
        ("p", "p17", False),
        ("p1|p2", "p2", True),
        ("p[0-9]{2}", "p17", True),
        ("Pat(ients)?", "Patients", True),
        ("é+", "éé", True),
        (r"\*", "*", True),
        (r"\*", "x", False),
    ],
)
def test_pattern_matches_names_in_full(pattern: str, name: str, expected: bool) -> None:
    assert NamePattern(pattern).matches(name) is expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "write \\* for everything"),
        ("(a", "missing"),
        ("a**b(", "not a pattern"),
        (r"(a)\1", "backreferences"),
        ("(?=a)b", "looking ahead"),
        ("(?<!a)b", "looking ahead"),
        ("a{5000}", "repetition"),
        ("((a{99}){99}){99}", "repetition|too large"),
        ("[z-a]", "range"),
        (r"a\C", "half a character"),
        ("x" * (LONGEST_PATTERN + 1), "at most"),
        ("\ud800", "not a pattern"),
    ],
)
def test_bad_pattern_is_explained(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        NamePattern(pattern)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|a)*b", "(a+)+$", "a?a?a?" * 20 + "a" * 60 + "b"])
def test_no_pattern_backtracks(pattern: str) -> None:
    # An engine that backtracks would take longer than the universe has lasted.
    name = "a" * 5_000
    started = time.monotonic()
    assert not NamePattern(pattern.replace("$", "!")).matches(name)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("p1", ("p1",)),
        ("p1|p2|x-3", ("p1", "p2", "x-3")),
        (r"a\.b|c\|d", ("a.b", "c|d")),
        ("p.", None),
        ("*", None),
        (r"\d", None),
        ("a|(b)", None),
    ],
)
def test_listed_names_are_told(pattern: str, expected: tuple[str, ...] | None) -> None:
    assert NamePattern(pattern).names() == expected


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), NAMES)
def test_pattern_of_names_matches_them_alone(names: list[str], other: str) -> None:
    pattern = NamePattern.of_names(names)
    assert pattern.names() == tuple(names)
    assert all(map(pattern.matches, names))
    assert pattern.matches(other) is (other in names)
