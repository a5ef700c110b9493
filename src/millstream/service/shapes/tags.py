"""Tags on the wire."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from millstream.service.shapes.shape import Request, Shape


class NewTag(Request):
    """A tag to be attached, by whoever asks."""

    content: str = Field(max_length=4096)
    """What it says; empty to retract."""
    applicability: str | None = Field(default=None, max_length=4096)
    """STREAMS,TUPLES,{OBJECTS}; the next tuple, if it is left out."""
    sign: Literal["+", "-"] | None = None
    lifespan: str | None = Field(default=None, max_length=100)
    """Such as 30 min; else for an instant."""
    mode: Literal["Combine", "Overwrite"] | None = None
    type: str | None = Field(default=None, max_length=100)
    """One of the five types; else told by the content."""
    time: str | None = Field(default=None, max_length=100)
    """When; else what the stream has reached."""
    tagger: str | None = Field(default=None, max_length=100)
    """Who attaches it, for those who may operate; everybody else is their own tagger."""


class Tag(Shape):
    """A tag of a stream."""

    number: int | None
    """Nothing while it waits for the next step."""
    tagger: str
    applicability: str
    content: str
    type: str
    sign: str
    lifespan: str
    mode: str
    time: str | None


class Word(Shape):
    """A content in a cloud of tags."""

    content: str
    count: int
    size: int
    """From 1 to 9."""


class OpinionOf(Shape):
    """How many tags speak well, ill, or neither way of an attribute, or of whole tuples."""

    object: str | None
    positive: int
    negative: int
    neutral: int


class DeedOf(Shape):
    """Who has put how many tags with a content on an attribute, or on whole tuples."""

    tagger: str
    object: str | None
    content: str
    tags: int
    tuples: int


class SpellOf(Shape):
    """How many tags with a content were attached in a stretch of time."""

    begin: str
    content: str
    count: int


class TagOnItem(Shape):
    """A tag as it is on an item."""

    tagger: str
    content: str
    sign: str
    object: str | None
    """The attribute that it is on; nothing for the whole item."""


class TaggedItemPage(Shape):
    """An item with the tags that it has."""

    position: str
    value: str | None
    """The item as XML text; nothing when it is not kept any more."""
    tags: list[TagOnItem]


class RelatedWord(Shape):
    """What tags say that are on the same items."""

    content: str
    items: int
    """How many items have both."""
