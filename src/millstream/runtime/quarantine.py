"""Quarantine: items that could not be taken, with the reason and where they stood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.compiler import output
from millstream.runtime.intake.parts import QUARANTINE_COLUMNS
from millstream.runtime.records import Segment
from millstream.runtime.segments import describe_file, read_segment, read_segments
from millstream.runtime.storage import Storage


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """An item that was set aside."""

    stream: str
    position: int | None
    file: str | None
    offset: int | None
    reason: str
    raw: bytes
    kind: str
    step: int


def read_quarantine(storage: Storage, segments: Sequence[Segment]) -> Iterator[QuarantineEntry]:
    """The entries of a stream's quarantine, oldest first."""
    for table in read_segments(storage, segments):
        for row in table.to_pylist():
            yield QuarantineEntry(**{**row, "raw": row["raw"] or b""})


def write_late(
    storage: Storage,
    folder: str,
    stream: str,
    written: Mapping[str, Sequence[Segment]],
    step: int,
) -> list[Segment]:
    """Turn the late rows that a step found into quarantine entries, one an item."""
    channels: dict[int, set[int]] = {}
    for segment in written.get(output.LATE, ()):
        table = read_segment(storage, segment)
        for channel, ordering in zip(
            table["channel"].to_pylist(), table["ordering"].to_pylist(), strict=True
        ):
            channels.setdefault(ordering[0], set()).add(channel)
    if not channels:
        return []
    reasons = {
        position: "late: every window that it belongs to had closed,"
        f" in {len(members)} of the stream's channels"
        for position, members in channels.items()
    }
    return write_reasons(storage, folder, stream, "late", reasons, step)


def write_reasons(
    storage: Storage, folder: str, stream: str, kind: str, reasons: Mapping[int, str], step: int
) -> list[Segment]:
    """Set items of the log aside, given by their positions; the log keeps their text."""
    rows = [
        {"stream": stream, "position": position, "reason": reason, "raw": b"", "kind": kind}
        for position, reason in sorted(reasons.items())
    ]
    storage.make_folder(f"{folder}/quarantine")
    # The name is the same whenever the step runs again.
    name = f"{folder}/quarantine/{kind}-{step:012d}.parquet"
    table = pa.Table.from_pylist(rows, schema=QUARANTINE_COLUMNS)
    pq.write_table(table, storage.address(name))
    return [describe_file(storage, name, step)]
