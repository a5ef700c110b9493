"""Streams on the wire."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from millstream.service.shapes.log import Item
from millstream.service.shapes.shape import Name, Request, Shape

TypeName = Literal["integer", "decimal", "double", "time", "text"]


class NewStream(Request):
    """A stream to be made; what is left out is inferred, or left to the usual choice."""

    name: Name
    source: str = Field(min_length=1, max_length=4096)
    """A file, folder or pattern where the service runs, or the address of a stream elsewhere."""
    schema_text: str | None = Field(default=None, alias="schema", max_length=1 << 20)
    """A DTD, a tag structure, a JSON Schema or Spark DDL, as text."""
    format: Literal["auto", "xml", "json", "csv", "parquet"] | None = None
    item: str | None = None
    """The element that is one item."""
    order_by: str | None = None
    """The path that never decreases."""
    key: str | None = None
    """The path that no two items have alike; one that comes again is set aside."""
    anchor: int | float | Literal["first"] | None = None
    """Where windows start."""
    lateness: int | None = Field(default=None, ge=0)
    retention: str | None = None
    """How long the log is kept: all, none, or e.g. 7d, 10GB."""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    finite: bool = False
    """True when all that is there is all that comes."""
    types: dict[str, TypeName] | None = None
    """Types of paths, where they are not to be inferred."""
    peer: str | None = None
    rate: float | None = Field(default=None, gt=0)
    """Items a second, to reckon with until some have come."""


class StreamSummary(Shape):
    """A stream in a list."""

    name: str
    item: str
    """The element of its items."""
    peer: str
    owner: str
    steps: int
    items: int
    quarantined: int
    bytes: int
    rate: float
    """Items a second over the last minute."""
    ended: bool
    failure: str | None = None
    """What stopped it, if it is stopped."""


class Leaf(Shape):
    """A place in an item that holds text."""

    path: str
    type: TypeName
    repeated: bool


class TagOn(Shape):
    """A tag that is on an item."""

    object: str | None
    """The attribute that it is on; nothing for the whole item."""
    content: str
    tagger: str
    sign: str
    type: str


class SampleItem(Item):
    """An item, with the tags that are on it."""

    tags: list[TagOn]


class StreamPage(StreamSummary):
    """All about one stream."""

    kind: Literal["items", "fillers"]
    order_by: str | None
    key: str | None
    leaves: list[Leaf]
    layout: dict[str, Any]
    """The schema, as Millstream writes it down."""
    structure: str | None
    """The tag structure of a stream of fillers."""
    anchor: str
    lateness: int
    notes: list[str]
    """What was inferred when it was made."""
    sample: list[SampleItem]
    """Its newest items."""
    source: str | None
    """Where its items come from; told to those who may make streams."""


class ElementUse(Shape):
    """How often an element stands in an item, and how long it is."""

    path: str
    occurrence: float
    size: float
    """Bytes, on average."""


class StreamStatistics(Shape):
    """What an average item of a stream is like."""

    looked_at: int
    size: float
    """Bytes of an item."""
    frequency: float
    """Items a second that plans reckon with."""
    elements: list[ElementUse]
    increments: dict[str, float]
    """By how much a number or time grows from item to item."""
