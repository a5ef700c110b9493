"""The network on the wire."""

from __future__ import annotations

from typing import Literal

from millstream.service.shapes.shape import Shape

StrategyName = Literal["sharing", "query-shipping", "data-shipping"]


class PeerUse(Shape):
    """A super-peer, what plans lay on it, and what it has done."""

    name: str
    capacity: float
    load: float
    """Seconds of work a second, by the plans."""
    share: float
    """Of its capacity."""
    seconds: float
    """Of work that it has done."""
    items: int
    steps: int


class LinkUse(Shape):
    """A link, what plans lay on it, and what went over it."""

    source: str
    target: str
    bandwidth: float
    """Bytes a second."""
    traffic: float
    """Bytes a second, by the plans."""
    share: float
    """Of its bandwidth."""
    bytes: int
    """That went over it, both ways."""
    items: int


class FlowUse(Shape):
    """An original stream, or what was made of one for a subscription, and where it flows."""

    name: str
    route: list[str]
    made_from: str | None
    subscription: str | None


class NetworkPage(Shape):
    """The network and what flows in it, by one of the strategies."""

    strategy: StrategyName
    actual: bool
    """True for what runs; False for what plans of another strategy would be."""
    peers: list[PeerUse]
    links: list[LinkUse]
    flows: list[FlowUse]


class PlanInputPage(Shape):
    """How one input of a subscription is answered."""

    stream: str
    tapped: str
    """The stream, or the flow of another subscription, that it is made from."""
    shared_with: str | None
    """The subscription that the tapped flow was made for."""
    tap: str
    """The peer where that is tapped."""
    operators: list[str]
    """What is done there."""
    route: list[str]
    post: list[str]
    """What is left to do at the subscriber's peer."""
    conditions: list[str]
    """Why the tapped flow can serve."""


class PlanPage(Shape):
    """Where a subscription gets its data from."""

    subscription: str
    peer: str
    strategy: StrategyName
    cost: float
    traffic: float
    """Bytes a second that it adds to links, each link counted."""
    inputs: list[PlanInputPage]
    text: str
    """The same, to be read by people."""


class Edge(Shape):
    """Something that is shared, and who shares it."""

    shared: str
    by: str


class Dependencies(Shape):
    """Who is made from whom."""

    names: list[str]
    edges: list[Edge]
