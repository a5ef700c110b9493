"""The made-up credit accounts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from lxml import etree

from millstream.errors import MillstreamError
from millstream.generators.credit import (
    Bank,
    credit_structure,
    document,
    example_fillers,
    fillers,
)
from millstream.history.filler_store import FillerStore, canonical
from millstream.history.temporal_view import materialize, snapshot
from tests.history.credit import time

BANK = Bank(5, 400, seed=3)


@pytest.fixture(scope="module")
def store() -> FillerStore:
    return FillerStore(credit_structure(), fillers(BANK))


def test_fillers_come_in_order_of_time() -> None:
    times = [filler.valid_time for filler in fillers(BANK)]
    assert all(one <= other for one, other in pairwise(times))


def test_every_filler_has_its_place(store: FillerStore) -> None:
    assert (store.unfilled(), store.unplaced()) == ((), ())


def test_the_document_is_what_stands_at_the_start(store: FillerStore) -> None:
    assert canonical(snapshot(store, BANK.start)) == canonical(document(BANK).strip())


def test_everything_happens(store: FillerStore) -> None:
    view = etree.fromstring(materialize(store))
    statuses = Counter(view.xpath("//status/text()"))
    assert set(statuses) == {"charged", "denied", "suspended", "revoked"}
    assert len(view.findall(".//transaction")) == BANK.transactions
    assert len(view.findall(".//creditLimit")) > BANK.accounts


def test_one_hole_holds_the_transactions_of_an_account() -> None:
    ids = {filler.id for filler in fillers(BANK) if filler.tsid == 5}
    assert len(ids) == BANK.accounts


def test_equal_seeds_give_equal_accounts() -> None:
    assert list(fillers(BANK)) == list(fillers(Bank(5, 400, seed=3)))
    assert list(fillers(BANK)) != list(fillers(Bank(5, 400, seed=4)))


@pytest.mark.parametrize(("accounts", "transactions"), [(0, 1), (1, -1)])
def test_impossible_banks_are_refused(accounts: int, transactions: int) -> None:
    with pytest.raises(MillstreamError):
        Bank(accounts, transactions)


@pytest.mark.parametrize(
    ("at", "status"),
    [
        ("2003-09-10T14:30:12", []),
        ("2003-09-10T14:30:13", [" charged "]),
        ("2003-11-01T10:12:55", [" charged "]),
        ("2003-11-01T10:12:56", [" suspended "]),
    ],
)
def test_the_status_of_the_example_changes(at: str, status: list[str]) -> None:
    store = FillerStore(credit_structure(), example_fillers())
    held = store.versions_at(example_fillers()[-1].key, time(at))
    assert [etree.fromstring(each.filler.content).text for each in held] == status


def test_the_view_of_the_example_is_that_of_its_account() -> None:
    view = etree.fromstring(materialize(FillerStore(credit_structure(), example_fillers())))
    shown = [
        (each.tag, each.get("vtFrom"), each.get("vtTo"), (each.text or "").strip())
        for each in view.iter("creditLimit", "transaction", "status")
    ]
    assert shown == [
        ("creditLimit", "1998-10-10T12:20:22", "2001-04-23T23:11:08", "2000"),
        ("creditLimit", "2001-04-23T23:11:08", "now", "5000"),
        ("transaction", "2003-10-23T12:23:34", "2003-10-23T12:23:34", ""),
        ("status", "2003-10-23T12:23:35", "now", "charged"),
        ("transaction", "2003-09-10T14:30:12", "2003-09-10T14:30:12", ""),
        ("status", "2003-09-10T14:30:13", "2003-11-01T10:12:56", "charged"),
        ("status", "2003-11-01T10:12:56", "now", "suspended"),
    ]
