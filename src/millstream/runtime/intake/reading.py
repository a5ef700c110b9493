"""A chunk is read: its bytes parsed, its rows and its rejects written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.errors import SchemaError
from millstream.model.layout import POSITION
from millstream.model.schema import Schema
from millstream.runtime.intake.extents import Chunk, Defect, Extent, SourceFile
from millstream.runtime.intake.files import files_at
from millstream.runtime.intake.joined_text import JoinedText, joined_text
from millstream.runtime.intake.listing import REFUSED
from millstream.runtime.intake.parsers import parser
from millstream.runtime.intake.parts import (
    QuarantineRow,
    write_log_part,
    write_quarantine_part,
)
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.intake.statistics import statistics
from millstream.runtime.parsing.parser import (
    ItemParser,
    ParsedChunk,
    Rejected,
    arrow_schema,
    rows_from_table,
)
from millstream.runtime.parsing.refused import refused

ChunkRow = tuple[int, str | None, int, int, str | None, int, int, int, str]
"""The ordinal, the log part and its rows, the bytes read, the quarantine part and its rows, the
first position and the one after the last, and statistics."""


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """A chunk and the files that its extents lie in: all that a task must know."""

    chunk: Chunk
    files: dict[int, SourceFile]


class ChunkReader:
    """Reads one chunk."""

    def __init__(self, spec: IntakeSpec, plan: ChunkPlan) -> None:
        self.spec = spec
        self._chunk = plan.chunk
        self._files = plan.files
        self._tables = [self.empty()]
        self._entries: list[QuarantineRow] = []
        self._bytes = 0

    def empty(self) -> pa.Table:
        """A log without rows."""
        return _no_rows(self.spec.schema)

    def parser(self, format: str, header: str) -> ItemParser:
        """What makes rows of a text."""
        return parser(format, header, self.spec)

    def statistics(self, rows: pa.Table) -> str:
        """What the step must know of the rows, as JSON."""
        return statistics(rows, self.spec.schema)

    def take_more(self, parsed: ParsedChunk, text: JoinedText) -> None:
        """Take what a parser found besides items; most find nothing."""

    def read(self) -> ChunkRow:
        """Write the chunk's parts; the row that tells of them."""
        self._entries += [self._defect_entry(each) for each in self._chunk.defects]
        wanted = (each for each in self._chunk.extents if not each.skipped)
        for (format, header), extents in groupby(wanted, key=self._kind):
            if format == "parquet":
                self._read_rows(extents)
            else:
                self._read_text(format, header, extents)
        return self._written(pa.concat_tables(self._tables))

    def _written(self, rows: pa.Table) -> ChunkRow:
        spec, chunk = self.spec, self._chunk
        entries = sorted(self._entries, key=lambda each: each.position)
        return (
            chunk.ordinal,
            write_log_part(spec.log_directory, rows),
            rows.num_rows,
            self._bytes,
            write_quarantine_part(spec.quarantine_directory, spec.stream, entries),
            len(entries),
            chunk.first_position,
            chunk.end_position,
            self.statistics(rows),
        )

    def _kind(self, extent: Extent) -> tuple[str, str]:
        file = self._files[extent.file]
        return file.format, file.header

    def _read_text(self, format: str, header: str, extents: Iterator[Extent]) -> None:
        text = joined_text(self._texts(extents), lines=format != "xml")
        self._bytes += len(text.data)
        if not text.data:
            return
        if format == REFUSED:
            self._reject_all(refused(text.data), text)
            return
        parsed = self.parser(format, header).parse(text.data)
        self._add(parsed, text.positions(parsed.offsets.to_numpy()))
        self.take_more(parsed, text)
        self._reject_all(parsed.rejected, text)

    def _reject_all(self, rejected: Iterable[Rejected], text: JoinedText) -> None:
        for each in rejected:
            extent, offset = text.place(each.offset)
            position = extent.base + offset - extent.start
            self._reject(position, extent, offset, each.reason, each.raw)

    def _texts(self, extents: Iterator[Extent]) -> Iterator[tuple[Extent, bytes]]:
        for extent in extents:
            try:
                data = self._data(extent)
            except FileNotFoundError:
                data = b""
            if len(data) < extent.length:
                self._complain(extent, extent.start + len(data), _lost(data))
            yield extent, data

    def _data(self, extent: Extent) -> bytes:
        if extent.spool:
            path = f"{self.spec.spool_directory.rstrip('/')}/{extent.spool}"
            return files_at(path).read(path, extent.start - extent.spool_start, extent.length)
        path = self._files[extent.file].path
        return files_at(path).read(path, extent.start, extent.length)

    def _read_rows(self, extents: Iterator[Extent]) -> None:
        for extent in extents:
            path = self._files[extent.file].path
            try:
                table = _table(path, extent)
                parsed = rows_from_table(table, self.spec.schema)
            except (OSError, pa.ArrowInvalid) as error:
                self._complain(extent, extent.start, f"the rows cannot be read: {error}")
            except SchemaError as error:
                self._complain(extent, extent.start, error.message)
            else:
                self._bytes += table.nbytes
                self._add(parsed, extent.base + parsed.offsets.to_numpy())
                for each in parsed.rejected:
                    row = extent.start + each.offset
                    self._reject(extent.base + each.offset, extent, row, each.reason, each.raw)

    def _add(self, parsed: ParsedChunk, positions: np.ndarray) -> None:
        column = pa.array(positions, pa.int64())
        self._tables.append(parsed.rows.add_column(0, POSITION, column))

    def _reject(self, position: int, extent: Extent, offset: int, reason: str, raw: bytes) -> None:
        path = self._files[extent.file].path
        self._entries.append(QuarantineRow(position, path, offset, reason, raw, "item"))

    def _complain(self, extent: Extent, offset: int, reason: str) -> None:
        position = extent.base + offset - extent.start
        path = self._files[extent.file].path
        self._entries.append(QuarantineRow(position, path, offset, reason, b"", "unreadable"))

    def _defect_entry(self, defect: Defect) -> QuarantineRow:
        try:
            raw = b"".join(self._data(extent) for extent in defect.raw)
        except OSError:
            raw = b""  # the file is gone; that it was bad is known all the same
        path = self._files[defect.file].path
        return QuarantineRow(defect.position, path, defect.offset, defect.reason, raw, defect.kind)


def _lost(data: bytes) -> str:
    if data:
        return "the file became shorter before all of it was read"
    return "the file disappeared before it was read"


def _no_rows(schema: Schema) -> pa.Table:
    columns = [pa.field(POSITION, pa.int64()), *arrow_schema(schema)]
    return pa.schema(columns).empty_table()


def _table(path: str, extent: Extent) -> pa.Table:
    """The rows of an extent, read without the row groups that it does not touch."""
    system, name = files_at(path).opened(path)
    with pq.ParquetFile(name, filesystem=system) as file:
        groups, first = _groups(file.metadata, extent)
        batches = []
        for batch in file.iter_batches(row_groups=groups):
            low, high = max(extent.start - first, 0), min(extent.end - first, batch.num_rows)
            if low < high:
                batches.append(batch.slice(low, high - low))
            first += batch.num_rows
        return pa.Table.from_batches(batches, file.schema_arrow)


def _groups(about: pq.FileMetaData, extent: Extent) -> tuple[list[int], int]:
    """The row groups that hold an extent, and the first row of the first of them."""
    groups: list[int] = []
    first = row = 0
    for group in range(about.num_row_groups):
        rows = about.row_group(group).num_rows
        if row < extent.end and row + rows > extent.start:
            first = first if groups else row
            groups.append(group)
        row += rows
    return groups, first
