"""Files that only pass through go once they have been read for good."""

from __future__ import annotations

from pathlib import Path

from tests.runtime.intake.driving import Intake, document, number


def left(intake: Intake) -> list[str]:
    return sorted(each.name for each in intake.source.iterdir())


def test_files_that_were_read_go_and_the_newest_stays(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"passing": True})
    for n in range(6):
        intake.put(f"{n}.xml", document(number(n)))
        intake.drain()
    assert left(intake) == ["5.xml"]
    assert (intake.numbers(), intake.reasons()) == ([0, 1, 2, 3, 4, 5], [])


def test_files_of_planned_chunks_stay_until_they_are_read(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"passing": True})
    for n in range(4):
        intake.put(f"{n}.xml", document(number(n)))
    # Planned, and then nothing is read: as after a crash.
    limit = intake.reader.getDefaultReadLimit()
    intake.reader.latestOffset(intake.offset, limit)
    intake.restart()
    assert left(intake) == ["0.xml", "1.xml", "2.xml", "3.xml"]
    intake.put("4.xml", document(number(4)))
    intake.drain()
    intake.restart()
    assert (intake.drain().numbers(), intake.reasons()) == ([0, 1, 2, 3, 4], [])
    assert left(intake) == ["4.xml"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    intake = Intake(tmp_path)
    for n in range(3):
        intake.put(f"{n}.xml", document(number(n)))
        intake.drain()
    assert left(intake) == ["0.xml", "1.xml", "2.xml"]
