"""The parts that a chunk leaves behind."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.runtime.intake.parts import (
    QuarantineRow,
    write_log_part,
    write_quarantine_part,
)


def test_nothing_leaves_no_part(tmp_path: Path) -> None:
    assert write_log_part(str(tmp_path), pa.table({"position": pa.array([], pa.int64())})) is None
    assert write_quarantine_part(str(tmp_path), "s", []) is None
    assert list(tmp_path.iterdir()) == []


def test_a_part_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    row = QuarantineRow(7, "a.xml", 3, "truncated item", b"<a", "truncated")
    name = write_quarantine_part(str(tmp_path), "s", [row])
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert pq.read_table(tmp_path / str(name)).to_pylist() == [
        {
            "stream": "s",
            "position": 7,
            "file": "a.xml",
            "offset": 3,
            "reason": "truncated item",
            "raw": b"<a",
            "kind": "truncated",
        }
    ]
