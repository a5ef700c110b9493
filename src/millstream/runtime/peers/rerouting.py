"""A peer that stays away: what waits for it, and what can go around it.

A peer that only passes a flow on can be gone around: the flow takes another way, and packets that
wait at it or behind it are put on that way, so nothing is lost. A peer that a stream enters at, is
worked on or is delivered at is waited for: its packets are kept, and it goes on when it returns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from millstream.model.network import Network
from millstream.runtime.network.flows import Flows
from millstream.runtime.network.needs import needs
from millstream.runtime.peers.links import Links
from millstream.runtime.records import FlowRecord
from millstream.runtime.registry import Registry
from millstream.sharing.network.paths import Paths


@dataclass(frozen=True, slots=True)
class Rerouted:
    """A flow that takes another way."""

    flow: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rerouting:
    """What to do without some peers."""

    network: Network
    registry: Registry
    flows: Flows
    links: Links

    def around(self, away: Collection[str]) -> list[Rerouted]:
        """Lead all flows around peers that are away, where these only pass them on."""
        paths = Paths(self.network.without(away))
        done = []
        for flow in list(self.flows.records.values()):
            if not set(flow.route) & set(away):
                continue
            after = self._way(flow, away, paths)
            if after is not None:
                done.append(Rerouted(flow.name, flow.route, after))
                self.flows.reroute(flow.name, after)
                self._move(flow, after)
        return done

    def waiting(self, away: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """The subscriptions that get nothing without these peers, and which each waits for."""
        found: dict[str, tuple[str, ...]] = {}
        for record in self.registry.subscriptions.values():
            if record.tap or record.cancelled or record.standing:
                continue
            streams = self.registry.streams
            needed = needs([record], streams, self.flows.records.values())
            places = {record.peer, *(streams[each].peer for each in needed.streams)}
            for name in needed.flows:
                places |= set(self.flows.records[name].route)
            places &= set(away)
            missing = tuple(each.name for each in self.network.peers if each.name in places)
            if missing:
                found[record.name] = missing
        return found

    def _way(self, flow: FlowRecord, away: Collection[str], paths: Paths) -> tuple[str, ...] | None:
        """Another way of a flow over all peers where it is made or read; None if there is none."""
        stops = [each for each in flow.route if each in self._stops(flow)]
        if set(stops) & set(away):
            return None
        way: tuple[str, ...] = (stops[0],)
        for one, other in pairwise(stops):
            found = paths.shortest(one, other)
            if found is None:
                return None
            way += found[1:]
        return way if len(set(way)) == len(way) else None

    def _stops(self, flow: FlowRecord) -> set[str]:
        read = (each.peer for each in self.registry.streams.values() if each.fed_by == flow.tap)
        return {flow.route[0], *read}

    def _move(self, flow: FlowRecord, after: tuple[str, ...]) -> None:
        """Put what waits on hops that the flow leaves on the first hop that is new."""
        for hop in _left(flow.route, after):
            passed = flow.route[: flow.route.index(hop[0]) + 1]
            start = next(each for each in reversed(passed) if each in after)
            new = (start, after[after.index(start) + 1])
            for packet, data in self.links.waiting(flow.tap, hop):
                self.links.send(flow.tap, new, packet.batch, data)
                self.links.drop(flow.tap, hop, packet.batch)


def _left(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The hops of a way that another does not take."""
    kept = set(pairwise(after))
    return (hop for hop in pairwise(before) if hop not in kept)
