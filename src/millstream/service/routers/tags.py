"""Tags: attach some to a stream, and read what others have said."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette import status

from millstream.runtime.tags.tagged_items import TaggedItems
from millstream.service.access import Right
from millstream.service.context import Service, ServiceHere, Who
from millstream.service.logs import steady
from millstream.service.positions import read_position, write_position
from millstream.service.problems import told
from millstream.service.reading import After
from millstream.service.shapes.tags import (
    DeedOf,
    NewTag,
    OpinionOf,
    RelatedWord,
    SpellOf,
    Tag,
    TaggedItemPage,
    TagOnItem,
    Word,
)

router = APIRouter(prefix="/v1/streams/{name}/tags", tags=["tags"])


@router.get("", responses=told(404))
def list_tags(
    name: str,
    service: ServiceHere,
    who: Who,
    live: Annotated[bool, Query(description="Only those that can be on the next tuple.")] = False,
    first: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[Tag]:
    """The tags of a stream, in the order of their arrival."""
    service.stream(name, who)
    book = service.mill.tags(name)
    found = steady(book.live if live else book.all)
    return [Tag(**asdict(each)) for each in found[first : first + limit]]


@router.post("", status_code=status.HTTP_202_ACCEPTED, responses=told(400, 403, 404, 409, 413, 501))
def attach(name: str, new: NewTag, service: ServiceHere, who: Who) -> Tag:
    """Attach a tag; it enters the stream with its next step.

    The tagger is whoever asks, so nobody overwrites tags of others.
    """
    service.stream(name, who)
    if new.tagger not in (None, who.name):
        who.require(Right.OPERATE, "tag in the name of others")
    fields: Any = new.model_dump(exclude={"content", "tagger"}, exclude_none=True)
    tag = service.mill.attach(name, new.content, tagger=new.tagger or who.name, **fields)
    return Tag(**asdict(tag))


@router.get("/cloud", responses=told(404))
def get_cloud(
    name: str,
    service: ServiceHere,
    who: Who,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> list[Word]:
    """What tags say, the most frequent first."""
    service.stream(name, who)
    book = service.mill.tags(name)
    return [Word(**asdict(each)) for each in steady(lambda: book.cloud(limit))]


@router.get("/opinion", responses=told(400, 404))
def get_opinion(
    name: str,
    service: ServiceHere,
    who: Who,
    of: Annotated[str | None, Query(alias="tuple", description="Of one tuple only.")] = None,
) -> list[OpinionOf]:
    """How tags speak of each attribute, and of whole tuples."""
    service.stream(name, who)
    book = service.mill.tags(name)
    return [OpinionOf(**asdict(each)) for each in steady(lambda: book.opinion(of))]


@router.get("/taggers", responses=told(404))
def get_taggers(name: str, service: ServiceHere, who: Who) -> list[DeedOf]:
    """Who has tagged what."""
    service.stream(name, who)
    return [DeedOf(**asdict(each)) for each in steady(service.mill.tags(name).taggers)]


@router.get("/distribution", responses=told(400, 404))
def get_distribution(
    name: str,
    service: ServiceHere,
    who: Who,
    every: Annotated[str, Query(max_length=100, description="Such as 5 min.")] = "1 min",
) -> list[SpellOf]:
    """How many tags with each content were attached in each stretch of time."""
    service.stream(name, who)
    book = service.mill.tags(name)
    return [SpellOf(**asdict(each)) for each in steady(lambda: book.distribution(every))]


@router.get("/items", responses=told(400, 404))
def get_tagged_items(
    name: str,
    service: ServiceHere,
    who: Who,
    content: Annotated[str | None, Query(max_length=4096, description="Only with this.")] = None,
    after: After = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 20,
) -> list[TaggedItemPage]:
    """The newest items that have tags, with all that they have; oldest first."""
    service.stream(name, who)
    behind = None if after is None else read_position(after, 1)[0]
    found = steady(lambda: _tagged(service, name).newest(limit, content, behind))
    return [
        TaggedItemPage(
            position=write_position((each.position,)),
            value=each.text,
            tags=[TagOnItem(**asdict(tag)) for tag in each.tags],
        )
        for each in found
    ]


@router.get("/related", responses=told(404))
def get_related(
    name: str,
    service: ServiceHere,
    who: Who,
    content: Annotated[str, Query(max_length=4096)],
    limit: Annotated[int, Query(ge=1, le=1000)] = 30,
) -> list[RelatedWord]:
    """What other tags say that are on the same items, the most frequent first."""
    service.stream(name, who)
    found = steady(lambda: _tagged(service, name).related(content, limit))
    return [RelatedWord(content=said, items=items) for said, items in found]


def _tagged(service: Service, name: str) -> TaggedItems:
    runner = service.mill.runner(name)
    return TaggedItems(service.mill.space.storage, runner.record, runner.journal)
