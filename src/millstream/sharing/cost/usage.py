"""What a plan, or a part of it, uses of the network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from millstream.model.network import EndPoints, Network, Peer
from millstream.sharing.cost.loads import BaseLoads, Work, load
from millstream.sharing.statistics import Estimate


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes a second on links and seconds of work a second at peers."""

    traffic: Mapping[EndPoints, float] = field(default_factory=dict)
    work: Mapping[str, float] = field(default_factory=dict)

    def __add__(self, other: Usage) -> Usage:
        if not (other.traffic or other.work):
            return self
        if not (self.traffic or self.work):
            return other
        return total((self, other))


NOTHING = Usage()


def total(parts: Iterable[Usage]) -> Usage:
    """The sum of several usages."""
    traffic: dict[EndPoints, float] = defaultdict(float)
    work: dict[str, float] = defaultdict(float)
    for part in parts:
        for ends, amount in part.traffic.items():
            traffic[ends] += amount
        for peer, amount in part.work.items():
            work[peer] += amount
    return Usage(dict(traffic), dict(work))


def transport(network: Network, route: tuple[str, ...], flow: Estimate, base: BaseLoads) -> Usage:
    """What it takes to carry a flow along a route: traffic on each link, work at both its ends."""
    traffic: dict[EndPoints, float] = defaultdict(float)
    work: dict[str, float] = defaultdict(float)
    for source, target in pairwise(route):
        traffic[network.ends(source, target)] += flow.traffic
        work[source] += load(Work.SEND, _peer(network, source), flow.frequency, base)
        work[target] += load(Work.RECEIVE, _peer(network, target), flow.frequency, base)
    return Usage(dict(traffic), dict(work))


def _peer(network: Network, name: str) -> Peer:
    return network.peers[network.number(name)]
