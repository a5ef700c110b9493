"""Packed files and encodings other than UTF-8 arrive as UTF-8, in bounded memory."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from millstream.runtime.intake.unpacking import Inflater
from tests.runtime.intake.driving import Intake, document, number


def notes(intake: Intake) -> list[str]:
    return [item["note"] for item in intake.table()["item"].to_pylist()]


def encoded(text: str, encoding: str) -> bytes:
    body = text.partition("?>")[2]
    return f'<?xml version="1.0" encoding="{encoding}"?>{body}'.encode(encoding)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "iso-8859-1", "windows-1252", "cp1251"]
)
@pytest.mark.parametrize("packed", [False, True])
def test_text_arrives_whatever_its_encoding(intake: Intake, encoding: str, packed: bool) -> None:
    note = "щука" if encoding == "cp1251" else "Käse"
    data = encoded(document(number(1, note), number(2)), encoding)
    intake.put("a.xml", gzip.compress(data) if packed else data)
    intake.put("b.xml", document(number(3)))
    assert intake.drain().numbers() == [1, 2, 3]
    assert notes(intake) == [note, "", ""]
    assert intake.reasons() == []


def test_utf_16_without_a_mark_is_known_by_its_declaration(intake: Intake) -> None:
    intake.put("a.xml", encoded(document(number(1, "é")), "utf-16-le"))
    assert intake.drain().numbers() == [1]


def test_positions_count_decoded_bytes(intake: Intake) -> None:
    intake.zip("a.xml.gz", number(1) + number(2))
    intake.put("b.xml", number(3))
    length = len(number(1))
    assert intake.drain().items() == [(0, 1), (length, 2), (2 * length, 3)]


def test_bytes_that_are_no_characters_are_replaced_and_noted(intake: Intake) -> None:
    data = encoded(document(number(1, "a?b")), "windows-1252").replace(b"a?b", b"a\x81b")
    intake.put("a.xml", data)
    intake.put("b.xml", document(number(2)))
    assert intake.drain().numbers() == [1, 2]
    assert notes(intake)[0] == "a\ufffdb"
    assert intake.reasons() == ["some bytes are no characters of cp1252 and were replaced"]


def test_members_of_a_gzip_file_follow_each_other(intake: Intake) -> None:
    packed = [gzip.compress(number(n).encode()) for n in range(3)]
    intake.put("a.xml.gz", b"".join(packed) + b"\0" * 8)
    intake.put("ended", "")
    assert intake.drain().numbers() == [0, 1, 2]
    assert intake.reasons() == []


@pytest.mark.parametrize("lost", [1, 7, 40])
def test_a_truncated_gzip_file_gives_what_it_holds(intake: Intake, lost: int) -> None:
    packed = gzip.compress(document(*map(number, range(200))).encode())
    intake.put("a.xml.gz", packed[:-lost])
    intake.put("b.xml", document(number(200)))
    numbers = intake.drain().numbers()
    assert numbers[:-1] == list(range(len(numbers) - 1))
    assert len(numbers) > 100
    assert "the gzip data is truncated" in intake.reasons()


@pytest.mark.parametrize("place", [0.5, 0.99])
def test_a_corrupt_gzip_file_gives_what_comes_before(intake: Intake, place: float) -> None:
    packed = bytearray(gzip.compress(document(*map(number, range(2000))).encode()))
    at = int(len(packed) * place)
    packed[at : at + 4] = b"\xff\xff\xff\xff"
    intake.put("a.xml.gz", bytes(packed))
    intake.put("b.xml", document(number(-1)))
    numbers = intake.drain().numbers()
    assert numbers[-1] == -1
    assert len(numbers) > 2000 * place * 0.6
    assert any("corrupt" in reason for reason in intake.reasons())


def test_a_wrong_check_sum_costs_no_items(intake: Intake) -> None:
    packed = bytearray(gzip.compress(document(*map(number, range(10))).encode()))
    packed[-6] ^= 0xFF
    intake.put("a.xml.gz", bytes(packed))
    intake.put("ended", "")
    assert intake.drain().numbers() == list(range(10))
    assert intake.reasons() == ["the gzip data is corrupt: incorrect data check"]


def test_a_gzip_file_may_grow(intake: Intake) -> None:
    packed = gzip.compress(document(*map(number, range(500))).encode())
    intake.put("a.xml.gz", packed[:300])
    seen = len(intake.drain().numbers())
    intake.restart()
    intake.grow("a.xml.gz", packed[300:])
    assert seen < 500
    assert intake.drain().numbers() == list(range(500))
    assert intake.reasons() == []


def test_the_spool_is_emptied_behind_what_is_committed(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_bytes_per_batch": 4000, "chunk_bytes": 1000})
    for part in range(3):
        intake.zip(f"{part}.xml.gz", document(*map(number, range(part * 300, part * 300 + 300))))
    intake.drain()
    intake.put("9.xml", document(number(900)))
    assert intake.drain().numbers() == list(range(901))
    assert list(Path(intake.spec.spool_directory).iterdir()) == []


def test_an_unpacked_batch_can_be_read_again_after_a_crash(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_bytes_per_batch": 4000, "chunk_bytes": 1000})
    intake.zip("a.xml.gz", document(*map(number, range(300))))
    end = intake.reader.latestOffset(intake.offset, intake.reader.getDefaultReadLimit())
    first = intake.items(intake.read(intake.offset, end))
    intake.restart()
    assert intake.items(intake.read(intake.offset, end)) == first
    assert intake.drain().numbers() == list(range(300))


def test_what_no_chunk_names_is_swept_from_the_spool(intake: Intake) -> None:
    spool = Path(intake.spec.spool_directory)
    spool.mkdir(parents=True)
    (spool / "00000007-0000000000000000").write_text("left by a crash")
    intake.drain()
    assert list(spool.iterdir()) == []


def test_a_gzip_bomb_is_unpacked_in_bounded_memory() -> None:
    packed = gzip.compress(b" " * (64 << 20))
    tracemalloc.start()
    inflater = Inflater()
    length = len(inflater.inflate(packed))
    while inflater.waiting:
        length += len(inflater.inflate(b""))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length == 64 << 20
    assert peak < 16 << 20
