"""Items of an XML stream as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from millstream.model.schema import Schema
from millstream.runtime.parsing.arrow_types import occurrence_type
from millstream.runtime.parsing.chunk import (
    DEFAULT_MAX_ITEM_BYTES,
    Located,
    ParsedChunk,
    Rejected,
    merged,
    reject,
    too_large,
)
from millstream.runtime.parsing.rows import parsed_chunk
from millstream.runtime.parsing.xml_careful import CarefulReader
from millstream.runtime.parsing.xml_markup import WHITE, Markup
from millstream.runtime.parsing.xml_pieces import Cutter, Kind, Piece
from millstream.runtime.parsing.xml_regular import RegularReader, RegularRun


class XmlParser:
    """Parses slices of one stream of XML items."""

    def __init__(
        self,
        schema: Schema,
        *,
        namespaces: Mapping[str, str] | None = None,
        max_item_bytes: int = DEFAULT_MAX_ITEM_BYTES,
        careful: bool = False,
    ) -> None:
        """Items are all read carefully if so wished: slower, and never another answer."""
        self._schema = schema
        self.max_item_bytes = max_item_bytes
        self._markup = Markup.of(schema)
        self._careful = CarefulReader(schema, namespaces or {})
        self.regular = None if careful else RegularReader.of(schema.item, namespaces or {})

    def parse(self, data: bytes) -> ParsedChunk:
        """The rows of a slice that holds whole items."""
        regular = self.regular.run(data, self.max_item_bytes) if self.regular else None
        cutter = Cutter(data, self._markup)
        pieces = _Pieces(data, self.max_item_bytes)
        position = 0
        while position < len(data):
            if regular:
                position = regular.advance(position, len(data))
            if position < len(data):
                piece = cutter.piece(position)
                pieces.add(piece)
                position = piece.end
        return self._chunk(data, regular, pieces)

    def parse_beside(
        self, run: RegularRun, beside: Callable[[int], int]
    ) -> tuple[ParsedChunk, int]:
        """The rows of items among other elements, and where something stands that is neither.

        `beside` tells where an element ends that begins at a place and is no item; the same place
        where there is none.
        """
        data = run.data
        cutter, pieces = Cutter(data, self._markup), _Pieces(data, self.max_item_bytes)
        position = 0
        while (position := run.advance(position, len(data))) < len(data):
            end = beside(position)
            if end == position:
                piece = cutter.piece(position)
                if piece.kind not in (Kind.GAP, Kind.ITEM):
                    break
                pieces.add(piece)
                end = piece.end
            position = end
        return self._chunk(data, run, pieces), position

    def _chunk(self, data: bytes, regular: RegularRun | None, pieces: _Pieces) -> ParsedChunk:
        batch, faulty = self._careful.read(pieces.items)
        batches = [batch] if len(batch.starts) else []
        if regular:
            regular.flush()
            batches += regular.batches
        cutter = Cutter(data, self._markup)

        def raw_of(start: int) -> bytes:
            return data[start : cutter.piece(start).end]

        whole = merged(batches, occurrence_type(self._schema.item))
        return parsed_chunk(self._schema, whole, [*pieces.rejected, *faulty], raw_of)


@dataclass
class _Pieces:
    """What quick readers left: items to read with care, and bytes to set aside."""

    data: bytes
    max_item_bytes: int
    items: list[Located] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)

    def add(self, piece: Piece) -> None:
        """Take in a piece; gaps are of no interest."""
        if piece.kind is Kind.GAP:
            return
        raw = self.data[piece.start : piece.end]
        if len(raw) > self.max_item_bytes and piece.kind is Kind.ITEM:
            self.rejected.append(reject(piece.start, too_large(len(raw), self.max_item_bytes), raw))
        elif piece.kind is Kind.ITEM:
            self.items.append((piece.start, raw))
        else:
            self.rejected.append(reject(piece.start, piece.kind.value, raw.rstrip(WHITE)))
