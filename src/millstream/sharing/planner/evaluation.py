"""What it costs to tap a flow at a peer for one input, and which tap is best so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.sharing.cost import NetworkState, cost, overloads
from millstream.sharing.planner.candidate import Candidate, Rejection
from millstream.sharing.planner.match_cache import Matches
from millstream.sharing.planner.operators import Rates, tap_operators, work_usage
from millstream.sharing.planner.options import Options
from millstream.sharing.planner.routes import Routes
from millstream.sharing.planner.variants import Variant
from millstream.sharing.properties import Input
from millstream.sharing.statistics import Estimate

TIE = 1 - 1e-12
"""A plan is better only if it costs less by more than numbers are rounded."""


@dataclass(slots=True)
class Evaluation:
    """One input to be answered: what it wants, and the candidates that were evaluated."""

    wanted: Input
    made: Estimate
    """Of what is wanted, once it flows."""
    state: NetworkState
    options: Options
    matches: Matches
    routes: Routes
    best: Candidate | None = None
    considered: dict[tuple[int, str], Candidate] = field(default_factory=dict)
    rejected: list[Rejection] = field(default_factory=list)
    complete: bool = True
    """False if time ran out before everything promising was evaluated."""

    @property
    def settled(self) -> bool:
        """True if the best candidate is one that can be admitted."""
        return self.best is not None and not (self.options.admission and self.best.overloads)

    def serves(self, variant: Variant) -> bool:
        """Whether a variant can answer the input."""
        return self.matches.with_variant(variant).reusable

    def beaten(self, promise: float) -> bool:
        """True if a candidate that costs at least so much is not better than the best."""
        return self.best is not None and promise >= self.best.cost * TIE

    def consider(self, variant: Variant, peer: str) -> None:
        """Evaluate the tap of a variant that serves; keep it if it is the best."""
        place = (variant.number, peer)
        if place in self.considered:
            return
        candidate = self._candidate(variant, peer)
        if candidate is None:
            return
        self.considered[place] = candidate
        if self.best is None or self._better(candidate, self.best):
            self.best = candidate

    def _candidate(self, variant: Variant, peer: str) -> Candidate | None:
        """The tap with the best of its ways; None if no way leads to the subscriber."""
        flow = variant.at(peer)
        assert flow is not None, "a variant is tapped where it is"
        match = self.matches.with_variant(variant)
        operators = tap_operators(self.wanted, variant.content, match)
        rates = Rates(variant.estimate, self.made)
        work = work_usage(operators, peer, rates, self.state.network, self.options.loads)
        best: Candidate | None = None
        for way in self.routes.ways(peer):
            usage = way.usage + work
            price = cost(usage, self.state, self.options.gamma)
            over = tuple(overloads(usage, self.state))
            found = Candidate(flow, peer, way.route, match, operators, usage, price, over)
            if best is None or self._better(found, best):
                best = found
        return best

    def _better(self, new: Candidate, old: Candidate) -> bool:
        if self.options.admission and bool(new.overloads) != bool(old.overloads):
            return not new.overloads
        return new.cost < old.cost * TIE
