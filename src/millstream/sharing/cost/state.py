"""How much of the network is in use."""

from __future__ import annotations

from collections import defaultdict

from millstream.model.network import EndPoints, Network
from millstream.sharing.cost.usage import Usage

UNIT = 2.0**-40
"""Amounts are kept as whole multiples of this.

Sums of whole numbers are exact: what is given back leaves the state as it was before it was taken.
"""


class NetworkState:
    """The bandwidth used on each link and the load used at each peer."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.bandwidths = {network.ends(e.source, e.target): e.bandwidth for e in network.links}
        self.capacities = {peer.name: peer.capacity for peer in network.peers}
        self._traffic: dict[EndPoints, int] = defaultdict(int)
        self._work: dict[str, int] = defaultdict(int)

    def take(self, usage: Usage) -> None:
        """Add what a plan uses."""
        self._change(usage, 1)

    def give_back(self, usage: Usage) -> None:
        """Take away again what was added."""
        self._change(usage, -1)

    def used_bandwidth(self, ends: EndPoints) -> float:
        """Bytes a second on a link."""
        return self._traffic.get(ends, 0) * UNIT

    def used_load(self, peer: str) -> float:
        """Seconds of work a second at a peer."""
        return self._work.get(peer, 0) * UNIT

    def free_bandwidth(self, ends: EndPoints) -> float:
        """The share of a link's bandwidth that is still available, at least 0."""
        return _free(self.used_bandwidth(ends), self.bandwidths[ends])

    def free_load(self, peer: str) -> float:
        """The share of a peer's load that is still available, at least 0."""
        return _free(self.used_load(peer), self.capacities[peer])

    def snapshot(self) -> tuple[dict[EndPoints, int], dict[str, int]]:
        """All that is in use, exactly, in UNITs: equal states have equal snapshots."""
        return (
            {ends: amount for ends, amount in self._traffic.items() if amount},
            {peer: amount for peer, amount in self._work.items() if amount},
        )

    def _change(self, usage: Usage, sign: int) -> None:
        for ends, amount in usage.traffic.items():
            self._traffic[ends] += sign * round(amount / UNIT)
        for peer, amount in usage.work.items():
            self._work[peer] += sign * round(amount / UNIT)


def _free(used: float, whole: float) -> float:
    return max(0.0, 1 - used / whole) if whole > 0 else 0.0
