"""What every plan is made in: the network, what flows in it, and what is known of its streams."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.model.network import Network
from millstream.sharing.cost import NOTHING, NetworkState, Usage
from millstream.sharing.cost.usage import transport
from millstream.sharing.planner.match_cache import MatchCache
from millstream.sharing.planner.operators import Operator, Rates, work_usage
from millstream.sharing.planner.options import Options
from millstream.sharing.planner.plan import PlanInput
from millstream.sharing.planner.registry import FlowRegistry
from millstream.sharing.planner.routes import PathBook
from millstream.sharing.properties import Input, flowing
from millstream.sharing.statistics import Estimate, StreamStatistics, estimate

MOST_ESTIMATES = 4096
"""Contents whose estimates are kept."""


@dataclass(slots=True)
class Surroundings:
    """The state that plans are made from and installed in."""

    state: NetworkState
    registry: FlowRegistry
    book: PathBook
    cache: MatchCache
    options: Options
    statistics: dict[str, StreamStatistics] = field(default_factory=dict)
    _estimates: dict[Input, Estimate] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        return self.state.network

    def estimate(self, content: Input) -> Estimate:
        """What is expected to flow of a content; estimated once for as long as that is kept."""
        found = self._estimates.get(content)
        if found is None:
            if len(self._estimates) >= MOST_ESTIMATES:
                self._estimates.clear()
            found = estimate(content, self.statistics[content.stream])
            self._estimates[content] = found
        return found

    def learn(self, stream: str, statistics: StreamStatistics) -> None:
        """Take statistics of a stream, new or newer."""
        self.statistics[stream] = statistics
        self._estimates.clear()

    def carrying(self, part: PlanInput) -> Usage:
        """What the new flow of a plan uses: to be made where it is tapped, and to be carried."""
        if part.flow is None:
            return NOTHING
        sent = self.estimate(part.flow.content)
        carried = transport(self.network, part.flow.route, sent, self.options.loads)
        return carried + self._work(part, part.operators, part.tap)

    def finishing(self, part: PlanInput, peer: str) -> Usage:
        """What the results of a plan use at the subscriber's super-peer."""
        operators = part.post if part.flow is not None else (*part.operators, *part.post)
        return self._work(part, operators, peer)

    def _work(self, part: PlanInput, operators: tuple[Operator, ...], peer: str) -> Usage:
        source, made = self.estimate(part.tapped.content), self.estimate(flowing(part.asked))
        rates = Rates(source, made)
        return work_usage(operators, peer, rates, self.network, self.options.loads)
