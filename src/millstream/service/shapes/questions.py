"""Questions that are answered once, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from millstream.service.shapes.shape import Request, Shape


class Question(Request):
    """A query over histories, or a SELECT of TAG-QL, to be answered once."""

    text: str = Field(min_length=1)
    now: str | None = Field(default=None, max_length=40)
    """The instant that histories are asked at, such as 2003-11-01T12:00:00; else the latest known.

    A SELECT is about what is live now.
    """
    strategy: Literal["caq", "qac", "qac+"] = "qac+"


class Answered(Shape):
    """What a query gave."""

    items: list[str]
    now: datetime | str | None
    """The instant that it was asked at, or the time of a stream that counts in seconds."""
    strategy: str
    engine: str
    """Where it was answered."""
    streams: list[str]
    seconds: float
