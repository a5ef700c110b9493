from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import StateError
from millstream.runtime.ledger import Json, Ledger
from millstream.runtime.storage import LocalStorage


class Sum:
    """A folded state that is easy to check: the sum of all numbers appended."""

    def __init__(self, folder: Path) -> None:
        self.total = 0
        self.ledger = Ledger(LocalStorage(str(folder)), "sum", self.apply, every=4)
        self.ledger.open(self.restore)

    def apply(self, event: Json) -> None:
        self.total += event["number"]

    def restore(self, state: Json) -> None:
        self.total = state["total"]

    def add(self, number: int) -> None:
        self.ledger.append({"number": number})
        if self.ledger.due():
            self.ledger.snapshot({"total": self.total})


def test_reopened_ledger_folds_to_the_same_state(tmp_path: Path) -> None:
    first = Sum(tmp_path)
    for number in range(11):
        first.add(number)
    assert Sum(tmp_path).total == 55


def test_snapshots_replace_events(tmp_path: Path) -> None:
    first = Sum(tmp_path)
    for number in range(101):
        first.add(number)
    assert len(list((tmp_path / "sum").iterdir())) <= 5


def test_unfinished_event_is_not_seen(tmp_path: Path) -> None:
    Sum(tmp_path).add(7)
    (tmp_path / "sum" / "event-000000000001.json.abc.tmp").write_text('{"numb')
    assert Sum(tmp_path).total == 7


def test_events_that_a_crash_left_beside_their_snapshot_count_once(tmp_path: Path) -> None:
    first = Sum(tmp_path)
    for number in range(4):
        first.add(number)
    (tmp_path / "sum" / "event-000000000003.json").write_text('{"number":3}')
    assert Sum(tmp_path).total == 6


def test_damaged_event_is_a_clear_error(tmp_path: Path) -> None:
    Sum(tmp_path).add(7)
    (tmp_path / "sum" / "event-000000000000.json").write_text("{")
    with pytest.raises(StateError, match="is damaged"):
        Sum(tmp_path)


def test_a_large_state_is_not_written_again_for_little(tmp_path: Path) -> None:
    written = []

    def remember(event: Json) -> None:
        written.append(event)

    ledger = Ledger(LocalStorage(str(tmp_path)), "ledger", remember, every=2)
    ledger.open(lambda state: None)
    ledger.append({"event": 0})
    ledger.append({"event": 1})
    assert ledger.due()
    ledger.snapshot({"large": "x" * 1000})
    for number in range(2, 10):
        ledger.append({"event": number})
        assert not ledger.due()
    again = Ledger(LocalStorage(str(tmp_path)), "ledger", remember, every=2)
    again.open(lambda state: None)
    assert not again.due()
    again.append({"event": "x" * 250})
    assert again.due()
