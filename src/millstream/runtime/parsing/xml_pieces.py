"""A slice of an XML stream, cut into items and what lies between them.

Cutting goes from left to right. Where no item is open, how the rest is cut does not depend on what
came before: that is what lets a faster reader take over between items.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from millstream.runtime.parsing.xml_markup import (
    BYTE_ORDER_MARK,
    CLOSING_MARKS,
    DOCTYPE,
    WHITE_RUN,
    Markup,
)

# Each broken one may be sought through all the data; a chunk full of them must not take for ever.
_MOST_BROKEN_DOCTYPES = 8


class Kind(Enum):
    """What a piece of a stream is."""

    ITEM = "item"
    GAP = "gap"
    """White space, comments, instructions, declarations and tags of the root."""
    UNCLOSED = "item is not closed"
    TEXT = "text between items"


@dataclass(frozen=True, slots=True)
class Piece:
    """A half-open range of the data and what it is."""

    kind: Kind
    start: int
    end: int


class _Edge(Enum):
    OPEN = auto()
    CLOSE = auto()
    WHOLE = auto()
    """An item that is a single tag."""


@dataclass
class Cutter:
    """One slice of a stream, cut piece by piece."""

    data: bytes
    markup: Markup
    _last_sought: dict[bytes, int] = field(default_factory=dict)
    """From where on a closing mark is lacking: sought once, not once for every opening."""
    _ends: dict[int, int] = field(default_factory=dict)
    """Where items end that may hold others of their name."""
    _all_ends_known: bool = False
    _broken_doctypes: int = 0

    def piece(self, start: int) -> Piece:
        """The piece that begins at a place where no item is open."""
        if self.markup.item_start.match(self.data, start):
            return self._item(start)
        end = self._gap_end(start)
        if end > start:
            return Piece(Kind.GAP, start, end)
        return Piece(Kind.TEXT, start, self._text_end(start))

    def _item(self, start: int) -> Piece:
        end = self._nesting_end(start) if self.markup.nests else self._plain_end(start)
        if end is not None:
            return Piece(Kind.ITEM, start, end)
        later = (begin for edge, begin, _ in self._edges(start) if edge is not _Edge.CLOSE)
        next(later)
        return Piece(Kind.UNCLOSED, start, next(later, len(self.data)))

    def _plain_end(self, start: int) -> int | None:
        """The end of an item, None when another of its name begins before."""
        edges = self._edges(start)
        edge, _, end = next(edges)
        if edge is _Edge.WHOLE:
            return end
        edge, _, end = next(edges, (_Edge.OPEN, start, start))
        return end if edge is _Edge.CLOSE else None

    def _nesting_end(self, start: int) -> int | None:
        """The end of an item that may hold others of its name, None without an end tag."""
        if start not in self._ends and not self._all_ends_known:
            self._pair_tags(start)
        return self._ends.get(start)

    def _pair_tags(self, start: int) -> None:
        """Find where the item here and those inside it end; if it does not, all that follow."""
        opened: list[int] = []
        for edge, begin, end in self._edges(start):
            if edge is _Edge.OPEN:
                opened.append(begin)
            elif edge is _Edge.WHOLE:
                self._ends[begin] = end
            elif opened:
                self._ends[opened.pop()] = end
            if not opened:
                return
        self._all_ends_known = True

    def _edges(self, start: int) -> Iterator[tuple[_Edge, int, int]]:
        """The tags with the item's name, outside of all that hides tags."""
        position = start
        while found := self.markup.item_edge.search(self.data, position):
            mark, begin, position = found.group(), found.start(), found.end()
            if mark in CLOSING_MARKS:
                position = self._after(CLOSING_MARKS[mark], position) or position
            elif mark.startswith(b"</"):
                yield _Edge.CLOSE, begin, position
            else:
                tag = self.markup.item_tag.match(self.data, begin)
                position = tag.end() if tag else position
                whole = tag is not None and self.data[position - 2] == ord("/")
                yield _Edge.WHOLE if whole else _Edge.OPEN, begin, position

    def _gap_end(self, start: int) -> int:
        end: int | None = start
        while end is not None:
            white = WHITE_RUN.match(self.data, end)
            position = white.end() if white else end
            end = self._filling_end(position)
        return position

    def _filling_end(self, start: int) -> int | None:
        """The end of the comment, instruction, declaration or root tag that begins here."""
        data = self.data
        if data.startswith(b"<!--", start):
            return self._after(b"-->", start + 4)
        if data.startswith(b"<?", start):
            return self._after(b"?>", start + 2)
        if data.startswith(b"<!DOCTYPE", start):
            return self._doctype_end(start)
        if data.startswith(BYTE_ORDER_MARK, start):
            return start + len(BYTE_ORDER_MARK)
        tag = self.markup.root_tag.match(data, start)
        return tag.end() if tag and self.markup.root != self.markup.item else None

    def _doctype_end(self, start: int) -> int | None:
        if self._broken_doctypes == _MOST_BROKEN_DOCTYPES:
            return None
        found = DOCTYPE.match(self.data, start)
        self._broken_doctypes += found is None
        return found.end() if found else None

    def _after(self, mark: bytes, start: int) -> int | None:
        """Where the next closing mark ends, None if there is none."""
        if start >= self._last_sought.get(mark, len(self.data)):
            return None
        found = self.data.find(mark, start)
        if found < 0:
            self._last_sought[mark] = start
            return None
        return found + len(mark)

    def _text_end(self, start: int) -> int:
        """Where the next item or filling begins."""
        position = start
        while found := self.markup.text_edge.search(self.data, position + 1):
            position = found.start()
            if self.markup.item_start.match(self.data, position):
                return position
            if self._filling_end(position) is not None:
                return position
        return len(self.data)
