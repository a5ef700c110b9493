"""What can be had of a file: bytes of the file itself, bytes unpacked to the spool, or rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from millstream.runtime.intake.files import files_at
from millstream.runtime.intake.unpacking import Unpacker
from millstream.runtime.storage import Storage

PIECE_BYTES = 1 << 20
"""What is unpacked at once, at least."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of a content that lies in one file of the spool, or in the source file."""

    start: int
    end: int
    spool: str = ""


class Content(Protocol):
    """Units of a file, bytes or rows, numbered from 0."""

    available: int
    """Just after the last unit that can be read now."""
    unit_bytes: float
    """About how many bytes a unit stands for."""
    document: bool
    """True when the first bytes show a text of its own, not one that goes on from another file."""

    @property
    def note(self) -> str:
        """What was wrong with what could be read all the same, or empty."""

    @property
    def more(self) -> bool:
        """True when more may become available without any growth of the file."""

    def grow(self, size: int) -> None:
        """Take note of the file's new size."""

    def pull(self, end: int) -> None:
        """Make the units up to an end available, as far as the file holds them."""

    def read(self, start: int, length: int) -> bytes:
        """The bytes of a range that is available."""

    def pieces(self, start: int, end: int) -> Iterator[tuple[Piece, int, int]]:
        """Where a range lies: pieces, each with the part of the range in it."""

    def problem(self, final: bool) -> str:
        """Why nothing more can be had, or empty; `final` when the file will not grow."""

    def spools(self) -> set[str]:
        """The files of the spool that are not yet behind us."""


class PlainText:
    """The bytes of the file itself."""

    unit_bytes = 1.0
    more = False
    note = ""

    def __init__(self, path: str, size: int, document: bool) -> None:
        self._path = path
        self.available = size
        self.document = document

    def grow(self, size: int) -> None:
        self.available = size

    def pull(self, end: int) -> None:
        """Everything is there."""

    def read(self, start: int, length: int) -> bytes:
        return files_at(self._path).read(self._path, start, min(length, self.available - start))

    def pieces(self, start: int, end: int) -> Iterator[tuple[Piece, int, int]]:
        yield Piece(0, self.available), start, end

    def problem(self, final: bool) -> str:
        return ""

    def spools(self) -> set[str]:
        return set()


class Rows:
    """The rows of a Parquet file."""

    more = False
    document = True
    note = ""

    def __init__(self, rows: int, unit_bytes: float) -> None:
        self.available = rows
        self.unit_bytes = unit_bytes

    def grow(self, size: int) -> None:
        """The rows of a whole Parquet file cannot become more."""

    def pull(self, end: int) -> None:
        """Everything is there."""

    def read(self, start: int, length: int) -> bytes:
        return b""

    def pieces(self, start: int, end: int) -> Iterator[tuple[Piece, int, int]]:
        yield Piece(0, self.available), start, end

    def problem(self, final: bool) -> str:
        return ""

    def spools(self) -> set[str]:
        return set()


class SpooledText:
    """Bytes that are unpacked or translated piece by piece, ahead of being planned."""

    unit_bytes = 1.0

    def __init__(
        self, unpacker: Unpacker, spool: Storage, name: str, start: int, document: bool
    ) -> None:
        self._unpacker = unpacker
        self._spool = spool
        self._name = name
        self._pieces: list[Piece] = []
        self._unwanted = start
        # What was planned before is unpacked again only to be passed over.
        self.available = start
        self.document = document
        self.more = True

    def grow(self, size: int) -> None:
        self.more = not self._unpacker.problem

    def pull(self, end: int) -> None:
        while self.more and self.available < end:
            self._unpack(max(end - self.available, PIECE_BYTES))

    def _unpack(self, wanted: int) -> None:
        blocks: list[bytes] = []
        length = 0
        while length < wanted and (block := self._unpacker.next_block()):
            passed = min(self._unwanted, len(block))
            self._unwanted -= passed
            blocks.append(block[passed:])
            length += len(block) - passed
        self.more = length >= wanted
        if length:
            self._keep(b"".join(blocks))

    def _keep(self, data: bytes) -> None:
        name = f"{self._name}-{self.available:016d}"
        self._spool.write(name, data)
        self._pieces.append(Piece(self.available, self.available + len(data), name))
        self.available += len(data)

    def read(self, start: int, length: int) -> bytes:
        end = min(start + length, self.available)
        return b"".join(
            files_at(self._spool.root).read(
                self._spool.address(piece.spool), low - piece.start, high - low
            )
            for piece, low, high in self.pieces(start, end)
        )

    def pieces(self, start: int, end: int) -> Iterator[tuple[Piece, int, int]]:
        # Windows only move forward: what lies before this one is not needed again.
        self._pieces = [piece for piece in self._pieces if piece.end > start]
        for piece in self._pieces:
            low, high = max(start, piece.start), min(end, piece.end)
            if low < high:
                yield piece, low, high

    def problem(self, final: bool) -> str:
        if self._unpacker.problem or not final:
            return self._unpacker.problem
        return self._unpacker.incomplete()

    @property
    def note(self) -> str:
        return self._unpacker.note

    def spools(self) -> set[str]:
        return {piece.spool for piece in self._pieces}
