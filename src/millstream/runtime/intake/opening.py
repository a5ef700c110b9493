"""A file is opened: its format, its coding and its header are found out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.errors import SchemaError
from millstream.runtime.intake.coding import (
    GZIP,
    HEAD_BYTES,
    PARQUET,
    UTF8,
    coding_of,
    resolved,
    undecided,
)
from millstream.runtime.intake.content import Content, PlainText, Rows, SpooledText
from millstream.runtime.intake.extents import SourceFile
from millstream.runtime.intake.feed import Feed
from millstream.runtime.intake.files import files_at
from millstream.runtime.intake.json_layout import layout_of
from millstream.runtime.intake.line_boundaries import header_end
from millstream.runtime.intake.parsers import parser
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.intake.unpacking import Unpacker
from millstream.runtime.parsing.parser import rows_from_table
from millstream.runtime.storage import Storage


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that can be read, or why it cannot; neither while it is too short to tell."""

    file: SourceFile
    content: Content | None = None
    preface: int = 0
    """How much at its start is no item: a byte order mark, a header."""
    problem: str = ""


class Opener:
    """Opens the files of one source."""

    def __init__(self, spec: IntakeSpec, spool: Storage) -> None:
        self._spec = spec
        self._spool = spool

    def open(self, feed: Feed, final: bool) -> Opened:
        """The content of a file; `final` when it will not grow."""
        file = feed.file
        try:
            with feed.present():
                return self._open(feed, file, final)
        except OSError as error:
            reason = error.strerror or str(error)
            return Opened(file, problem=f"the file cannot be read: {reason}")

    def _open(self, feed: Feed, file: SourceFile, final: bool) -> Opened:
        head = files_at(file.path).read(file.path, 0, HEAD_BYTES)
        if resolved(file.format, head) == "parquet":
            return self._open_rows(replace(file, format="parquet"), feed.size, final)
        unpacker = Unpacker(file.path, head.startswith(GZIP))
        if unpacker.compressed:
            head = unpacker.head()[:HEAD_BYTES]
        format = resolved(file.format, head)
        if not (final or unpacker.problem) and undecided(head, format):
            return Opened(file)
        return self._open_text(feed, replace(file, format=format), head, unpacker, final)

    def _open_text(
        self, feed: Feed, file: SourceFile, head: bytes, unpacker: Unpacker, final: bool
    ) -> Opened:
        coding = coding_of(head)
        if coding.problem or (unpacker.problem and not head):
            return Opened(file, problem=coding.problem or unpacker.problem)
        text = head[coding.mark :].decode(coding.encoding, errors="ignore").encode()
        layout = layout_of(text) if file.format == "json" else None
        document = coding.mark > 0 or coding.encoding != UTF8
        if coding.encoding == UTF8 and not unpacker.compressed and layout is None:
            content = PlainText(file.path, feed.size, document)
            return self._behind_header(file, content, coding.mark, feed, final)
        unpacker.read_as(coding, layout)
        return self._open_spooled(feed, file, unpacker, document, final)

    def _open_spooled(
        self, feed: Feed, file: SourceFile, unpacker: Unpacker, document: bool, final: bool
    ) -> Opened:
        name = f"{file.ordinal:08d}"
        content = SpooledText(unpacker, self._spool, name, feed.consumed, document)
        return self._behind_header(file, content, 0, feed, final)

    def _open_rows(self, file: SourceFile, size: int, final: bool) -> Opened:
        files = files_at(file.path)
        if files.read(file.path, max(size - 4, 0), 4) != PARQUET:
            # Its last bytes are written last: without them it is still on its way, or broken.
            reason = "the Parquet file is truncated, or none at all" if final else ""
            return Opened(file, problem=reason)
        system, name = files.opened(file.path)
        try:
            with pq.ParquetFile(name, filesystem=system) as table:
                about, columns = table.metadata, table.schema_arrow
            rows_from_table(columns.empty_table(), self._spec.schema)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
            return Opened(file, problem=f"the Parquet file cannot be read: {error}")
        except SchemaError as error:
            return Opened(file, problem=error.message)
        groups = (about.row_group(each).total_byte_size for each in range(about.num_row_groups))
        return Opened(file, Rows(about.num_rows, sum(groups) / max(about.num_rows, 1)))

    def _behind_header(
        self, file: SourceFile, content: Content, mark: int, feed: Feed, final: bool
    ) -> Opened:
        if file.format != "csv" or self._spec.columns or feed.consumed:
            return Opened(file, content, mark)
        limit = self._spec.max_item_bytes
        content.pull(mark + limit)
        head = content.read(mark, min(limit, content.available - mark))
        end = header_end(head)
        if not end and len(head) < limit and not final:
            return Opened(feed.file)
        if not end and len(head) == limit:
            return Opened(file, problem=f"the header line is larger than {limit:,} bytes")
        end = end or len(head)
        header = head[:end].rstrip(b"\r\n").decode(errors="replace")
        return Opened(replace(file, header=header), content, mark + end, self._misfit(header))

    def _misfit(self, header: str) -> str:
        """Why records with these columns cannot be items of the stream, or empty."""
        try:
            parser("csv", header, self._spec)
        except SchemaError as error:
            return error.message
        return ""
