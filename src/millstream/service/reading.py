"""Reading a log over HTTP: a page at a time, or as events for as long as one listens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import Header, Query
from fastapi.responses import StreamingResponse

from millstream.service.access import Identity
from millstream.service.context import Service, Use
from millstream.service.logs import Cursor, Entry, Log
from millstream.service.positions import Position, read_position, write_position
from millstream.service.problems import Responses
from millstream.service.refusals import Gone, TooMany
from millstream.service.shapes.log import Item, Page
from millstream.service.tails import Tail

KEEP_ALIVE = 15.0
"""Seconds of silence after which a reader is told that all is well."""
LOOK_AGAIN = 1.0
"""Seconds between two looks of one who waits for a page, though no step was told of."""

After = Annotated[
    str | None, Query(max_length=40, description="The position behind which to read on.")
]
Limit = Annotated[int, Query(ge=1, le=10_000, description="Items, at most.")]
Wait = Annotated[
    float, Query(ge=0, le=60, description="Seconds to wait for an item, if there is none yet.")
]
From = Annotated[
    Literal["start", "now"],
    Query(alias="from", description="Where to begin, for one who was never here before."),
]
LastEventId = Annotated[
    str | None, Header(max_length=40, description="The id of the last event that was received.")
]
EVENTS: Responses = {
    200: {
        "description": "Server-sent events: `item` with an id to resume from, and `end`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


async def page_of(
    service: Service, who: Identity, log: Log, after: str | None, limit: int, wait: float
) -> Page:
    """The items behind a position; waits for one if there is none."""
    use, tails = service.use_of(who), service.running.tails
    due = use.pace.due()
    if due > 0:
        raise TooMany(
            f"'{who.name}' reads more items a second than it may", code="rate", retry_after=due
        )
    position = log.start if after is None else read_position(after, len(log.start))
    await asyncio.to_thread(check_kept, log, position, after is not None)
    deadline = time.monotonic() + wait
    while True:
        finished, found = await asyncio.to_thread(_read, log, position, limit + 1)
        left = deadline - time.monotonic()
        if found or finished or tails.closed or left <= 0:
            break
        await tails.news(min(left, LOOK_AGAIN))
    use.pace.take(min(len(found), limit))
    return _page(found, position, limit, finished)


def _read(log: Log, position: Position, most: int) -> tuple[bool, list[Entry]]:
    """Whether nothing will follow, asked first, and what there is behind a position."""
    finished = log.finished()
    return finished, Cursor(log, position).take(most)


def _page(found: list[Entry], position: Position, limit: int, finished: bool) -> Page:
    more = len(found) > limit
    shown = found[:limit]
    last = shown[-1].position if shown else position
    items = [Item(position=write_position(each.position), value=each.value) for each in shown]
    return Page(items=items, next=write_position(last), more=more, finished=finished and not more)


def check_kept(log: Log, position: Position, resumes: bool) -> None:
    """Refuse a reader whose next items are not there any more."""
    if resumes and log.lost(position):
        raise Gone(
            "items behind this position are not kept any more",
            code="position-gone",
            help="begin anew without a position: that gives what is still there",
        )


def events_of(
    service: Service, who: Identity, key: str, log: Log, after: str | None, begin: str
) -> StreamingResponse:
    """The items behind a position and all that follow, as events."""
    service.check_readers(who)
    position = log.start if begin == "start" else log.end()
    if after is not None:
        position = read_position(after, len(log.start))
    check_kept(log, position, after is not None)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        _events(service, who, key, log, position), media_type="text/event-stream", headers=headers
    )


async def _events(
    service: Service, who: Identity, key: str, log: Log, position: Position
) -> AsyncIterator[bytes]:
    with service.reading(who) as use:
        async with service.running.tails.tail(key, log) as tail:
            yield b"retry: 1000\n\n"
            async for chunk in _paced(tail, use, position):
                yield chunk
            if tail.finished:
                yield b"event: end\ndata: {}\n\n"


async def _paced(tail: Tail, use: Use, position: Position) -> AsyncIterator[bytes]:
    async for piece in tail.follow(position, KEEP_ALIVE):
        if piece is None:
            yield b": nothing new\n\n"
            continue
        yield piece.events
        pause = use.pace.take(piece.items)
        if pause > 0:
            await asyncio.sleep(pause)
