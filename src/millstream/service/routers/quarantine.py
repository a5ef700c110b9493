"""Quarantine: what was set aside, to be looked at, taken home, mended and given again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from starlette import status

from millstream.mill import Stream
from millstream.runtime.quarantine import QuarantineEntry
from millstream.service.context import ServiceHere, Who
from millstream.service.logs import steady
from millstream.service.problems import told
from millstream.service.refusals import Forbidden, NotFound
from millstream.service.shapes.quarantine import QuarantinePage, Replay, SetAside

router = APIRouter(prefix="/v1/streams/{name}/quarantine", tags=["quarantine"])
LINES = "application/x-ndjson"


@router.get("", responses=told(404))
def list_quarantine(
    name: str,
    service: ServiceHere,
    who: Who,
    first: Annotated[int, Query(ge=0, description="The number to begin with.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> QuarantinePage:
    """What was set aside, oldest first."""
    stream = service.stream(name, who)
    entries, given = steady(stream.quarantine), stream.replayed()
    chosen = list(enumerate(entries))[first : first + limit]
    return QuarantinePage(
        entries=[_set_aside(number, each, number in given) for number, each in chosen],
        total=len(entries),
        next=first + len(chosen),
    )


@router.get(
    "/download",
    response_class=StreamingResponse,
    responses={
        **told(404),
        200: {
            "description": "An entry a line.",
            "content": {LINES: {"schema": {"type": "string"}}},
        },
    },
)
def download_quarantine(name: str, service: ServiceHere, who: Who) -> StreamingResponse:
    """All that was set aside, as JSON lines."""
    stream = service.stream(name, who)
    disposition = f'attachment; filename="{name}-quarantine.jsonl"'
    headers = {"Content-Disposition": disposition} if name.isascii() else {}
    return StreamingResponse(_lines(stream), media_type=LINES, headers=headers)


@router.post(
    "/{number}/replay", status_code=status.HTTP_202_ACCEPTED, responses=told(403, 404, 409, 413)
)
def replay(name: str, number: int, new: Replay, service: ServiceHere, who: Who) -> SetAside:
    """Give an entry to its stream again, mended; its next step reads it. Once for each entry."""
    stream = service.stream(name, who)
    if not who.owns(stream.record.owner):
        raise Forbidden(
            f"stream '{name}' is not {who.name}'s",
            code="owner",
            help="its owner may, and whoever has the right 'operate'",
        )
    entries = steady(stream.quarantine)
    if not 0 <= number < len(entries):
        raise NotFound(f"the quarantine has no entry {number}", code="unknown-entry")
    stream.replay(number, new.text)
    return _set_aside(number, entries[number], True)


def _lines(stream: Stream) -> Iterator[str]:
    given = stream.replayed()
    for number, each in enumerate(steady(stream.quarantine)):
        entry = _set_aside(number, each, number in given)
        yield json.dumps(entry.model_dump(), ensure_ascii=False) + "\n"


def _set_aside(number: int, entry: QuarantineEntry, replayed: bool) -> SetAside:
    return SetAside(
        number=number,
        kind=entry.kind,
        reason=entry.reason,
        position=entry.position,
        file=None if entry.file is None else entry.file.rpartition("/")[2],
        offset=entry.offset,
        step=entry.step,
        raw=entry.raw.decode("utf-8", "backslashreplace"),
        replayed=replayed,
    )
