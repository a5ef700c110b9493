"""A space with a long past has few files, so it opens and reads as fast as a fresh one."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from millstream.runtime.housekeeping import Housekeeping
from millstream.runtime.journal import Journal
from millstream.runtime.segments import describe_file, read_segments
from millstream.runtime.storage import LocalStorage

STEPS = int(os.environ.get("MILLSTREAM_STEPS", "3000"))
"""Steps of the past; the long run takes a hundred thousand."""


def one_step(storage: LocalStorage, journal: Journal, step: int) -> None:
    """A step as the shared batch writes it down, with one result and one row of state."""
    folder = f"streams/s/steps/{step:012d}"
    tables = {}
    for kind in ("results", "state"):
        storage.make_folder(f"{folder}/kind={kind}")
        name = f"{folder}/kind={kind}/part.parquet"
        table = pa.table({"channel": pa.array([0], pa.int32()), "values": [[f"v{step}"]]})
        pq.write_table(table, storage.address(name))
        tables[kind] = [describe_file(storage, name, step).to_json()]
    journal.begin({"step": step, "batch": step, "parts": [], "channels": [], "readings": {}})
    journal.commit(
        {
            "step": step,
            "items": 1,
            "rejected": 0,
            "bytes": 1,
            "ended": False,
            "retired": [],
            "watermarks": [],
            "replaced": ["state"] if step % 16 == 0 else [],
            "tables": tables,
        }
    )


@pytest.mark.timeout(3600)
def test_long_past_leaves_few_files_and_all_results(tmp_path: Path) -> None:
    storage = LocalStorage(str(tmp_path))
    journal = Journal(storage, "streams/s/journal")
    housekeeping = Housekeeping(storage, "streams/s", journal, "all")
    fsync, os.fsync = os.fsync, lambda handle: None  # the test is about files, not about disks
    try:
        for step in range(1, STEPS + 1):
            one_step(storage, journal, step)
            housekeeping.after_step()
    finally:
        os.fsync = fsync
    reopened = Journal(storage, "streams/s/journal")
    values = [
        value[0]
        for table in read_segments(storage, reopened.state.tables["results"])
        for value in table["values"].to_pylist()
    ]
    assert values == [f"v{step}" for step in range(1, STEPS + 1)]
    assert len([each for each in tmp_path.rglob("*") if each.is_file()]) < 250
