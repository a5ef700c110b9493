"""The store: versions, events, late and repeated arrival, holes that wait, fillers without one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from millstream.errors import ItemError
from millstream.history.filler_store import Arrival
from millstream.model.filler import FillerKey
from millstream.model.lifespan import Lifespan
from tests.history.credit import (
    ACCOUNT,
    ALL,
    LIMIT,
    PIZZA,
    RAISED,
    ROOT,
    STATUS,
    filler,
    store,
    time,
)

#          2003-01-01      2003-06-01
# LIMIT    [2000           )
# RAISED                   [5000 …
LIMITS = LIMIT.key


def test_a_version_ends_when_the_next_begins() -> None:
    versions = store(*ALL).versions(LIMITS)
    assert [(each.number, each.lifespan) for each in versions] == [
        (1, Lifespan(time("2003-01-01"), time("2003-06-01"))),
        (2, Lifespan(time("2003-06-01"))),
    ]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2002-12-31", []),
        ("2003-01-01", [LIMIT]),
        ("2003-05-31T23:59:59.999999", [LIMIT]),
        ("2003-06-01", [RAISED]),
        ("2099-01-01", [RAISED]),
    ],
)
def test_at_the_instant_of_change_the_new_version_holds(at: str, expected: list[object]) -> None:
    assert [each.filler for each in store(*ALL).versions_at(LIMITS, time(at))] == expected


@pytest.mark.parametrize(
    ("at", "count"), [("2003-01-31", 0), ("2003-02-01", 1), ("2003-02-01T00:00:01", 0)]
)
def test_an_event_holds_at_its_instant_only(at: str, count: int) -> None:
    assert len(store(*ALL).versions_at(PIZZA.key, time(at))) == count


def test_one_hole_holds_many_events() -> None:
    second = replace(PIZZA, valid_time=time("2003-03-01"))
    versions = store(*ALL, second).versions(PIZZA.key)
    assert [each.lifespan for each in versions] == [
        Lifespan.at(time("2003-02-01")),
        Lifespan.at(time("2003-03-01")),
    ]


def test_a_late_version_renumbers_the_others() -> None:
    late = filler(2, 4, "2003-03-01", "<creditLimit>3000</creditLimit>")
    versions = store(*ALL, late).versions(LIMITS)
    assert [(each.number, each.filler) for each in versions] == [
        (1, LIMIT),
        (2, late),
        (3, RAISED),
    ]


@pytest.mark.parametrize("again", ALL)
def test_a_repeated_filler_is_ignored(again: object) -> None:
    filled = store(*ALL)
    assert filled.add(again) is Arrival.REPEATED  # type: ignore[arg-type]
    assert len(filled) == len(ALL)


def test_equal_content_written_otherwise_is_a_repetition() -> None:
    filled = store(filler(1, 2, "2003-01-01", '<account a="1" b="2"><customer/></account>'))
    other = filler(1, 2, "2003-01-01", "<account b='2' a=\"1\"><customer></customer></account>")
    assert filled.add(other) is Arrival.REPEATED


def test_other_content_at_the_same_instant_replaces_a_version() -> None:
    filled = store(*ALL)
    corrected = replace(LIMIT, content="<creditLimit>2500</creditLimit>")
    assert filled.add(corrected) is Arrival.REPLACED
    assert [each.filler for each in filled.versions(LIMITS)] == [corrected, RAISED]


def test_other_content_at_the_same_instant_is_another_event() -> None:
    filled = store(*ALL)
    other = replace(PIZZA, content="<transaction><vendor>Books</vendor></transaction>")
    assert filled.add(other) is Arrival.NEW
    assert [each.filler for each in filled.versions(PIZZA.key)] == [PIZZA, other]


def test_every_order_of_arrival_gives_the_same_versions() -> None:
    expected = {key: store(*ALL).versions(key) for key in store(*ALL)}
    for order in permutations(ALL):
        filled = store(*order)
        assert {key: filled.versions(key) for key in filled} == expected


def test_a_hole_waits_for_its_filler() -> None:
    filled = store(ROOT, ACCOUNT)
    assert filled.unfilled() == (LIMIT.key,)
    assert filled.versions(LIMIT.key) == ()


def test_a_filler_may_come_before_its_hole() -> None:
    filled = store(LIMIT, ROOT)
    assert [entry.code for entry in filled.unplaced()] == ["no-hole"]
    filled.add(ACCOUNT)
    assert filled.unplaced() == ()


def test_an_event_without_a_hole_is_told() -> None:
    stranger = replace(PIZZA, id=99)
    (entry,) = store(*ALL, stranger).unplaced()
    assert entry.code == "no-hole"
    assert entry.reason == (
        "event transaction of filler 99 (2003-02-01T00:00:00) has no hole: "
        "no account has one with its id"
    )


def test_a_filler_for_the_hole_of_another_tag_is_told() -> None:
    stranger = filler(3, 4, "2003-02-01", "<creditLimit>1</creditLimit>")
    (entry,) = store(*ALL, stranger).unplaced()
    assert "hole 3 is for transaction (tsid 5)" in entry.reason


def test_a_bad_filler_is_refused_and_changes_nothing() -> None:
    filled = store(*ALL)
    with pytest.raises(ItemError):
        filled.add(replace(STATUS, tsid=99))
    assert (len(filled), FillerKey(4, 99) in filled) == (len(ALL), False)


def test_now_is_the_largest_time_seen() -> None:
    assert (store().now, store(RAISED, LIMIT).now) == (None, RAISED.valid_time)


def test_the_first_version_of_the_root_was_always_there() -> None:
    later = replace(ROOT, valid_time=time("2004-01-01"), content="<creditAccounts/>")
    filled = store(ROOT, later)
    assert [each.lifespan for each in filled.versions(ROOT.key)] == [
        Lifespan(None, time("2004-01-01")),
        Lifespan(time("2004-01-01")),
    ]
    assert [each.filler for each in filled.versions_at(ROOT.key, time("1900-01-01"))] == [ROOT]
