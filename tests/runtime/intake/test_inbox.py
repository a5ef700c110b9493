"""What is put into a stream's inbox becomes items, and disturbs no file of the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import MillstreamError
from millstream.runtime.quarantine import QuarantineEntry
from millstream.runtime.records import StreamRecord
from millstream.runtime.replay import replay, replayed
from millstream.runtime.storage import LocalStorage
from tests.runtime.intake.driving import NUMBERS, Intake, document, number

RECORD = StreamRecord("numbers", "source", "xml", StreamRecord.layout_of(NUMBERS))


def entry(raw: str) -> QuarantineEntry:
    return QuarantineEntry("numbers", 1, "a.xml", 0, "malformed", raw.encode(), "malformed", 1)


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    return LocalStorage(str(tmp_path / "space"))


@pytest.fixture
def intake(tmp_path: Path, storage: LocalStorage) -> Intake:
    inbox = storage.make_folder("streams/numbers/inbox")
    return Intake(tmp_path, {"inbox_directory": inbox})


def test_mended_item_is_read_once(intake: Intake, storage: LocalStorage) -> None:
    intake.put("1.xml", document(number(1)))
    intake.drain()
    replay(storage, RECORD, 0, entry("<number><n>2"), number(2))
    intake.drain().restart()
    assert intake.drain().numbers() == [1, 2]


def test_file_that_still_grows_is_not_cut_off(intake: Intake, storage: LocalStorage) -> None:
    intake.put("1.xml", "<numbers>" + number(1) + "<number><n>3</n>")
    intake.drain()
    replay(storage, RECORD, 0, entry(number(2)), None)
    intake.drain()
    intake.grow("1.xml", "<note/></number></numbers>")
    assert (intake.drain().numbers(), intake.reasons()) == ([1, 2, 3], [])


def test_json_may_mend_what_was_xml(intake: Intake, storage: LocalStorage) -> None:
    replay(storage, RECORD, 4, entry("?"), '{"n": 5, "note": "mended"}')
    assert intake.drain().numbers() == [5]


def test_entry_is_replayed_once(storage: LocalStorage) -> None:
    replay(storage, RECORD, 7, entry(number(1)), None)
    assert replayed(storage, "numbers") == {7}
    with pytest.raises(MillstreamError, match="replayed already"):
        replay(storage, RECORD, 7, entry(number(1)), None)


@pytest.mark.parametrize(("raw", "reason"), [("", "holds no text"), ("1,2", "neither")])
def test_what_is_no_item_is_refused(storage: LocalStorage, raw: str, reason: str) -> None:
    with pytest.raises(MillstreamError, match=reason):
        replay(storage, RECORD, 1, entry(raw), None)
    assert replayed(storage, "numbers") == frozenset()
