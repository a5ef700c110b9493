"""How much a batch, a chunk and an item may hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxBytes, ReadMaxRows

from millstream.runtime.intake.batch_plan import BatchLimits
from millstream.runtime.intake.files import LocalFiles
from tests.runtime.intake.driving import Intake, document, number


def test_a_batch_holds_about_as_many_bytes_as_it_may(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_bytes_per_batch": 1000, "chunk_bytes": 400})
    intake.put("a.xml", document(*map(number, range(100))))
    sizes = []
    while intake.step():
        sizes.append(sum(row["bytes"] for row in intake.rows) - sum(sizes))
    assert intake.numbers() == list(range(100))
    assert all(900 <= size <= 1040 for size in sizes[:-1])


def test_a_batch_holds_no_more_items_than_it_may(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_items_per_batch": 7})
    intake.put("a.xml", document(*map(number, range(20))))
    intake.put("b.jsonl", "".join(f'{{"n": {n}, "note": ""}}\n' for n in range(20, 30)))
    counts = []
    while intake.step():
        counts.append(len(intake.numbers()) - sum(counts))
    assert counts == [7, 7, 7, 7, 2]


def test_the_engine_may_set_other_limits(intake: Intake) -> None:
    intake.put("a.xml", document(*map(number, range(20))))
    intake.step(ReadMaxRows(3))
    assert intake.numbers() == [0, 1, 2]
    intake.step(ReadMaxBytes(100))
    assert len(intake.numbers()) <= 7
    intake.step(ReadAllAvailable())
    assert intake.numbers() == list(range(20))


def test_an_item_is_taken_however_small_the_batch(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_bytes_per_batch": 1, "chunk_bytes": 1})
    intake.put("a.xml", document(number(1, "x" * 1000), number(2)))
    assert intake.step() == 1
    assert intake.numbers()[0] == 1


def test_enough_data_makes_chunks_of_equal_size() -> None:
    limits = BatchLimits(bytes=64 << 20, items=None, chunk_bytes=8 << 20)
    shares = {
        waiting: round(limits.shared(waiting << 20).chunk_bytes / (1 << 20), 1)
        for waiting in (1, 4, 9, 20, 1000)
    }
    assert shares == {1: 1.0, 4: 2.0, 9: 4.6, 20: 6.8, 1000: 8.1}


@pytest.mark.parametrize(("count", "steps"), [(24, 1), (27, 1), (30, 2), (51, 2)])
def test_a_little_more_than_a_batch_is_taken_along(tmp_path: Path, count: int, steps: int) -> None:
    intake = Intake(tmp_path, {"max_bytes_per_batch": 25 * len(number(10)), "finite": True})
    intake.put("a.xml", "<numbers>" + "".join(map(number, range(10, 10 + count))) + "</numbers>")
    taken = 0
    while intake.step():
        taken += 1
    assert (taken, intake.numbers()) == (steps, list(range(10, 10 + count)))


@pytest.mark.parametrize("chunk_bytes", [100, 1 << 20])
@pytest.mark.parametrize("packed", [False, True])
def test_an_oversized_item_is_quarantined_and_the_rest_goes_on(
    tmp_path: Path, chunk_bytes: int, packed: bool
) -> None:
    intake = Intake(tmp_path, {"max_item_bytes": 2000, "chunk_bytes": chunk_bytes})
    fits = number(2, "y" * (2000 - len(number(2))))
    text = document(number(1), fits, number(3, "x" * 200_000), number(4, "z" * 2000), number(5))
    (intake.zip if packed else intake.put)("a.xml", text)
    assert intake.drain().numbers() == [1, 2, 5]
    first, second = intake.quarantine()
    start = text.index("<number><n>3")
    assert (first["position"], first["offset"], first["kind"]) == (start, start, "oversized")
    assert first["reason"] == "item larger than 2,000 bytes"
    assert text[start:].startswith(first["raw"].decode())
    assert second["offset"] == text.index("<number><n>4")


def test_an_oversized_item_is_given_up_once_though_it_arrives_in_pieces(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_item_bytes": 100})
    text = document(number(1), number(2, "x" * 1000), number(3))
    for at in range(0, len(text), 70):
        intake.grow("a.xml", text[at : at + 70])
        intake.drain()
        if at % 4 == 0:
            intake.restart()
    assert intake.numbers() == [1, 3]
    assert intake.reasons() == ["item larger than 100 bytes"]


def test_an_oversized_line_is_given_up_once(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_item_bytes": 100, "chunk_bytes": 50})
    long = '{"n": 2, "note": "' + "x" * 1000 + '"}\n'
    intake.put("a.jsonl", '{"n": 1, "note": ""}\n' + long + '{"n": 3, "note": ""}\n')
    assert intake.drain().numbers() == [1, 3]
    assert intake.reasons() == ["item larger than 100 bytes"]


def test_much_text_without_items_is_quarantined_and_passed_over(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_item_bytes": 1000, "finite": True})
    intake.put("a.xml", "<numbers><other>" + "words " * 1000 + "</other>" + number(1))
    assert intake.drain().numbers() == [1]
    assert set(intake.reasons()) == {"text between items"}


def test_few_items_a_batch_do_not_cost_many_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = Intake(tmp_path, {"max_items_per_batch": 10})
    text = document(*map(number, range(2000)))
    intake.put("a.xml", text)
    lengths = []
    read = LocalFiles.read

    def counted(files: LocalFiles, path: str, start: int, length: int) -> bytes:
        lengths.append(length)
        return read(files, path, start, length)

    monkeypatch.setattr(LocalFiles, "read", counted)
    limit = intake.reader.getDefaultReadLimit()
    for _ in range(200):
        intake.offset = intake.reader.latestOffset(intake.offset, limit)
    assert intake.offset["chunk"] == 200
    assert sum(lengths) < 4 * len(text)


def test_looking_again_without_change_plans_nothing(
    intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake.put("a.xml", "<numbers>" + number(1) + "<number>")
    intake.drain()
    reader = intake.reader
    filler = reader._planner._filler
    monkeypatch.setattr(filler, "fill", lambda *_: pytest.fail("there is nothing to plan"))
    assert intake.step() == 0


def test_a_batch_of_what_is_available_now_leaves_later_files(intake: Intake) -> None:
    intake.put("a.xml", document(*map(number, range(5))))
    intake.reader.prepareForTriggerAvailableNow()
    intake.put("b.xml", document(number(5)))
    assert intake.drain().numbers() == list(range(5))
    intake.restart()
    assert intake.drain().numbers() == list(range(6))
