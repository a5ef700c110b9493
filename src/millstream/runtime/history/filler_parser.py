"""Fillers of a stream as rows: read once, checked against the tag structure."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from millstream.errors import ItemError
from millstream.history.filler import CheckedFiller, read_filler
from millstream.model.filler import WRAPPER
from millstream.model.filler_layout import microseconds
from millstream.model.schema import Attribute, Content, Element, Schema
from millstream.model.tag_structure import TagStructure
from millstream.runtime.parsing.chunk import ParsedChunk, Rejected, reject
from millstream.runtime.parsing.xml_markup import WHITE, Markup
from millstream.runtime.parsing.xml_pieces import Cutter, Kind, Piece

_FIELDS: list[tuple[str, pa.DataType]] = [
    ("id", pa.int64()),
    ("tsid", pa.int32()),
    ("valid", pa.int64()),
    ("content", pa.string()),
]
FILLER_ROWS = pa.schema(_FIELDS)
"""A filler in the stream's log: validTime in microseconds, and its element as XML text."""

FILLER_ITEMS = Schema(
    WRAPPER,
    Element(
        "filler",
        content=Content.NESTED,
        attributes=tuple(Attribute(name, required=True) for name in ("id", "tsid", "validTime")),
    ),
)
"""How fillers are told apart in a text; what is in them, the tag structure says."""

_FAULTS = {
    Kind.UNCLOSED: "malformed: the filler is not closed",
    Kind.TEXT: "stray-text: this text stands outside of fillers",
}


@dataclass
class _Rows:
    """The good fillers of a slice, by columns, and what was set aside."""

    offsets: list[int] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    tsids: list[int] = field(default_factory=list)
    valid: list[int] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)

    def add(self, offset: int, checked: CheckedFiller) -> None:
        filler = checked.filler
        self.offsets.append(offset)
        self.ids.append(filler.id)
        self.tsids.append(filler.tsid)
        self.valid.append(microseconds(filler.valid_time))
        self.contents.append(filler.content)

    def chunk(self) -> ParsedChunk:
        columns = [self.ids, self.tsids, self.valid, self.contents]
        arrays = [pa.array(each, type) for each, (_, type) in zip(columns, _FIELDS, strict=True)]
        rows = pa.Table.from_arrays(arrays, schema=FILLER_ROWS)
        return ParsedChunk(pa.array(self.offsets, pa.int64()), rows, tuple(self.rejected))


class FillerParser:
    """Parses slices of one stream of fillers."""

    def __init__(self, structure: TagStructure, max_item_bytes: int) -> None:
        self._structure = structure
        self._most = max_item_bytes
        self._markup = Markup.of(FILLER_ITEMS)

    def parse(self, data: bytes) -> ParsedChunk:
        """The rows of a slice that holds whole fillers, and what is none."""
        cutter, rows, position = Cutter(data, self._markup), _Rows(), 0
        while position < len(data):
            piece = cutter.piece(position)
            self._take(data, piece, rows)
            position = piece.end
        return rows.chunk()

    def _take(self, data: bytes, piece: Piece, rows: _Rows) -> None:
        if piece.kind is Kind.GAP:
            return
        raw = data[piece.start : piece.end]
        if piece.kind is not Kind.ITEM:
            rows.rejected.append(reject(piece.start, _FAULTS[piece.kind], raw.rstrip(WHITE)))
        elif len(raw) > self._most:
            reason = f"too-large: the filler is larger than {self._most:,} bytes"
            rows.rejected.append(reject(piece.start, reason, raw))
        else:
            self._read(piece.start, raw, rows)

    def _read(self, offset: int, raw: bytes, rows: _Rows) -> None:
        try:
            rows.add(offset, read_filler(_text(raw), self._structure))
        except ItemError as error:
            rows.rejected.append(reject(offset, f"{error.code}: {error.message}", raw))


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise ItemError("the text is not in the encoding of its file", code="malformed") from None
