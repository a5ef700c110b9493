"""The service itself, on the wire."""

from __future__ import annotations

from typing import Literal

from millstream.service.shapes.shape import Shape


class StreamHealth(Shape):
    """How a stream is."""

    state: Literal["running", "waiting", "ended", "failed"]
    failure: str | None = None


class Health(Shape):
    """How the service is."""

    status: Literal["ok", "failing"]
    version: str
    seconds: float
    """Since it began."""
    streams: dict[str, StreamHealth]


class Totals(Shape):
    """What has passed, of everything."""

    streams: int
    subscriptions: int
    readers: int
    """Event streams that are open."""
    step: int
    """The last step."""
    items: int
    bytes: int
    quarantined: int
    rate: float
    """Items a second over the last minute."""


class LimitsPage(Shape):
    """The most that somebody may have; nothing is no limit."""

    subscriptions: int | None
    query_bytes: int | None
    results_per_second: float | None
    readers: int | None


class Me(Shape):
    """Whoever asks."""

    name: str
    rights: list[Literal["create", "operate"]]
    streams: list[str]
    limits: LimitsPage
    subscriptions: int
    """Active ones that are its own."""
