"""Files come, go, grow and break; the stream goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.intake.driving import Intake, document, number

GOOD = document(number(1), number(2))


def test_nothing_arrives_until_the_source_appears(tmp_path: Path) -> None:
    place = tmp_path / "later" / "numbers.xml"
    intake = Intake(tmp_path, {"location": str(place)}).drain()
    place.parent.mkdir()
    intake.drain()
    place.write_text(GOOD)
    assert intake.rows == []
    assert intake.drain().numbers() == [1, 2]


def test_files_are_read_in_natural_order_and_later_ones_after(intake: Intake) -> None:
    intake.put("b10.xml", document(number(10)))
    intake.put("b9.xml", document(number(9)))
    intake.drain()
    intake.put("a.xml", document(number(11)))
    assert intake.drain().numbers() == [9, 10, 11]


def test_a_file_that_grows_is_read_on(intake: Intake) -> None:
    intake.put("a.xml", "<numbers>" + number(1) + number(2)[:20])
    assert intake.drain().numbers() == [1]
    intake.grow("a.xml", number(2)[20:])
    assert intake.drain().numbers() == [1, 2]
    intake.restart()
    intake.grow("a.xml", number(3) + "</numbers>")
    assert intake.drain().numbers() == [1, 2, 3]
    assert intake.reasons() == []


def test_an_older_file_that_grows_is_read_on(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)))
    intake.put("b.xml", document(number(2)))
    intake.drain()
    intake.grow("a.xml", document(number(3)))
    assert intake.drain().numbers() == [1, 2, 3]


def test_two_files_that_grow_in_turn_wait_for_each_other(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)))
    intake.put("b.xml", document(number(2)))
    intake.drain()
    for name, text in (
        ("a", number(3)[:15]),
        ("b", number(4)[:15]),
        ("a", number(3)[15:]),
        ("b", number(4)[15:]),
    ):
        intake.grow(f"{name}.xml", text)
        intake.drain()
    assert intake.drain().numbers() == [1, 2, 3, 4]
    assert intake.reasons() == []


def test_a_truncated_item_is_quarantined_when_another_document_follows(intake: Intake) -> None:
    first = "<numbers>\n" + number(1) + number(2)[:-3]
    intake.put("a.xml", first)
    intake.put("b.xml", document(number(3)))
    assert intake.drain().numbers() == [1, 3]
    (entry,) = intake.quarantine()
    start = first.rindex("<number>")
    assert entry == {
        "stream": "numbers",
        "position": start,
        "file": str(intake.source / "a.xml"),
        "offset": start,
        "reason": "truncated item",
        "raw": number(2)[:-3].encode(),
        "kind": "truncated",
    }


def test_a_truncated_item_is_quarantined_when_another_item_follows(intake: Intake) -> None:
    intake.put("a.xml", number(1) + number(2)[:-3])
    intake.put("b.xml", number(3))
    assert intake.drain().numbers() == [1, 3]
    assert intake.reasons() == ["truncated item"]


@pytest.mark.parametrize("ending", ["finite", "marker in the source", "marker of the stream"])
def test_a_truncated_item_is_quarantined_at_the_end(tmp_path: Path, ending: str) -> None:
    intake = Intake(tmp_path, {"finite": ending == "finite"})
    intake.put("a.xml", number(1) + number(2)[:-3])
    intake.drain()
    assert len(intake.reasons()) == (ending == "finite")
    if ending == "marker in the source":
        intake.put("ended", "")
    if ending == "marker of the stream":
        Path(intake.spec.journal_directory, "ended").touch()
    assert intake.drain().reasons() == ["truncated item"]


def test_an_unclosed_comment_costs_no_items(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"finite": True})
    intake.put("a.xml", number(1) + "<!-- oops " + number(2) + number(3) + "</numbers>")
    assert intake.drain().numbers() == [1, 2, 3]
    assert len(intake.reasons()) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (bytes(range(256)) * 20, "the file is binary, not text"),
        (b"<html><body>no numbers</body></html>", "no item 'number' in this file"),
        (b"just some words", "no item 'number' in this file"),
        (b"<?xml version='1.0' encoding='klingon'?>" + GOOD.encode(), "unknown encoding 'klingon'"),
        (b"<?xml version='1.0' encoding='hex'?>" + GOOD.encode(), "unknown encoding 'hex'"),
        (b"PK\x03\x04 and so on", "the file is a zip archive; only gzip is unpacked"),
        (b"\x1f\x8b not gzip", "the gzip data is corrupt: unknown compression method"),
    ],
)
def test_a_bad_file_is_quarantined_and_the_rest_goes_on(
    intake: Intake, content: bytes, reason: str
) -> None:
    intake.put("a.xml", document(number(1)))
    bad = intake.put("b.xml", content)
    intake.put("c.xml", document(number(2)))
    assert intake.drain().numbers() == [1, 2]
    (entry,) = intake.quarantine()
    assert (entry["file"], entry["offset"], entry["reason"]) == (str(bad), 0, reason)
    assert content.startswith(entry["raw"])
    intake.restart()
    assert intake.step() == 0


def test_a_bad_file_that_is_mended_is_read(intake: Intake) -> None:
    intake.put("a.xml", bytes(range(256)) * 20)
    assert intake.drain().numbers() == []
    intake.put("a.xml", GOOD)
    assert intake.drain().numbers() == [1, 2]


def test_an_empty_file_is_fine(intake: Intake) -> None:
    intake.put("a.xml", "")
    intake.put("b.xml", " \n ")
    intake.put("c.xml", GOOD)
    assert intake.drain().numbers() == [1, 2]
    assert intake.reasons() == []


def test_text_between_documents_is_quarantined(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)) + "what is this?")
    intake.put("b.xml", document(number(2)))
    assert intake.drain().numbers() == [1, 2]
    assert [entry["raw"] for entry in intake.quarantine()] == [b"what is this?"]


def test_a_file_that_disappears_unread_is_quarantined(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"max_bytes_per_batch": 1, "chunk_bytes": 1})
    intake.put("a.xml", document(number(1)))
    gone = intake.put("b.xml", document(number(2)))
    intake.step()
    gone.unlink()
    intake.put("c.xml", document(number(3)))
    assert intake.drain().numbers() == [1, 3]
    (entry,) = intake.quarantine()
    assert (entry["file"], entry["kind"]) == (str(gone), "disappeared")
    assert entry["reason"] == "the file disappeared before it was read"


def test_a_file_that_disappears_between_plan_and_task_is_quarantined(intake: Intake) -> None:
    intake.put("a.xml", document(number(1)))
    gone = intake.put("b.xml", document(number(2)))
    end = intake.reader.latestOffset(intake.offset, intake.reader.getDefaultReadLimit())
    gone.unlink()
    intake.rows += intake.read(intake.offset, end)
    assert intake.numbers() == [1]
    assert intake.reasons() == ["the file disappeared before it was read"]


def test_a_file_that_is_removed_after_it_was_read_is_not_missed(intake: Intake) -> None:
    done = intake.put("a.xml", GOOD)
    intake.drain()
    done.unlink()
    intake.put("b.xml", document(number(3)))
    assert intake.drain().reasons() == []
    assert intake.numbers() == [1, 2, 3]


def test_a_file_that_is_removed_while_nobody_looks_may_be_missed(intake: Intake) -> None:
    for name in ("a.xml", "b.xml"):
        intake.put(name, document(number(1)))
    intake.drain()
    for name in ("a.xml", "b.xml"):
        (intake.source / name).unlink()
    intake.restart()
    intake.put("c.xml", document(number(2)))
    assert intake.drain().numbers() == [1, 1, 2]
    (entry,) = intake.quarantine()
    assert entry["file"] == str(intake.source / "b.xml")
    assert entry["reason"].endswith("its end may not have been read")


def test_a_name_that_comes_back_is_a_new_file(intake: Intake) -> None:
    intake.put("a.xml", GOOD).unlink()
    intake.put("a.xml", GOOD)
    intake.drain()
    (intake.source / "a.xml").unlink()
    intake.drain()
    intake.put("a.xml", GOOD)
    assert intake.drain().numbers() == [1, 2, 1, 2]


def test_files_of_a_directory_that_is_away_for_a_while_are_not_new(intake: Intake) -> None:
    intake.put("a.xml", GOOD)
    intake.drain()
    away = intake.source.rename(intake.source.with_name("away"))
    intake.drain()
    away.rename(intake.source)
    assert intake.drain().numbers() == [1, 2]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_file_replaced_by_shorter_content_is_read_anew(intake: Intake, restarted: bool) -> None:
    intake.put("a.xml", document(*map(number, range(5))))
    intake.drain()
    intake.put("a.xml", document(number(7)))
    if restarted:
        intake.restart()
    assert intake.drain().numbers() == [0, 1, 2, 3, 4, 7]
    (entry,) = intake.quarantine()
    assert entry["kind"] == "replaced"
    assert "replaced by shorter content" in entry["reason"]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_file_replaced_by_longer_content_is_read_anew(intake: Intake, restarted: bool) -> None:
    intake.put("a.xml", document(number(1), number(2)))
    intake.drain()
    intake.put("a.xml", document(*map(number, range(5, 9))))
    if restarted:
        intake.restart()
    assert intake.drain().numbers() == [1, 2, 5, 6, 7, 8]
    assert ["replaced by other content" in each for each in intake.reasons()] == [True]


@pytest.mark.parametrize("pattern", ["", "/*.xml*"])
def test_source_and_space_may_be_named_by_uri(tmp_path: Path, pattern: str) -> None:
    source, space = (tmp_path / "source").as_uri(), (tmp_path / "space").as_uri()
    places = {f"{name}_directory": f"{space}/{name}" for name in ("journal", "spool")}
    intake = Intake(tmp_path, {"location": source + pattern, **places})
    intake.zip("a.xml.gz", document(number(1)))
    gone = intake.put("b.xml", document(number(2), number(3)))
    assert intake.drain().numbers() == [1, 2, 3]
    gone.unlink()
    intake.restart()
    intake.put("c.xml", document(number(4)))
    assert intake.drain().numbers() == [1, 2, 3, 4]
    assert [entry["file"] for entry in intake.quarantine()] == [f"{source}/b.xml"]
