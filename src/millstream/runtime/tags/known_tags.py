"""Tags as people read them, and what is counted of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from millstream.model.tags.event_time import TimeForm, format_time
from millstream.model.tags.tick_tag import format_lifespan
from millstream.runtime.tags.numbers import LONG_AGO


@dataclass(frozen=True, slots=True)
class KnownTag:
    """A tag that has come to a stream, or waits for its next step."""

    number: int | None
    """None while it waits."""
    tagger: str
    applicability: str
    content: str
    type: str
    sign: str
    lifespan: str
    mode: str
    time: str | None
    """None while nobody can tell."""

    @staticmethod
    def of(row: dict[str, Any], form: TimeForm) -> KnownTag:
        """The tag of a row of the stream's tables."""
        time = row["time"]
        return KnownTag(
            number=row.get("tag"),
            tagger=row["tagger"],
            applicability=row["applicability"],
            content=row["content"],
            type=row["type"],
            sign=row["sign"],
            lifespan=format_lifespan(row["lifespan"]),
            mode=row["mode"].capitalize(),
            time=None if time is None or time == LONG_AGO else format_time(time, form),
        )


@dataclass(frozen=True, slots=True)
class Opinion:
    """How many tags speak well, ill, or neither way of an object."""

    object: str | None
    """An attribute; None for whole tuples and the stream."""
    positive: int
    negative: int
    neutral: int

    @property
    def tags(self) -> int:
        return self.positive + self.negative + self.neutral


@dataclass(frozen=True, slots=True)
class CloudWord:
    """A content in a cloud of tags: how many tags have it, and how large it is written."""

    content: str
    count: int
    size: int
    """From 1 to 9."""


@dataclass(frozen=True, slots=True)
class Spell:
    """How many tags with a content were attached in a stretch of time."""

    begin: str
    content: str
    count: int


@dataclass(frozen=True, slots=True)
class Deed:
    """Who has put how many tags with a content on an object."""

    tagger: str
    object: str | None
    content: str
    tags: int
    tuples: int
    """How many tuples they are on."""
