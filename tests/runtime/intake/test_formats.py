"""JSON lines, CSV and Parquet."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.runtime.intake.driving import Intake


def line(n: int) -> str:
    return json.dumps({"n": n, "note": f"note {n}"})


def lines(*numbers: int) -> str:
    return "".join(line(n) + "\n" for n in numbers)


@pytest.mark.parametrize("suffix", ["json", "jsonl", "ndjson"])
def test_json_lines(intake: Intake, suffix: str) -> None:
    intake.put(f"a.{suffix}", lines(1, 2, 3))
    intake.zip(f"b.{suffix}.gz", lines(4))
    assert intake.drain().numbers() == [1, 2, 3, 4]
    assert [position for position, _ in intake.items()][:2] == [0, len(line(1)) + 1]


def test_a_last_line_without_end_waits_until_it_must_be_whole(intake: Intake) -> None:
    intake.put("a.jsonl", lines(1) + line(2))
    assert intake.drain().numbers() == [1]
    intake.put("b.jsonl", lines(3) + line(4))
    assert intake.drain().numbers() == [1, 2, 3]
    intake.put("ended", "")
    assert intake.drain().numbers() == [1, 2, 3, 4]
    assert intake.reasons() == []


def test_a_line_that_grows_is_read_once(intake: Intake) -> None:
    intake.put("a.jsonl", lines(1) + line(2)[:5])
    intake.drain()
    intake.grow("a.jsonl", line(2)[5:] + "\n" + line(3))
    intake.put("ended", "")
    assert intake.drain().numbers() == [1, 2, 3]


def test_a_bad_line_is_quarantined_with_its_place(intake: Intake) -> None:
    intake.put("a.jsonl", lines(1) + "{oops\n" + lines(2))
    assert intake.drain().numbers() == [1, 2]
    (entry,) = intake.quarantine()
    assert (entry["offset"], entry["raw"]) == (len(lines(1)), b"{oops")
    assert entry["position"] == len(lines(1))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_members_of_a_json_array_are_items(
    intake: Intake, indent: int | None, encoding: str
) -> None:
    members = [{"n": n, "note": 'é, "[{}]" \\ \n' * n} for n in range(50)]
    text = json.dumps(members, indent=indent, ensure_ascii=False) + "\n"
    intake.put("a.json", text.encode(encoding))
    assert intake.drain().numbers() == list(range(50))
    assert intake.table()["item"].to_pylist()[3] == {"n": "3", "note": members[3]["note"]}
    assert intake.reasons() == []


def test_json_objects_may_take_several_lines(intake: Intake) -> None:
    objects = [json.dumps({"n": n, "note": "}"}, indent=1) for n in range(5)]
    intake.put("a.json", "\n".join(objects[:3]))
    intake.drain()
    intake.grow("a.json", "".join(objects[3:]))
    assert intake.drain().numbers() == list(range(5))


def test_every_csv_file_has_its_own_header(intake: Intake) -> None:
    intake.put("a.csv", 'n,note\n1,"two\nlines"\n2,b\n')
    intake.put("b.csv", '"note",n\nc,3\n')
    intake.put("c.csv", "n,note\n")
    intake.put("d.csv", "n,note\n4,d")
    intake.put("ended", "")
    assert intake.drain().numbers() == [1, 2, 3, 4]
    found = [item["note"] for item in intake.table()["item"].to_pylist()]
    assert found == ["two\nlines", "b", "c", "d"]
    assert intake.reasons() == []


def test_csv_without_header(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"columns": ("n", "note"), "delimiter": ";", "finite": True})
    intake.put("a.csv", "1;a\n2;b\n")
    assert intake.drain().items() == [(0, 1), (4, 2)]


def test_a_csv_file_with_other_columns_is_quarantined_whole(intake: Intake) -> None:
    intake.put("a.csv", "m,note\n1,a\n2,b\n")
    intake.put("b.csv", "n,note\n3,c\n")
    assert intake.drain().numbers() == [3]
    assert intake.reasons() == ["column 'm' is no leaf of item number"]


def test_quotes_that_are_not_closed_cost_one_record(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"finite": True, "max_item_bytes": 100})
    intake.put("a.csv", 'n,note\n1,a\n2,"b\n' + "".join(f"{n},c\n" for n in range(3, 60)))
    assert intake.drain().numbers() == [1, *range(3, 60)]
    assert len(intake.reasons()) == 1


def write_rows(path: Path, numbers: list[int], groups: int = 1000) -> None:
    table = pa.table({"n": numbers, "note": [f"note {n}" for n in numbers]})
    pq.write_table(table, path, row_group_size=groups)


def test_parquet_rows_are_positions(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"chunk_bytes": 100, "max_bytes_per_batch": 300})
    write_rows(intake.source / "a.parquet", list(range(50)), groups=7)
    write_rows(intake.source / "b.parquet", [50, 51])
    assert intake.drain().items() == [(n, n) for n in range(52)]
    assert len(intake.rows) > 5


def test_a_parquet_file_on_its_way_is_waited_for(intake: Intake) -> None:
    whole = intake.source / "a.parquet"
    write_rows(whole, [1, 2])
    content = whole.read_bytes()
    whole.write_bytes(content[:-9])
    assert intake.drain().rows == []
    whole.write_bytes(content)
    assert intake.drain().numbers() == [1, 2]


def test_a_broken_parquet_file_is_quarantined(intake: Intake) -> None:
    intake.put("a.parquet", b"PAR1 nothing more")
    intake.put("b.parquet", b"PAR1 rubbish \x00\x00\x00\x00PAR1")
    write_rows(intake.source / "c.parquet", [3])
    assert intake.drain().numbers() == [3]
    assert intake.reasons()[0] == "the Parquet file is truncated, or none at all"
    assert intake.reasons()[1].startswith("the Parquet file cannot be read")


def test_a_parquet_file_with_other_columns_is_quarantined_whole(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"chunk_bytes": 20})
    pq.write_table(pa.table({"m": list(range(100))}), intake.source / "a.parquet")
    write_rows(intake.source / "b.parquet", [1])
    assert intake.drain().numbers() == [1]
    assert intake.reasons() == ["the table has a column 'm' that number lacks"]


def test_formats_may_be_mixed(intake: Intake) -> None:
    intake.put("a.jsonl", lines(1))
    write_rows(intake.source / "b.parquet", [2, 3])
    intake.put("c.xml", "<numbers><number><n>4</n><note/></number></numbers>")
    intake.put("d.csv", "n,note\n5,e\n")
    assert intake.drain().numbers() == [1, 2, 3, 4, 5]


def test_a_format_that_no_name_tells_is_known_by_content(tmp_path: Path) -> None:
    place = tmp_path / "data.txt"
    place.write_text(lines(1, 2))
    assert Intake(tmp_path, {"location": str(place)}).drain().numbers() == [1, 2]


def test_parquet_may_be_named_by_uri(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.parquet", [1, 2])
    place = (tmp_path / "a.parquet").as_uri()
    assert Intake(tmp_path, {"location": place}).drain().items() == [(0, 1), (1, 2)]
