"""A stretch of text that runs on through one or more files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from millstream.runtime.intake.extents import Extent
from millstream.runtime.intake.feed import Feed


class Stretch:
    """The rest of some files and the whole of the next, read as one text."""

    def __init__(self, feed: Feed) -> None:
        self.feeds = [feed]

    def append(self, feed: Feed) -> None:
        """Let the text go on in another file."""
        self.feeds.append(feed)

    @property
    def last(self) -> Feed:
        return self.feeds[-1]

    @property
    def fruitful(self) -> bool:
        """True when an item of these files was planned before."""
        return any(feed.fruitful for feed in self.feeds)

    @property
    def given_up(self) -> bool:
        """True when the text starts inside an item that was given up."""
        return next((feed.given_up for feed in self.feeds if not feed.exhausted), False)

    def spent(self) -> list[Feed]:
        """Let go of the files before the last of which nothing is left."""
        spent = [feed for feed in self.feeds[:-1] if feed.exhausted]
        self.feeds = [feed for feed in self.feeds if feed not in spent]
        return spent

    def window(self, size: int) -> bytes:
        """The next bytes of the text, as many as there are."""
        parts: list[bytes] = []
        for feed in self.feeds:
            if size > 0:
                parts.append(feed.window(size))
                size -= len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def place(self, offset: int) -> tuple[Feed, int]:
        """The file, and the offset in it, of a byte of the window."""
        for feed, start, length in self._ranges(offset + 1):
            if offset < length:
                return feed, start + offset
            offset -= length
        return self.last, self.last.consumed + offset

    def extents(self, offset: int, length: int, base: int) -> tuple[Extent, ...]:
        """Where a part of the window lies, its first byte at a position of the stream."""
        found: list[Extent] = []
        for feed, start, available in self._ranges(offset + length):
            low = min(offset, available)
            taken = available - low
            found += feed.extents(start + low, taken, base)
            base += taken
            offset -= low
        return tuple(found)

    def take(
        self, length: int, base: int, *, skipped: bool = False, given_up: bool = False
    ) -> tuple[Extent, ...]:
        """Plan the next bytes; `given_up` when an item goes on behind them that is not wanted."""
        found = list(self.extents(0, length, base))
        for feed, start, taken in list(self._ranges(length)):
            feed.consumed = start + taken
            feed.fruitful = feed.fruitful or not skipped
        for feed in self.feeds:
            feed.given_up = given_up
        if skipped:
            found = [replace(each, skipped=True) for each in found]
        if given_up and found:
            found[-1] = replace(found[-1], given_up=True)
        return tuple(found)

    def _ranges(self, length: int) -> Iterator[tuple[Feed, int, int]]:
        """The files that the next bytes lie in: each with a start and a length."""
        for feed in self.feeds:
            content = feed.content
            if length > 0 and content is not None and feed.consumed < content.available:
                taken = min(length, content.available - feed.consumed)
                yield feed, feed.consumed, taken
                length -= taken
