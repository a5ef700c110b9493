"""Results of subscriptions and items of streams: as pages, and as events."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse

from millstream.service.context import ServiceHere, Who
from millstream.service.logs import Log
from millstream.service.problems import told
from millstream.service.reading import (
    EVENTS,
    After,
    From,
    LastEventId,
    Limit,
    Wait,
    events_of,
    page_of,
)
from millstream.service.shapes.log import Page

router = APIRouter(tags=["results"])
_EVENTS = {**told(400, 403, 404, 410, 429), **EVENTS}


def results_here(name: str, service: ServiceHere, who: Who) -> Log:
    """The results of the subscription that an address names."""
    return service.running.results_of(service.subscription(name, who))


def items_here(name: str, service: ServiceHere, who: Who) -> Log:
    """The items of the stream that an address names."""
    return service.running.items_of(service.stream(name, who))


Results = Annotated[Log, Depends(results_here)]
Items = Annotated[Log, Depends(items_here)]


@router.get("/v1/subscriptions/{name}/results", responses=told(400, 403, 404, 429))
async def get_results(
    log: Results,
    service: ServiceHere,
    who: Who,
    after: After = None,
    limit: Limit = 100,
    wait: Wait = 0,
) -> Page:
    """A page of a subscription's results, in order."""
    return await page_of(service, who, log, after, limit, wait)


@router.get("/v1/subscriptions/{name}/events", response_class=StreamingResponse, responses=_EVENTS)
def follow_results(
    name: str,
    log: Results,
    service: ServiceHere,
    who: Who,
    after: After = None,
    begin: From = "start",
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """A subscription's results as server-sent events, each once and in order, with resume."""
    return events_of(service, who, f"results/{name}", log, last_event_id or after, begin)


@router.get("/v1/streams/{name}/items", responses=told(400, 404, 410, 429))
async def get_items(
    log: Items,
    service: ServiceHere,
    who: Who,
    after: After = None,
    limit: Limit = 100,
    wait: Wait = 0,
) -> Page:
    """A page of a stream's items, in order, as far as its log is kept."""
    return await page_of(service, who, log, after, limit, wait)


@router.get("/v1/streams/{name}/events", response_class=StreamingResponse, responses=_EVENTS)
def follow_items(
    name: str,
    log: Items,
    service: ServiceHere,
    who: Who,
    after: After = None,
    begin: From = "start",
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """A stream's items as server-sent events, each once and in order, with resume."""
    return events_of(service, who, f"items/{name}", log, last_event_id or after, begin)
