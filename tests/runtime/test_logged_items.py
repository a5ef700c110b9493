"""Items of a log are found by their positions."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.schema import Content, Element, Schema
from millstream.runtime.logged_items import LoggedItem, last_items, logged_items
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.storage import LocalStorage

READING = Element("reading", content=Content.NESTED, children=(Element("level"),))
RECORD = StreamRecord("weir", "weir", "xml", StreamRecord.layout_of(Schema("readings", READING)))


def written(folder: Path, *parts: range) -> list[Segment]:
    """Segments of a log whose items stand at the positions of each part."""
    found = []
    for step, positions in enumerate(parts, start=1):
        name = f"{step}.parquet"
        items = pa.array([{"level": str(each)} for each in positions])
        pq.write_table(pa.table({"position": pa.array(positions), "item": items}), folder / name)
        found.append(Segment(name, len(positions), 1, step, step))
    return found


def text(position: int) -> LoggedItem:
    return LoggedItem(position, f"<reading><level>{position}</level></reading>")


def test_items_behind_a_position_come_in_order(tmp_path: Path) -> None:
    segments = written(tmp_path, range(0, 30, 10), range(30, 60, 10))
    found = logged_items(LocalStorage(str(tmp_path)), RECORD, segments, after=10)
    assert list(found) == [text(20), text(30), text(40), text(50)]


def test_items_behind_the_last_position_are_none(tmp_path: Path) -> None:
    segments = written(tmp_path, range(3))
    assert list(logged_items(LocalStorage(str(tmp_path)), RECORD, segments, after=2)) == []


def test_newest_items_come_from_several_segments(tmp_path: Path) -> None:
    segments = written(tmp_path, range(4), range(4, 6))
    found = last_items(LocalStorage(str(tmp_path)), RECORD, segments, 3)
    assert found == [text(3), text(4), text(5)]


def test_fillers_are_written_as_they_travel(tmp_path: Path) -> None:
    row = {"position": [7], "id": [3], "tsid": [2], "valid": [1_000_000], "content": ["<a/>"]}
    pq.write_table(pa.table(row), tmp_path / "f.parquet")
    record = StreamRecord("credit", "credit", "xml", RECORD.layout, structure="<tag/>")
    found = logged_items(
        LocalStorage(str(tmp_path)), record, [Segment("f.parquet", 1, 1, 1, 1)], after=-1
    )
    expected = '<filler id="3" tsid="2" validTime="1970-01-01T00:00:01"><a/></filler>'
    assert list(found) == [LoggedItem(7, expected)]
