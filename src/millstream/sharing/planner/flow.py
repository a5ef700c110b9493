"""A stream in the network."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.sharing.properties import Input


@dataclass(frozen=True, slots=True)
class Flow:
    """An original stream, or what was made of one for a subscription.

    It is made at the first peer of its route, and can be tapped at every peer of it.
    """

    name: str
    content: Input
    route: tuple[str, ...]
    tapped: str | None = None
    """The flow that it is made from; None for an original stream."""
    subscription: str | None = None
    """Whom it was made for first."""
    private: bool = False
    """True for flows that nobody else may tap."""
    counting_since: str = ""
    """For item-based windows: the flow in which their counting began."""

    @property
    def origin(self) -> str:
        return self.route[0]

    @property
    def target(self) -> str:
        return self.route[-1]

    def reference(self, peer: str) -> str:
        """The name by which plans know this flow at a peer of its route."""
        hop = self.route.index(peer)
        return f"{self.name}:plan-{hop - 1}" if hop else self.name
