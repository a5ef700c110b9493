"""One file of the source: what of it has been planned, and what can be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from millstream.runtime.intake.content import Content
from millstream.runtime.intake.extents import Extent, Mark, SourceFile
from millstream.runtime.intake.journal import Progress

UNSEEN = -1
"""The size of a file that the journal knows and no look has found yet."""


class Vanished(Exception):
    """A file is not there any more, or not all of it, though the last look saw it."""

    def __init__(self, feed: Feed, reason: str) -> None:
        super().__init__(f"{feed.file.path}: {reason}")
        self.feed = feed
        self.reason = reason


@dataclass(slots=True, eq=False)
class Feed:
    """A file on its way into the stream; a source may have a million of them."""

    file: SourceFile
    found: int
    """The look that found the file."""
    size: int = UNSEEN
    grown: int = field(init=False)
    """The last look that found it larger than before."""
    content: Content | None = None
    """None until the file has been opened, and when everything in it is planned."""
    consumed: int = 0
    preface: int = 0
    """How much at the start is no item: a byte order mark, a header."""
    given_up: bool = False
    fruitful: bool = False
    finished: int | None = None
    mark: Mark | None = None
    idle: bool = False
    """True when the rest that waits for more holds nothing that would be missed."""

    def __post_init__(self) -> None:
        self.grown = self.found

    def resume(self, progress: Progress) -> None:
        """Go on from what the journal remembers."""
        self.consumed = progress.end
        self.given_up = progress.given_up
        self.fruitful = progress.fruitful
        self.finished = progress.finished
        self.mark = progress.mark

    def grow(self, size: int, look: int) -> None:
        """Take note of a new size."""
        if self.size != UNSEEN:
            self.grown = look
        self.size = size
        self.finished = None
        if self.content is not None:
            self.content.grow(size)

    @property
    def text(self) -> bool:
        """True for a file of text, False for one of rows."""
        return self.file.format != "parquet"

    def estimated_bytes(self) -> int:
        """About how many bytes wait to be planned."""
        if self.content is None or self.content.more:
            return self.size
        return int((self.content.available - self.consumed) * self.content.unit_bytes)

    def window(self, size: int) -> bytes:
        """The next bytes, as many as there are."""
        if self.content is None:
            return b""
        with self.present():
            self.content.pull(self.consumed + size)
            length = min(size, self.content.available - self.consumed)
            data = self.content.read(self.consumed, length) if length > 0 else b""
        if len(data) < length:
            raise Vanished(self, "the file became shorter before all of it was read")
        return data

    @contextmanager
    def present(self) -> Iterator[None]:
        """Raise Vanished where a file is missing."""
        try:
            yield
        except FileNotFoundError as error:
            raise Vanished(self, self.disappeared()) from error

    def disappeared(self) -> str:
        """Why a file that is gone is missed."""
        if not self.consumed:
            return "the file disappeared before it was read"
        if self.size == UNSEEN:
            return "the file disappeared while nobody looked; its end may not have been read"
        return "the file disappeared before all of it was read"

    @property
    def exhausted(self) -> bool:
        """True when everything that the file holds now is planned."""
        if self.content is None:
            return False
        with self.present():
            self.content.pull(self.consumed + 1)
        return self.consumed >= self.content.available

    def extents(self, start: int, length: int, base: int) -> Iterator[Extent]:
        """Where a range lies, from a position of the stream on."""
        assert self.content is not None, "a file is opened before it is planned"
        for piece, low, high in self.content.pieces(start, start + length):
            place = base + low - start
            ordinal = self.file.ordinal
            yield Extent(ordinal, low, high, place, spool=piece.spool, spool_start=piece.start)
