"""Queries answered once: over histories at any instant, and of what is live now."""

from __future__ import annotations

import asyncio
from datetime import datetime

from fastapi import APIRouter

from millstream.errors import QueryError
from millstream.languages.compiling import Language, language_of
from millstream.mill import Answer, LiveAnswer
from millstream.model.values import parse_instant
from millstream.service.access import Identity
from millstream.service.context import Service, ServiceHere, Who
from millstream.service.problems import told
from millstream.service.refusals import Forbidden
from millstream.service.routers.subscriptions import check_text, named_streams
from millstream.service.shapes.questions import Answered, Question
from millstream.service.shapes.subscriptions import NewSubscription

router = APIRouter(prefix="/v1/query", tags=["questions"])


@router.post("", responses=told(400, 403, 409, 413, 501))
async def ask(question: Question, service: ServiceHere, who: Who) -> Answered:
    """Answer a query over histories once, as they were at an instant, or a SELECT of what is live.

    Streams of fillers are histories, and so are the results of subscriptions to them.
    """
    check_text(question.text, who)
    now = _instant(question.now)
    loop = asyncio.get_running_loop()
    # One at a time: they share an engine with each other, and the machine with the mill.
    return await loop.run_in_executor(
        service.running.asking, _answered, service, who, question, now
    )


def _answered(
    service: Service, who: Identity, question: Question, now: datetime | None
) -> Answered:
    found: Answer | LiveAnswer
    if now is None and language_of(question.text) is Language.TAGQL:
        for name in named_streams(service, NewSubscription(text=question.text)):
            _check_read(service, who, name)
        found = service.mill.select(question.text)
    else:
        found = service.mill.query(question.text, now=now, strategy=question.strategy)
    for name in found.streams:
        _check_read(service, who, name)
    return Answered(
        items=list(found.items),
        now=found.now,
        strategy=found.strategy,
        engine=found.engine,
        streams=list(found.streams),
        seconds=round(found.seconds, 3),
    )


def _check_read(service: Service, who: Identity, name: str) -> None:
    """Refuse to tell what a stream, or a subscription of somebody else, holds."""
    record = service.mill.registry.subscriptions.get(name)
    own = record is not None and who.owns(record.owner)
    stream = name in service.mill.registry.streams and who.may_read(name)
    if not (own or stream):
        raise Forbidden(f"'{who.name}' may not read '{name}'", code="stream")


def _instant(text: str | None) -> datetime | None:
    if text is None or text == "now":
        return None
    try:
        return parse_instant(text)
    except ValueError:
        raise QueryError(
            f"'{text}' is no instant", code="instant", help="write it as 2003-11-01T12:00:00"
        ) from None
