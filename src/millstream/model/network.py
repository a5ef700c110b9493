"""The network that streams flow through: super-peers, the links between them, and thin-peers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from millstream.errors import QueryError, SchemaError, did_you_mean

EndPoints = tuple[str, str]
"""The two ends of a link, in the order of the network's peers."""

DEFAULT_BANDWIDTH = 100_000_000 / 8
"""Bytes a second: a link of 100 MBit/s."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A super-peer: it runs operators and forwards streams."""

    name: str
    capacity: float = 1.0
    """The load it can bear, in seconds of work a second."""
    index: float = 1.0
    """Its performance index: a peer of index 2 takes twice the load for an item."""


@dataclass(frozen=True, slots=True)
class ThinPeer:
    """A device that brings a stream or takes results, registered at a super-peer."""

    name: str
    super_peer: str


@dataclass(frozen=True, slots=True)
class Link:
    """A connection between two super-peers, in both directions."""

    source: str
    target: str
    bandwidth: float = DEFAULT_BANDWIDTH
    """Bytes a second."""


@dataclass(frozen=True)
class Network:
    """A backbone of super-peers; peers are numbered by their place in it."""

    peers: tuple[Peer, ...]
    links: tuple[Link, ...] = ()
    thin_peers: tuple[ThinPeer, ...] = field(default=())

    def __post_init__(self) -> None:
        names = [each.name for each in self.peers]
        if len(set(names)) != len(names):
            raise SchemaError("two super-peers have the same name")
        for link in self.links:
            for end in (link.source, link.target):
                if end not in self._numbers:
                    raise SchemaError(
                        f"a link ends at '{end}', which is no super-peer",
                        help=did_you_mean(end, names),
                    )

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {each.name: number for number, each in enumerate(self.peers)}

    @cached_property
    def _links(self) -> Mapping[EndPoints, Link]:
        return {self.ends(each.source, each.target): each for each in self.links}

    @cached_property
    def _neighbours(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {each.name: set() for each in self.peers}
        for link in self.links:
            found[link.source].add(link.target)
            found[link.target].add(link.source)
        return {
            name: tuple(sorted(each, key=self._numbers.__getitem__)) for name, each in found.items()
        }

    def number(self, peer: str) -> int:
        """The place of a super-peer in the network."""
        return self._numbers[peer]

    def peer(self, name: str) -> Peer:
        """The super-peer of a name, or the one that a thin-peer is registered at."""
        for thin in self.thin_peers:
            if thin.name == name:
                name = thin.super_peer
        if name not in self._numbers:
            raise QueryError(
                f"there is no peer '{name}'",
                code="unknown-peer",
                help=did_you_mean(name, self._numbers),
            )
        return self.peers[self._numbers[name]]

    def ends(self, one: str, other: str) -> EndPoints:
        """The name of the link between two peers."""
        first, second = sorted((one, other), key=self._numbers.__getitem__)
        return first, second

    def link(self, one: str, other: str) -> Link:
        return self._links[self.ends(one, other)]

    def neighbours(self, peer: str) -> tuple[str, ...]:
        """The super-peers linked to one, in the order of their numbers."""
        return self._neighbours[peer]

    def closed(self, peers: Iterable[str]) -> Network:
        """The network with peers that bear nothing, and whose links carry nothing."""
        shut = set(peers)
        return Network(
            tuple(
                replace(each, capacity=0.0) if each.name in shut else each for each in self.peers
            ),
            tuple(
                replace(each, bandwidth=0.0) if {each.source, each.target} & shut else each
                for each in self.links
            ),
            self.thin_peers,
        )

    def without(self, peers: Iterable[str] = (), links: Iterable[EndPoints] = ()) -> Network:
        """The network without some of its peers and links."""
        gone, cut = set(peers), set(links)
        return Network(
            tuple(each for each in self.peers if each.name not in gone),
            tuple(
                each
                for each in self.links
                if not {each.source, each.target} & gone
                and self.ends(each.source, each.target) not in cut
            ),
            tuple(each for each in self.thin_peers if each.super_peer not in gone),
        )


SINGLE = Network((Peer("SP0"),))
"""One super-peer, for a mill that is all in one place."""
