"""Batches of a topic as files: each once, and what was refused beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.runtime.kafka.draining import file_names, write_batch
from millstream.runtime.kafka.framing import Framed, framed
from millstream.runtime.kafka.record import Framing, Record
from tests.runtime.intake.driving import Intake, number

XML = Framing("xml", item="number", root="numbers")
JSON = Framing("json", item="number", root="numbers")
BROKEN = b"<number><n>1</number><number>"


def records(values: list[bytes | None], framing: Framing = XML) -> list[Framed]:
    given = (Record(0, n, n, None, value) for n, value in enumerate(values))
    return list(framed(given, framing))


def item(n: int) -> bytes:
    return number(n).encode()


def passing(tmp_path: Path, format: str = "xml") -> Intake:
    return Intake(tmp_path, {"passing": True, "format": format})


def put(intake: Intake, batch: int, values: list[bytes | None], framing: Framing = XML) -> None:
    write_batch(records(values, framing), batch, str(intake.source), framing)


@pytest.mark.parametrize("broken", [BROKEN, b"<!--", b"<number", b"\x1f\x8b\x00", b"", None])
def test_a_broken_value_is_set_aside_alone(tmp_path: Path, broken: bytes | None) -> None:
    intake = passing(tmp_path)
    put(intake, 0, [item(1), broken, item(2)])
    put(intake, 1, [broken, item(3)])
    assert intake.drain().numbers() == [1, 2, 3]
    assert [each["raw"] for each in intake.quarantine()] == [broken or b""] * 2
    assert [each["kind"] for each in intake.quarantine()] == ["item"] * 2
    assert "(partition 0, offset 1)" in intake.reasons()[0]


@pytest.mark.parametrize("broken", [b"[", b'[{"n": 9}]', b"{", b"\xff\xfe", b"\x00" * 50, b"\n\n"])
def test_a_broken_line_is_set_aside_alone(tmp_path: Path, broken: bytes) -> None:
    intake = passing(tmp_path, "json")
    put(intake, 0, [broken, b'{"n": 1,\n "note": ""}', broken, b'{"n": 2, "note": "x"}'], JSON)
    assert intake.drain().numbers() == [1, 2]
    assert len(intake.reasons()) == 2


def test_an_item_that_does_not_fit_is_set_aside_by_its_parser(tmp_path: Path) -> None:
    intake = passing(tmp_path)
    put(intake, 0, [item(1), b"<number><n>x</n><note/></number>", item(2)])
    assert intake.drain().numbers() == [1, 2]
    assert len(intake.reasons()) == 1


def test_a_batch_of_nothing_but_broken_values(tmp_path: Path) -> None:
    intake = passing(tmp_path)
    put(intake, 0, [BROKEN, BROKEN])
    put(intake, 1, [item(1)])
    assert (intake.drain().numbers(), len(intake.reasons())) == ([1], 2)


@pytest.mark.parametrize("read_before", [False, True])
def test_a_repeated_batch_is_there_once(tmp_path: Path, read_before: bool) -> None:
    intake = passing(tmp_path)
    put(intake, 0, [item(1), BROKEN])
    intake.drain()
    put(intake, 1, [item(2), BROKEN, item(3)])
    if read_before:
        intake.drain()
    put(intake, 1, [item(2), BROKEN, item(3)])
    intake.restart()
    put(intake, 2, [item(4)])
    assert (intake.drain().numbers(), len(intake.reasons())) == ([1, 2, 3, 4], 2)


def test_a_batch_that_broke_off_between_its_files_is_completed(tmp_path: Path) -> None:
    intake = passing(tmp_path)
    put(intake, 0, [BROKEN])  # as if the file of items had not been written yet
    intake.drain()
    put(intake, 0, [BROKEN, item(1)])
    put(intake, 1, [item(2)])
    assert (intake.drain().numbers(), len(intake.reasons())) == ([1, 2], 1)


def test_what_was_refused_comes_before_the_batch() -> None:
    data, aside = file_names(7, "json")
    assert sorted([data, aside]) == [aside, data]
