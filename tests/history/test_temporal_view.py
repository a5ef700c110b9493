"""The temporal view, the document at an instant, and what changed between two."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lxml import etree

from millstream.errors import StateError
from millstream.history.difference import difference
from millstream.history.temporal_view import lifespan_of, materialize, snapshot
from millstream.model.lifespan import Lifespan
from tests.history.credit import ACCOUNT, ALL, LIMIT, PIZZA, ROOT, STATUS, store, time

VIEW = (
    "<creditAccounts>"
    '<account id="7" vtFrom="2003-01-01T00:00:00" vtTo="now">'
    "<customer>Smith</customer>"
    '<creditLimit vtFrom="2003-01-01T00:00:00" vtTo="2003-06-01T00:00:00">2000</creditLimit>'
    '<creditLimit vtFrom="2003-06-01T00:00:00" vtTo="now">5000</creditLimit>'
    '<transaction vtFrom="2003-02-01T00:00:00" vtTo="2003-02-01T00:00:00">'
    "<vendor>Pizza</vendor>"
    '<status vtFrom="2003-02-02T00:00:00" vtTo="now">charged</status>'
    "<amount>38.20</amount>"
    "</transaction></account></creditAccounts>"
)
CLOSED = replace(ROOT, valid_time=time("2004-01-01"), content="<creditAccounts/>")


def test_the_view_shows_every_version_and_event() -> None:
    assert materialize(store(*ALL)) == VIEW


def test_a_hole_without_filler_shows_as_nothing() -> None:
    assert materialize(store(ROOT, ACCOUNT)) == (
        '<creditAccounts><account id="7" vtFrom="2003-01-01T00:00:00" vtTo="now">'
        "<customer>Smith</customer></account></creditAccounts>"
    )


def test_a_root_that_changed_shows_its_versions() -> None:
    view = materialize(store(ROOT, CLOSED))
    assert view == (
        '<filler id="0"><creditAccounts vtFrom="start" vtTo="2004-01-01T00:00:00"/>'
        '<creditAccounts vtFrom="2004-01-01T00:00:00" vtTo="now"/></filler>'
    ).replace('T00:00:00"/><creditA', 'T00:00:00"></creditAccounts><creditA')


@pytest.mark.parametrize(
    ("at", "inside"),
    [
        ("2002-12-31", ""),
        (
            "2003-01-01",
            '<account id="7"><customer>Smith</customer><creditLimit>2000</creditLimit></account>',
        ),
        (
            "2003-02-01",
            '<account id="7"><customer>Smith</customer><creditLimit>2000</creditLimit>'
            "<transaction><vendor>Pizza</vendor><amount>38.20</amount></transaction></account>",
        ),
        (
            "2003-06-01",
            '<account id="7"><customer>Smith</customer><creditLimit>5000</creditLimit></account>',
        ),
    ],
)
def test_a_snapshot_is_the_document_at_an_instant(at: str, inside: str) -> None:
    expected = f"<creditAccounts>{inside}</creditAccounts>"
    assert snapshot(store(*ALL), time(at)) == expected


def test_without_an_instant_a_snapshot_is_of_now() -> None:
    assert snapshot(store(*ALL)) == snapshot(store(*ALL), time("2003-06-01"))


def test_what_lost_its_hole_is_gone() -> None:
    assert snapshot(store(*ALL, CLOSED), time("2004-01-01")) == "<creditAccounts/>"


@pytest.mark.parametrize("show", [materialize, snapshot])
def test_without_a_root_there_is_no_document(show: object) -> None:
    with pytest.raises(StateError, match="has no root"):
        show(store(ACCOUNT, LIMIT))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("account", Lifespan(time("2003-01-01"))),
        (".", Lifespan(time("2003-01-01"))),
        ("account/customer", Lifespan()),
        ("account/creditLimit", Lifespan(time("2003-01-01"), time("2003-06-01"))),
        ("account/transaction", Lifespan.at(time("2003-02-01"))),
    ],
)
def test_every_element_has_a_lifespan(path: str, expected: Lifespan) -> None:
    element = etree.fromstring(VIEW).find(path)
    assert element is not None
    assert lifespan_of(element) == expected


def test_a_lifespan_covers_those_of_the_children() -> None:
    view = etree.fromstring(VIEW)
    account = view.find("account")
    assert account is not None
    for name in ("customer", "transaction"):
        account.remove(account.findall(name)[0])
    account.remove(account.findall("creditLimit")[1])
    del account.attrib["vtFrom"]
    assert lifespan_of(view) == Lifespan(time("2003-01-01"), time("2003-06-01"))


def test_a_difference_names_what_changed() -> None:
    changes = difference(store(*ALL, CLOSED), time("2003-01-15"), time("2003-06-01")).changes
    assert [(change.kind.value, change.key) for change in changes] == [
        ("changed", LIMIT.key),
        ("happened", PIZZA.key),
        ("happened", STATUS.key),
    ]


@pytest.mark.parametrize(
    ("begin", "end", "count"),
    [("2003-01-31", "2003-02-01", 1), ("2003-02-01", "2003-02-01T12:00", 0)],
)
def test_a_difference_begins_after_its_first_instant(begin: str, end: str, count: int) -> None:
    assert len(difference(store(*ALL), time(begin), time(end)).changes) == count


def test_a_difference_is_written_as_xml() -> None:
    filled = store(ROOT, ACCOUNT, LIMIT, CLOSED)
    shown = difference(filled, time("2003-12-31"), time("2004-01-01")).to_xml()
    assert [each.tag for each in etree.fromstring(shown)] == [
        "changed",
        "disappeared",
        "disappeared",
    ]


def test_no_difference_is_empty() -> None:
    shown = difference(store(*ALL), time("2003-07-01"), time("2003-08-01")).to_xml()
    assert shown == '<difference from="2003-07-01T00:00:00" to="2003-08-01T00:00:00"/>'
