"""Streams: list them, make one, look at one, read its items."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette import status

from millstream.errors import StateError
from millstream.mill import Stream
from millstream.model.schema import Schema
from millstream.service.access import Identity, Right
from millstream.service.context import Service, ServiceHere, Who
from millstream.service.logs import steady
from millstream.service.positions import write_position
from millstream.service.problems import told
from millstream.service.shapes.streams import (
    ElementUse,
    Leaf,
    NewStream,
    SampleItem,
    StreamPage,
    StreamStatistics,
    StreamSummary,
    TagOn,
)

router = APIRouter(prefix="/v1/streams", tags=["streams"])
SAMPLE = 10
"""Items that are shown of a stream."""


@router.get("", responses=told())
def list_streams(service: ServiceHere, who: Who) -> list[StreamSummary]:
    """The streams that whoever asks may read."""
    streams = service.mill.streams
    return [_summary(service, each) for name, each in streams.items() if who.may_read(name)]


@router.post("", status_code=status.HTTP_201_CREATED, responses=told(400, 403, 409, 413, 501))
def create_stream(new: NewStream, service: ServiceHere, who: Who) -> StreamPage:
    """Make the files at a place, or a stream that is served elsewhere, a stream."""
    who.require(Right.CREATE, "make streams")
    source = service.sources.checked(new.source)
    if new.name in service.mill.streams:
        raise StateError(
            f"there is a stream '{new.name}' already", code="name-taken", help="choose another name"
        )
    with service.running.planning:
        made = service.mill.create_stream(new.name, source, owner=who.name, **_options(new))
    return _page(service, made, who, 0)


@router.get("/{name}", responses=told(404))
def get_stream(
    name: str,
    service: ServiceHere,
    who: Who,
    sample: Annotated[int, Query(ge=0, le=100, description="Newest items to show.")] = SAMPLE,
) -> StreamPage:
    """All about one stream, with some of its newest items."""
    return _page(service, service.stream(name, who), who, sample)


@router.get("/{name}/statistics", responses=told(404))
def get_statistics(name: str, service: ServiceHere, who: Who) -> StreamStatistics:
    """What an average item is like, as plans reckon."""
    found = steady(service.stream(name, who).observed)
    elements = [
        ElementUse(path="/".join(path), occurrence=each.occurrence, size=each.size)
        for path, each in found.elements.items()
    ]
    return StreamStatistics(
        looked_at=found.items,
        size=found.size,
        frequency=found.frequency,
        elements=elements,
        increments={"/".join(path): each for path, each in found.increments.items()},
    )


def _options(new: NewStream) -> dict[str, Any]:
    """What the mill is told of a new stream."""
    given = new.model_dump(exclude={"name", "source", "schema_text"}, exclude_none=True)
    if "anchor" in given and given["anchor"] != "first":
        given["anchor"] = Decimal(str(given["anchor"]))
    if new.schema_text is not None:
        # A text of several lines is never taken for the path of a file.
        given["schema"] = new.schema_text + "\n"
    return given


def _facts(service: Service, stream: Stream) -> dict[str, Any]:
    return {
        "name": stream.name,
        "item": stream.schema.item.name,
        "peer": stream.record.peer,
        "owner": stream.record.owner,
        "rate": round(service.running.rates.of(stream.name), 3),
        "ended": stream.ended,
        "failure": service.running.failure_of(stream),
        **stream.statistics(),
    }


def _summary(service: Service, stream: Stream) -> StreamSummary:
    return StreamSummary(**_facts(service, stream))


def _page(service: Service, stream: Stream, who: Identity, sample: int) -> StreamPage:
    record = stream.record
    may_know = who.operates or Right.CREATE in who.rights
    return StreamPage(
        **_facts(service, stream),
        kind="fillers" if record.structure else "items",
        order_by=record.order_by,
        key=record.key,
        leaves=_leaves(stream.schema),
        layout=record.layout,
        structure=record.structure,
        anchor=record.anchor,
        lateness=record.lateness,
        notes=list(stream.notes),
        sample=_sample(service, stream, sample),
        source=record.source if may_know else None,
    )


def _sample(service: Service, stream: Stream, most: int) -> list[SampleItem]:
    newest = service.running.items_of(stream).newest(most)
    tags = steady(lambda: stream.tags_on(each.position[0] for each in newest))
    return [
        SampleItem(
            position=write_position(each.position),
            value=each.value,
            tags=[TagOn(**asdict(tag)) for tag in tags.get(each.position[0], ())],
        )
        for each in newest
    ]


def _leaves(schema: Schema) -> list[Leaf]:
    return [
        Leaf(path=str(each), type=each.type.value, repeated=each.repeated)
        for each in schema.leaves()
    ]
