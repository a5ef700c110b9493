"""The paths that streams take: the shortest, and among equals always the same one.

The tie rule: whoever walks from the source goes, at every super-peer, to the neighbour with the
highest number from which the rest is as short as it can be. So in the cube SP4 reaches SP1 by SP5:

    4 (100) ──▶ 5 (101) ──▶ 1 (001)      and not by 0 (000)
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from fractions import Fraction

from millstream.errors import SchemaError
from millstream.model.network import EndPoints, Network

Route = tuple[str, ...]
"""Super-peers one after another, the source first; both ends are part of it."""

Cost = tuple[Fraction, int]
"""How far it is: the weight of all links, then how many there are."""


class Paths:
    """The shortest paths of one network; each is looked for once.

    Without weights a path is the shorter the fewer links it has. With weights it is the shorter
    the less its links weigh together, then the fewer it has. A link of infinite weight is closed.
    """

    def __init__(self, network: Network, weights: Mapping[EndPoints, float] | None = None) -> None:
        self.network = network
        self._peers = frozenset(each.name for each in network.peers)
        self._weights = _exact(network, weights or {})
        self._costs: dict[str, dict[str, Cost]] = {}
        self._routes: dict[EndPoints, Route | None] = {}

    def shortest(self, source: str, target: str) -> Route | None:
        """The super-peers on the way, or None where no way leads or an end is not there."""
        ends = (source, target)
        if ends not in self._routes:
            self._routes[ends] = self._walk(source, target)
        return self._routes[ends]

    def hops(self, source: str, target: str) -> int | None:
        """The number of links on the shortest path."""
        route = self.shortest(source, target)
        return None if route is None else len(route) - 1

    def within(self, peer: str, horizon: int) -> Route:
        """The super-peers at most so many links away, the nearest first, itself included.

        Among equally near ones the higher number comes first.
        """
        ranked = sorted(
            (hops, -self.network.number(each), each)
            for each in self._peers
            if (hops := self.hops(peer, each)) is not None and hops <= horizon
        )
        return tuple(each for _, _, each in ranked)

    def _walk(self, source: str, target: str) -> Route | None:
        if not {source, target} <= self._peers:
            return None
        costs = self._costs_to(target)
        if source not in costs:
            return None
        route = [source]
        while route[-1] != target:
            route.append(self._next(route[-1], costs))
        return tuple(route)

    def _next(self, peer: str, costs: Mapping[str, Cost]) -> str:
        """The highest neighbour that lies on a shortest path; neighbours come in order."""
        return next(
            each
            for each in reversed(self.network.neighbours(peer))
            if each in costs and self._over(peer, each, costs[each]) == costs[peer]
        )

    def _costs_to(self, target: str) -> dict[str, Cost]:
        """How far it is to a target from every super-peer that a way leads from (Dijkstra)."""
        if target in self._costs:
            return self._costs[target]
        found: dict[str, Cost] = {}
        waiting: list[tuple[Cost, str]] = [((Fraction(0), 0), target)]
        while waiting:
            cost, peer = heapq.heappop(waiting)
            if peer in found:
                continue
            found[peer] = cost
            for each in self.network.neighbours(peer):
                farther = self._over(each, peer, cost)
                if each not in found and farther is not None:
                    heapq.heappush(waiting, (farther, each))
        self._costs[target] = found
        return found

    def _over(self, one: str, other: str, rest: Cost) -> Cost | None:
        weight = self._weights[self.network.ends(one, other)]
        return None if weight is None else (rest[0] + weight, rest[1] + 1)


def link_weights(
    network: Network, links: Mapping[EndPoints, float], peers: Mapping[str, float]
) -> dict[EndPoints, float]:
    """The weight of each link with those of the two peers at its ends added to it."""
    ends = (network.ends(each.source, each.target) for each in network.links)
    return {
        each: links.get(each, 0.0) + peers.get(each[0], 0.0) + peers.get(each[1], 0.0)
        for each in ends
    }


def _exact(
    network: Network, weights: Mapping[EndPoints, float]
) -> dict[EndPoints, Fraction | None]:
    """The weight of every link as a fraction, None for closed ones.

    Sums of floats depend on their order, and two equal ways would differ by chance.
    """
    exact: dict[EndPoints, Fraction | None] = {}
    for link in network.links:
        ends = network.ends(link.source, link.target)
        weight = weights.get(ends, 0.0)
        if math.isnan(weight) or weight < 0:
            raise SchemaError(f"the link {'-'.join(ends)} cannot weigh {weight}")
        exact[ends] = None if math.isinf(weight) else Fraction(weight)
    return exact
