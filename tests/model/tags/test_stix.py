"""Streaming tag indexes: as objects, as text, and built from what is tagged."""

from __future__ import annotations

import pytest
from hypothesis import given

from millstream.errors import ItemError
from millstream.model.tags import Reference, Stix, build_stix, format_stix, parse_stix
from tests.model.tags.samples import stixes

AFTER_TAG_JOIN = Stix(((Reference(1), Reference(2), Reference(3)), (Reference(4),)))
AFTER_JOIN = Stix(((Reference(1, (1, 2, 3)),), (Reference(1, (1, 4, 5)),)))


@pytest.mark.parametrize(
    ("stix", "expected"),
    [
        (AFTER_TAG_JOIN, "(4)2|(1-3)1"),
        (AFTER_JOIN, "(1:1,4-5)2|(1:1-3)1"),
        (Stix(((Reference(1), Reference(3), Reference(4)),)), "(1,3-4)1"),
        (Stix(((Reference(1, (2,)), Reference(2, (2,)), Reference(5)),)), "(1-2:2;5)1"),
        (Stix(((Reference(1, (2,)), Reference(3, (2,))),)), "(1:2;3:2)1"),
    ],
)
def test_stix_is_printed_and_read(stix: Stix, expected: str) -> None:
    assert format_stix(stix) == expected
    assert parse_stix(expected) == stix


@given(stixes())
def test_printed_stix_is_read_again(stix: Stix) -> None:
    assert parse_stix(format_stix(stix)) == stix


def test_space_and_order_do_not_matter() -> None:
    assert parse_stix(" (3, 1-2) 1 | (4) 2 ") == AFTER_TAG_JOIN


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected something like"),
        ("(1)2", "not numbered from 1 to 1"),
        ("(1)1|(2)1", "twice"),
        ("()1", "expected something like"),
        ("(0)1", "counted from 1"),
        ("(3-1)1", "reversed"),
        ("(1-999999999)1", "too long"),
        ("(1,1)1", "not in order"),
        ("(1:2;1)1", "not in order"),
        ("(1:2,2)1", "not in order"),
        ("(1:)1", "a number or a range"),
        ("(1:2:3)1", "a number or a range"),
        ("|".join(f"(1-90000){number}" for number in (1, 2)), "more than"),
    ],
)
def test_bad_stix_is_explained(text: str, reason: str) -> None:
    with pytest.raises(ItemError, match=reason):
        parse_stix(text)


def test_stix_is_built_from_tagged_tuples() -> None:
    whole: tuple[int, ...] = ()
    tuples = [{"t1": whole}, {"t1": whole}, {"t1": whole}, {"t2": whole}]
    assert build_stix(["t1", "t2"], tuples) == AFTER_TAG_JOIN


def test_stix_is_built_from_tagged_attributes() -> None:
    assert build_stix(["t1", "t2"], [{"t1": (1, 2, 3), "t2": (5, 4, 1)}]) == AFTER_JOIN


def test_references_of_a_tuple_are_told() -> None:
    assert AFTER_JOIN.references(1) == {1: (1, 2, 3), 2: (1, 4, 5)}
    assert AFTER_TAG_JOIN.references(4) == {2: ()}
    assert AFTER_TAG_JOIN.length == 4
