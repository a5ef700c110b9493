"""Finding the cheapest way to answer an input by way of the index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from millstream.sharing.planner.evaluation import Evaluation
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.flow_index import Offers
from millstream.sharing.planner.registry import FlowRegistry
from millstream.sharing.planner.variants import Variant

AT_A_TIME = 256
"""Flows that are compared with each other before the next are looked at."""

OutOfTime = Callable[[], bool]
Floats = NDArray[np.float64]


def search_nearby(evaluation: Evaluation, registry: FlowRegistry, peers: Sequence[str]) -> bool:
    """Look for just what is wanted at peers near the subscriber; True if that settles it."""
    variant = registry.variant(evaluation.wanted)
    if variant is None or not evaluation.serves(variant):
        return False
    for peer in peers:
        if variant.at(peer) is not None:
            evaluation.consider(variant, peer)
    return evaluation.settled


def search_index(
    evaluation: Evaluation, registry: FlowRegistry, source: Flow, out_of_time: OutOfTime
) -> None:
    """Find the cheapest candidate, looking at the most promising flows first.

    A plan costs at least its way and the work at the tap that the index can tell. So when the next
    flow promises no less than the best plan costs, that plan is the cheapest there is.
    """
    evaluation.consider(registry.variant_of(source), source.origin)
    index = registry.index
    offers = index.offers(evaluation.wanted, evaluation.made, evaluation.options.loads)
    search = _BestFirst(evaluation, offers, index.peers, out_of_time)
    if evaluation.options.admission:
        search.run(bearable=True)
    if not (evaluation.options.admission and evaluation.settled):
        search.run(bearable=False)


@dataclass(frozen=True, slots=True)
class _PeerCosts:
    """What it costs at least to tap a flow at each peer."""

    ways: Floats
    """The cheapest way to the subscriber; infinite where there is none."""
    weights: Floats
    """What a second of work a second costs, at index 1."""
    most: Floats
    """How much of that a peer can still take."""

    def least(self, work: float) -> float:
        """What a plan costs at least, wherever a flow that makes so much work is tapped."""
        return float((self.ways + work * self.weights).min(initial=np.inf))

    def promises(self, work: Floats, places: NDArray[np.bool_]) -> Floats:
        """For each flow and peer what a plan costs at least; infinite where there is none."""
        each = work[:, None]
        promises: Floats = np.where(
            places & (each <= self.most), self.ways + each * self.weights, np.inf
        )
        return promises


class _BestFirst:
    """Candidates in the order of what they promise."""

    def __init__(
        self,
        evaluation: Evaluation,
        offers: Offers,
        peers: Sequence[str],
        out_of_time: OutOfTime,
    ) -> None:
        self._evaluation = evaluation
        self._offers = offers
        self._peers = peers
        self._out_of_time = out_of_time

    def run(self, *, bearable: bool) -> None:
        """Consider all that may be best; if bearable, only what need not overload anything.

        Flows that leave little work come first, some at a time.
        """
        costs = self._peer_costs(bearable)
        order = np.argsort(self._offers.least, kind="stable")
        for start in range(0, len(order), AT_A_TIME):
            some = order[start : start + AT_A_TIME]
            if self._hopeless(costs.least(self._offers.least[some[0]]), bearable):
                return
            if not self._run_some(some, costs, bearable):
                return

    def _run_some(self, some: NDArray[np.intp], costs: _PeerCosts, bearable: bool) -> bool:
        """Consider some flows, the most promising first; False if time ran out."""
        promises = costs.promises(self._offers.least[some], self._offers.places[some])
        least = promises.min(axis=1)
        for row in np.argsort(least, kind="stable").tolist():
            if self._hopeless(float(least[row]), bearable):
                return True
            if self._out_of_time():
                self._evaluation.complete = False
                return False
            variant = self._offers.variant(int(some[row]))
            if self._evaluation.serves(variant):
                self._consider(variant, promises[row], bearable)
        return True

    def _consider(self, variant: Variant, promises: Floats, bearable: bool) -> None:
        for place in np.argsort(promises, kind="stable").tolist():
            if self._hopeless(float(promises[place]), bearable):
                return
            self._evaluation.consider(variant, self._peers[place])

    def _hopeless(self, promise: float, bearable: bool) -> bool:
        if np.isinf(promise):
            return True
        # An unbearable best plan, however cheap, gives way to one that can be borne.
        return self._evaluation.beaten(promise) and (self._evaluation.settled or not bearable)

    def _peer_costs(self, bearable: bool) -> _PeerCosts:
        count = len(self._peers)
        ways, weights, most = np.full(count, np.inf), np.zeros(count), np.full(count, np.inf)
        for place in np.flatnonzero(self._offers.places.any(axis=0)).tolist():
            ways[place] = self._cheapest_way(place, bearable)
            weights[place], free = self._work(place)
            if bearable:
                most[place] = free
        return _PeerCosts(ways, weights, most)

    def _cheapest_way(self, place: int, bearable: bool) -> float:
        ways = self._evaluation.routes.ways(self._peers[place])
        costs = (way.cost for way in ways if not (bearable and way.overloaded))
        return min(costs, default=np.inf)

    def _work(self, place: int) -> tuple[float, float]:
        """What a second of work at index 1 costs at a peer, and how many it can still take."""
        state, gamma = self._evaluation.state, self._evaluation.options.gamma
        peer = state.network.peers[place]
        if peer.capacity <= 0 or peer.index <= 0:
            return 0.0, np.inf
        free = peer.capacity * (1 + 1e-9) - state.used_load(peer.name)
        return (1 - gamma) * peer.index / peer.capacity, free / peer.index
