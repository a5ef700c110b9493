"""The journal keeps what was planned, through crashes and for a long time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from millstream.errors import StateError
from millstream.runtime.intake import journal as journal_module
from millstream.runtime.intake.extents import Chunk, Defect, Extent, Mark, SourceFile
from millstream.runtime.intake.journal import Journal
from millstream.runtime.intake.journal_lines import JournalLines, LocalLines, RemoteLines
from millstream.runtime.storage import RemoteStorage
from tests.runtime.intake.driving import Intake, document, number


def test_what_was_planned_before_a_crash_is_kept(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)))
    intake.put("b.xml", document(number(2)) + number(3)[:-2])
    limit = intake.reader.getDefaultReadLimit()
    planned = intake.reader.latestOffset(intake.offset, limit)
    intake.restart()
    # Were it planned now, this would change what becomes of the truncated item.
    intake.put("c.xml", document(number(4)))
    assert intake.reader.latestOffset(intake.offset, limit) == planned
    assert intake.drain().numbers() == [1, 2, 4]


def test_a_line_that_a_crash_cut_off_is_forgotten(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)))
    intake.drain()
    lines = Path(intake.spec.journal_directory) / "journal.jsonl"
    with lines.open("ab") as file:
        file.write(b'{"chunk":{"ordi')
    intake.restart()
    intake.put("b.xml", document(number(2)))
    assert intake.drain().numbers() == [1, 2]


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text('{"file":{"ordinal":0,"path":"a"}}\nrubbish\n')
    with pytest.raises(StateError, match="line 2 of the intake journal"):
        Journal(str(tmp_path))


def test_a_checkpoint_without_its_journal_is_refused(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)))
    intake.drain()
    shutil.rmtree(intake.spec.journal_directory)
    intake.restart()
    with pytest.raises(StateError, match="journal and checkpoint of a stream belong together"):
        intake.step()


def test_a_long_journal_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "KEPT_CHUNKS", 2)
    monkeypatch.setattr(journal_module, "COMPACT_AFTER", 5)
    intake = Intake(tmp_path, {"max_items_per_batch": 1})
    intake.put("a.xml", document(*map(number, range(30))) + number(30)[:-4])
    intake.put("b.xml.gz", b"\x1f\x8b rubbish")
    intake.put("c.xml", document(number(31)))
    while intake.step():
        intake.restart()
    lines = (Path(intake.spec.journal_directory) / "journal.jsonl").read_bytes().splitlines()
    assert len(lines) < 20
    assert intake.numbers() == [*range(30), 31]
    assert len(intake.reasons()) == 2
    intake.grow("c.xml", number(32))
    assert intake.drain().numbers() == [*range(30), 31, 32]


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    file = SourceFile(3, "a.csv", "csv", "n,note")
    extent = Extent(3, 1, 5, 100, skipped=True, given_up=True, spool="x", spool_start=1)
    defect = Defect(3, 1, 100, "oversized", "too large", (extent,))
    chunk = Chunk(0, 100, 104, (extent,), (defect,), Mark(3, 5, 77), ((3, 9),))
    journal = Journal(str(tmp_path))
    journal.record_files([file])
    journal.record_chunks([chunk])
    again = Journal(str(tmp_path))
    assert again.files == {3: file}
    assert again.chunks(0, 1) == (chunk,)
    assert again.position == 104
    progress = again.progress[3]
    assert (progress.end, progress.given_up, progress.finished) == (5, True, 9)


@pytest.mark.parametrize("kind", ["local", "remote"])
def test_lines_are_appended_and_replaced(tmp_path: Path, kind: str) -> None:
    def opened() -> JournalLines:
        if kind == "local":
            return LocalLines(str(tmp_path))
        return RemoteLines(RemoteStorage(tmp_path.as_uri()))

    lines = opened()
    assert lines.load() == []
    lines.append([b"1", b"2"])
    lines.append([b"3"])
    assert opened().load() == [b"1", b"2", b"3"]
    lines.replace([b"4"])
    lines.append([b"5"])
    again = opened()
    assert again.load() == [b"4", b"5"]
    again.append([b"6"])
    assert opened().load() == [b"4", b"5", b"6"]
