"""What a chunk leaves behind: a part of the stream's log and a part of its quarantine."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.errors import StateError
from millstream.runtime.storage import Storage, storage_at

_COLUMNS: dict[str, Any] = {
    "stream": pa.string(),
    "position": pa.int64(),
    "file": pa.string(),
    "offset": pa.int64(),
    "reason": pa.string(),
    "raw": pa.binary(),
    "kind": pa.string(),
}
QUARANTINE_COLUMNS = pa.schema(_COLUMNS)


@dataclass(frozen=True, slots=True)
class QuarantineRow:
    """Something that is not an item of the stream, and why."""

    position: int
    file: str
    offset: int
    reason: str
    raw: bytes
    kind: str


def write_log_part(directory: str, rows: pa.Table) -> str | None:
    """Write rows to a new part of a log; its name, or None when there are no rows."""
    return write_part(directory, rows) if rows.num_rows else None


def write_quarantine_part(
    directory: str, stream: str, entries: Sequence[QuarantineRow]
) -> str | None:
    """Write entries to a new part of a quarantine; its name, or None when there are none."""
    if not entries:
        return None
    columns = {
        name: [getattr(each, name) for each in entries] for name in QUARANTINE_COLUMNS.names[1:]
    }
    columns["stream"] = [stream] * len(entries)
    return write_part(directory, pa.table(columns, schema=QUARANTINE_COLUMNS))


def write_part(directory: str, table: pa.Table) -> str:
    """Write a table to a new file of Parquet; its name."""
    sink = pa.BufferOutputStream()
    # A log is written once and read soon, by a batch: quick to make counts more than small.
    pq.write_table(table, sink, compression="zstd", compression_level=1, use_dictionary=False)
    return _written(directory, sink, "parquet")


def write_passing_part(directory: str, table: pa.Table) -> str:
    """Write a table that is read once, and by no one but us, to a new file of Arrow; its name."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(sink, table.schema, options=options) as file:
        file.write_table(table)
    return _written(directory, sink, "arrow")


def read_passing_part(storage: Storage, name: str) -> pa.Table:
    """What `write_passing_part` has written."""
    content = storage.read(name)
    if content is None:
        raise StateError(f"{storage.address(name)} is missing", code="storage")
    return pa.ipc.open_file(pa.BufferReader(content)).read_all()


def _written(directory: str, sink: pa.BufferOutputStream, kind: str) -> str:
    name = f"{uuid.uuid4().hex}.{kind}"
    storage_at(directory).write(name, sink.getvalue().to_pybytes())
    return name
