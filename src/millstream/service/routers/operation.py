"""The service itself: health, metrics, totals, and who is asking."""

from __future__ import annotations

import time
from dataclasses import asdict

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from millstream import __version__
from millstream.mill import Stream
from millstream.service.context import Service, ServiceHere, Who
from millstream.service.logs import steady
from millstream.service.metrics import metrics_text
from millstream.service.problems import told
from millstream.service.routers.subscriptions import active
from millstream.service.shapes.operation import Health, LimitsPage, Me, StreamHealth, Totals

router = APIRouter(tags=["operation"])


@router.get(
    "/health",
    responses={
        200: {"description": "All is well.", "model": Health},
        503: {"description": "The mill or a stream has stopped.", "model": Health},
    },
)
def get_health(service: ServiceHere, response: Response) -> Health:
    """How the service is; nobody is asked for a token, and no names are told."""
    health = _health(service, {})
    response.status_code = 200 if health.status == "ok" else 503
    return health


@router.get("/v1/health", responses=told())
def get_health_of_streams(service: ServiceHere, who: Who) -> Health:
    """How the service and each stream is."""
    streams = {
        name: _stream_health(service, each)
        for name, each in service.mill.streams.items()
        if who.may_read(name)
    }
    return _health(service, streams)


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        **told(),
        200: {
            "description": "Figures for Prometheus.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
    },
)
def get_metrics(service: ServiceHere, who: Who) -> Response:
    """Figures of the mill, in Prometheus' own format."""
    text = steady(lambda: metrics_text(service.running))
    return Response(text, media_type=CONTENT_TYPE_LATEST)


@router.get("/v1/statistics", responses=told())
def get_totals(service: ServiceHere, who: Who) -> Totals:
    """What has passed, of all streams together."""
    running = service.running
    streams = service.mill.streams
    facts = [each.statistics() for each in streams.values()]
    return Totals(
        streams=len(streams),
        subscriptions=sum(not each.cancelled for each in service.mill.subscriptions.values()),
        readers=running.tails.readers,
        step=running.committed(),
        items=sum(each["items"] for each in facts),
        bytes=sum(each["bytes"] for each in facts),
        quarantined=sum(each["quarantined"] for each in facts),
        rate=round(sum(running.rates.of(each) for each in streams), 3),
    )


@router.get("/v1/me", responses=told())
def get_me(service: ServiceHere, who: Who) -> Me:
    """Who is asking, and what they may do."""
    return Me(
        name=who.name,
        rights=sorted(each.value for each in who.rights),
        streams=list(who.streams),
        limits=LimitsPage(**asdict(who.limits)),
        subscriptions=active(service, who),
    )


def _health(service: Service, streams: dict[str, StreamHealth]) -> Health:
    return Health(
        status="failing" if service.running.failing else "ok",
        version=__version__,
        seconds=round(time.time() - service.running.began, 1),
        streams=streams,
    )


def _stream_health(service: Service, stream: Stream) -> StreamHealth:
    failure = service.running.failure_of(stream)
    if failure is not None:
        return StreamHealth(state="failed", failure=failure)
    if stream.ended:
        return StreamHealth(state="ended")
    return StreamHealth(state="waiting" if stream.run_id is None else "running")
