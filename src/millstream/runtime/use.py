"""What streams use: bytes on links between peers, and work at peers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

Hop = tuple[str, str]
"""From one peer to the next on a route."""


@dataclass(frozen=True, slots=True)
class LinkUse:
    """What went over a link."""

    bytes: int = 0
    """Of the items as XML text."""
    items: int = 0

    def __add__(self, other: LinkUse) -> LinkUse:
        return LinkUse(self.bytes + other.bytes, self.items + other.items)


@dataclass(frozen=True, slots=True)
class PeerUse:
    """What a peer did."""

    seconds: float = 0.0
    """Of work, by the clock on the wall."""
    items: int = 0
    """That it took in, each stream by itself."""
    steps: int = 0

    def __add__(self, other: PeerUse) -> PeerUse:
        return PeerUse(
            self.seconds + other.seconds, self.items + other.items, self.steps + other.steps
        )


@dataclass(frozen=True, slots=True)
class Use:
    """What was used, by hop and by peer."""

    hops: Mapping[Hop, LinkUse] = field(default_factory=dict)
    peers: Mapping[str, PeerUse] = field(default_factory=dict)

    def __add__(self, other: Use) -> Use:
        hops, peers = dict(self.hops), dict(self.peers)
        for hop, link in other.hops.items():
            hops[hop] = hops.get(hop, LinkUse()) + link
        for name, peer in other.peers.items():
            peers[name] = peers.get(name, PeerUse()) + peer
        return Use(hops, peers)

    def to_json(self) -> dict[str, Any]:
        return {
            "hops": [[*hop, each.bytes, each.items] for hop, each in self.hops.items()],
            "peers": [
                [name, each.seconds, each.items, each.steps] for name, each in self.peers.items()
            ],
        }

    @staticmethod
    def from_json(content: Mapping[str, Any] | None) -> Use:
        """What `to_json` wrote; nothing where nothing was written."""
        if not content:
            return Use()
        hops = {(source, target): LinkUse(*use) for source, target, *use in content["hops"]}
        return Use(hops, {name: PeerUse(*use) for name, *use in content["peers"]})


def total(uses: Iterable[Use]) -> Use:
    """All uses together."""
    return reduce(Use.__add__, uses, Use())
