"""Small finite sources, read in this process: starting a streaming query would take far longer.

Only for spaces that are not kept, as Spark's own record of what was read is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql.streaming.datasource import ReadMaxBytes

from millstream.runtime.intake.listing import look
from millstream.runtime.intake.source import CHUNK_COLUMNS, IntakeReader
from millstream.runtime.intake.spec import IntakeSpec

LARGEST = 16 * 1024 * 1024
"""Bytes up to which a source is small, packed or not."""
_NAMES = [column.split()[0] for column in CHUNK_COLUMNS.split(", ")]


@dataclass(frozen=True, slots=True)
class ReadChunk:
    """A chunk that was read, as the shared batch takes it from Spark."""

    fields: dict[str, Any]

    def asDict(self) -> dict[str, Any]:  # noqa: N802 as Spark's rows call it
        return self.fields


@dataclass(frozen=True, slots=True)
class ReadChunks:
    """The chunks of a batch that was read."""

    chunks: list[ReadChunk]

    def collect(self) -> list[ReadChunk]:
        return self.chunks


def is_small(spec: IntakeSpec) -> bool:
    """True for a finite source with little in it."""
    if not spec.finite:
        return False
    return sum(file.size for file in look(spec.location, spec.format).files) <= LARGEST


def batches(spec: IntakeSpec) -> Iterator[ReadChunks]:
    """All that the source holds, batch by batch, parsed and written to the stream's log."""
    reader = IntakeReader(spec.absolute().to_json())
    start = reader.initialOffset()
    while (end := reader.latestOffset(start, ReadMaxBytes(spec.max_bytes_per_batch))) != start:
        rows = (row for each in reader.partitions(start, end) for row in reader.read(each))
        yield ReadChunks([ReadChunk(dict(zip(_NAMES, row, strict=True))) for row in rows])
        reader.commit(end)
        start = end
    reader.stop()
