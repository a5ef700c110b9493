"""The ways that a new flow can take to its subscriber, past what is overloaded."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.model.network import EndPoints, Network
from millstream.sharing.cost import NetworkState, Usage, Work, cost, load, overloads, share, toll
from millstream.sharing.cost.usage import transport
from millstream.sharing.network import Paths, link_weights
from millstream.sharing.planner.options import Bypass, Options
from millstream.sharing.statistics import Estimate

Gone = tuple[frozenset[str], frozenset[EndPoints]]
"""Peers and links that a reduced network is without."""

MOST_REDUCED = 256
"""Reduced networks whose paths are kept."""


@dataclass(frozen=True, slots=True)
class Way:
    """A route with all that is used along it and at its end."""

    route: tuple[str, ...]
    usage: Usage
    cost: float
    overloaded: bool


class PathBook:
    """The shortest paths of a network and of its reduced networks, each found once."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.whole = Paths(network)
        self._reduced: dict[Gone, Paths] = {}

    def without(self, gone: Gone) -> Paths:
        """The paths that avoid some peers and links."""
        if gone not in self._reduced:
            if len(self._reduced) >= MOST_REDUCED:
                self._reduced.clear()
            self._reduced[gone] = Paths(self.network.without(*gone))
        return self._reduced[gone]


class Routes:
    """The ways of one new flow to one target, from every peer where it could be made."""

    def __init__(
        self,
        book: PathBook,
        state: NetworkState,
        options: Options,
        flow: Estimate,
        target: str,
        base: Usage,
    ) -> None:
        """`base` is what the subscription uses besides: at its own peer, for its other inputs."""
        self._book = book
        self._state = state
        self._options = options
        self._flow = flow
        self._target = target
        self._base = base
        self._ways: dict[str, tuple[Way, ...]] = {}
        self._weighted: Paths | None = None

    def ways(self, origin: str) -> tuple[Way, ...]:
        """The ways from a peer, the shortest first; none if it is not connected."""
        if origin not in self._ways:
            self._ways[origin] = self._found(origin)
        return self._ways[origin]

    def _found(self, origin: str) -> tuple[Way, ...]:
        if self._options.bypass is Bypass.WEIGHTED:
            way = self._way(self._weighted_paths(), origin)
            return () if way is None else (way,)
        return self._bypassing(origin)

    def _bypassing(self, origin: str) -> tuple[Way, ...]:
        """The shortest path, then shortest paths without what the one before would overload."""
        found: list[Way] = []
        peers: set[str] = set()
        links: set[EndPoints] = set()
        way = self._way(self._book.whole, origin)
        while way is not None:
            found.append(way)
            if not way.overloaded or not self._exclude(way, peers, links):
                break
            reduced = self._book.without((frozenset(peers), frozenset(links)))
            way = self._way(reduced, origin)
        return tuple(found)

    def _exclude(self, way: Way, peers: set[str], links: set[EndPoints]) -> bool:
        """Note what a way overloads, but for its ends; False if there is nothing to avoid."""
        before = len(peers) + len(links)
        between = set(way.route[1:-1])
        for each in overloads(way.usage, self._state):
            if each.ends is not None:
                links.add(each.ends)
            elif each.place in between:
                peers.add(each.place)
        return len(peers) + len(links) > before

    def _way(self, paths: Paths, origin: str) -> Way | None:
        route = paths.shortest(origin, self._target)
        if route is None:
            return None
        carried = transport(self._book.network, route, self._flow, self._options.loads)
        usage = self._base + carried
        over = next(overloads(usage, self._state), None) is not None
        return Way(route, usage, cost(usage, self._state, self._options.gamma), over)

    def _weighted_paths(self) -> Paths:
        """Paths on which each link weighs what this flow would cost on it and at its ends.

        What it would overload weighs more than any way without an overload.
        """
        if self._weighted is None:
            network, state = self._book.network, self._state
            links = {ends: self._link_weight(ends) for ends in state.bandwidths}
            peers = {name: self._peer_weight(name) for name in state.capacities}
            most = 1 + sum(links.values()) + 2 * sum(peers.values())
            everywhere = Usage(
                dict.fromkeys(links, self._flow.traffic),
                {name: self._forwarding(name) for name in peers},
            )
            for each in overloads(everywhere, state):
                if each.ends is not None:
                    links[each.ends] += most
                else:
                    peers[each.place] += most
            self._weighted = Paths(network, link_weights(network, links, peers))
        return self._weighted

    def _link_weight(self, ends: EndPoints) -> float:
        used = share(self._flow.traffic, self._state.bandwidths[ends])
        return self._options.gamma * toll(used, self._state.free_bandwidth(ends))

    def _peer_weight(self, name: str) -> float:
        """Half of what it costs to pass a peer, for each of the two links that lead through it."""
        used = share(self._forwarding(name), self._state.capacities[name])
        return (1 - self._options.gamma) / 2 * toll(used, self._state.free_load(name))

    def _forwarding(self, name: str) -> float:
        network = self._book.network
        peer, loads = network.peers[network.number(name)], self._options.loads
        frequency = self._flow.frequency
        return load(Work.RECEIVE, peer, frequency, loads) + load(Work.SEND, peer, frequency, loads)
