"""Following a log: it is read once for all its readers, who are handed what is new.

A tail keeps the newest items. A reader who is further behind reads the log by itself until it has
caught up.

#   log    ──────────────────────┬──────────┐
#                                │   tail   │ newest item
#   readers      ▲ reads the log    ▲  ▲ ▲▲▲  are handed the same bytes
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from bisect import bisect_right
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from millstream.service.logs import Cursor, Entry, Log
from millstream.service.positions import Position

LOG = logging.getLogger("millstream.service")
KEPT = 20_000
"""Items that a tail keeps, at most twice as many for a moment."""
KEPT_BYTES = 8 << 20
AT_ONCE = 500
"""Items that a reader is given in one piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some items as events, one after the other."""

    position: Position
    """Of the last of them."""
    items: int
    events: bytes


class Tail:
    """The end of one log."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.readers = 0
        self.finished = False
        """True when nothing will follow what is kept."""
        self._positions: list[Position] = []
        self._events: list[bytes] = []
        self._base = log.start
        """The position before the first that is kept."""
        self._bytes = 0
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._ready = asyncio.Event()
        self._closed = False

    async def run(self) -> None:
        """Read what is new whenever somebody says that there may be something."""
        try:
            await self._run()
        except Exception:
            # Readers that are let go come back, and are told then what is wrong.
            LOG.exception("a log cannot be followed")
        finally:
            self.close()

    async def _run(self) -> None:
        position = self._base = await asyncio.to_thread(self.log.end)
        self._ready.set()
        while not self._closed:
            finished = await asyncio.to_thread(self.log.finished)
            cursor = Cursor(self.log, position)
            while found := await asyncio.to_thread(_encoded, cursor):
                self._add(found)
            position, self.finished = cursor.position, finished
            self._tell()
            await self._wake.wait()
            self._wake.clear()

    def wake(self) -> None:
        """There may be something new."""
        self._wake.set()

    def close(self) -> None:
        """Let all readers go."""
        self._closed = True
        self._ready.set()
        self._tell()
        self._wake.set()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _add(self, found: list[tuple[Entry, bytes]]) -> None:
        for entry, event in found:
            self._positions.append(entry.position)
            self._events.append(event)
            self._bytes += len(event)
        if len(self._events) > 2 * KEPT or self._bytes > 2 * KEPT_BYTES:
            self._drop()
        self._tell()

    def _drop(self) -> None:
        """Let go of the older half."""
        half = len(self._events) // 2
        self._base = self._positions[half - 1]
        del self._positions[:half]
        del self._events[:half]
        self._bytes = sum(len(each) for each in self._events)

    async def follow(self, position: Position, pause: float) -> AsyncIterator[Piece | None]:
        """What comes behind a position; None whenever nothing has come for some seconds."""
        await self._ready.wait()
        while not self._closed:
            if position < self._base:
                base = self._base
                async for piece in self._from_log(position):
                    yield piece
                    position = piece.position
                # What lies between was let go of by the stream's retention.
                position = max(position, base)
                continue
            changed, finished = self._changed, self.finished
            piece_kept = self._kept(position)
            if piece_kept is not None:
                yield piece_kept
                position = piece_kept.position
            elif finished:
                return
            else:
                try:
                    await asyncio.wait_for(changed.wait(), pause)
                except TimeoutError:
                    yield None

    def _kept(self, position: Position) -> Piece | None:
        first = bisect_right(self._positions, position)
        last = min(first + AT_ONCE, len(self._positions))
        if first == last:
            return None
        return Piece(self._positions[last - 1], last - first, b"".join(self._events[first:last]))

    async def _from_log(self, position: Position) -> AsyncIterator[Piece]:
        cursor = Cursor(self.log, position)
        while found := await asyncio.to_thread(_encoded, cursor):
            events = b"".join(event for _, event in found)
            yield Piece(found[-1][0].position, len(found), events)


def _encoded(cursor: Cursor) -> list[tuple[Entry, bytes]]:
    return [(each, each.event()) for each in cursor.take(AT_ONCE)]


class Tails:
    """The tails that have readers, by what they follow."""

    def __init__(self) -> None:
        self._tails: dict[str, tuple[Tail, asyncio.Task[None]]] = {}
        self._news = asyncio.Event()
        self.closed = False
        """True when nobody is to wait for anything any more."""

    @property
    def readers(self) -> int:
        return sum(tail.readers for tail, _ in self._tails.values())

    @asynccontextmanager
    async def tail(self, key: str, log: Log) -> AsyncIterator[Tail]:
        """The tail of a log, for one reader; it goes with the last."""
        if key not in self._tails:
            made = Tail(log)
            self._tails[key] = (made, asyncio.create_task(made.run()))
        tail, task = self._tails[key]
        tail.readers += 1
        if self.closed:
            tail.close()
        try:
            yield tail
        finally:
            tail.readers -= 1
            if not tail.readers and self._tails.get(key, (None,))[0] is tail:
                del self._tails[key]
                tail.close()
                task.cancel()

    async def news(self, seconds: float) -> None:
        """Wait until there may be something new in some log, but not longer than that."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)

    def wake(self) -> None:
        """There may be something new in any log."""
        self._news.set()
        self._news = asyncio.Event()
        for tail, _ in self._tails.values():
            tail.wake()

    def close(self) -> None:
        """Let all readers go, and take no new ones."""
        self.closed = True
        self.wake()
        for tail, _ in self._tails.values():
            tail.close()
