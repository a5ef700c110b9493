"""Subscriptions on the wire."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from millstream.service.shapes.shape import Name, Request, Shape


class NewSubscription(Request):
    """A continuous query to be registered."""

    text: str = Field(min_length=1)
    name: Name | None = None
    language: Literal["auto", "xquery", "tagql"] = "auto"
    end: Literal["cut", "run", "gather"] | None = None
    """What becomes of unfinished windows when a stream ends."""
    empty: bool = False
    """True to have results of empty windows too."""
    start: Literal["now", "log"] = "now"
    """From the log: what streams still hold of their past is answered too."""
    peer: str | None = None


class SubscriptionSummary(Shape):
    """A subscription in a list."""

    name: str
    owner: str
    peer: str
    streams: list[str]
    cancelled: bool


class SubscriptionPage(SubscriptionSummary):
    """All about one subscription."""

    text: str
    algebra: str
    """What it means."""
    opening: str
    """The XML before its results."""
    closing: str


class Explained(Shape):
    """How a query would be answered, or is."""

    kind: Literal["items", "history"]
    """Of items in the shared algebra, or of histories, which have no cost in plans."""
    streams: list[str]
    algebra: str
    properties: str
    """What it asks of each stream."""
    sharing: str
    """What it reuses, what else was considered, and what is saved."""
    evaluation: str
    """How the shared step treats it."""
    sql: str
    """What runs: Spark SQL, or XQuery over fillers."""
    cost: float
    refusal: str | None
    """Why it would be refused, if it would be."""


class Costs(Shape):
    """What a subscription costs, who depends on it, and what its end would change."""

    subscription: str
    peer: str
    cost: float
    made_from: list[str]
    traffic: dict[str, float]
    """Bytes a second that it adds to links."""
    work: dict[str, float]
    """Seconds of work a second that it adds to peers."""
    dependents: list[str]
    same_results: list[str]
    cancelling: dict[str, Any]


class SavingsPage(Shape):
    """What was used, and what it would have been with every subscription by itself."""

    subscriptions: int
    items_parsed: int
    items_parsed_alone: int
    bytes_moved: int
    bytes_moved_alone: int
    busy_seconds: float
    busy_seconds_alone: float
