"""The parts of a plan, one input after another, by each of the three strategies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, count

from millstream.errors import QueryError
from millstream.sharing.cost import NOTHING, Usage, Work
from millstream.sharing.matching import match
from millstream.sharing.planner.breadth_first import explain_rejections, search_breadth_first
from millstream.sharing.planner.candidate import Candidate
from millstream.sharing.planner.evaluation import Evaluation
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.index_search import search_index, search_nearby
from millstream.sharing.planner.operators import (
    Operator,
    Per,
    Rates,
    post_operators,
    tap_operators,
    whole_operators,
    work_usage,
)
from millstream.sharing.planner.options import Strategy
from millstream.sharing.planner.plan import PlanInput
from millstream.sharing.planner.routes import Routes
from millstream.sharing.planner.surroundings import Surroundings
from millstream.sharing.planner.variants import counts_items
from millstream.sharing.properties import Input, flowing

TAP = Operator(Work.TAP, Per.SOURCE)


@dataclass(slots=True)
class Draft:
    """A plan in the making."""

    around: Surroundings
    subscription: str
    peer: str
    inputs: int
    """How many there are to be."""
    out_of_time: Callable[[], bool]
    explain: bool = False
    fresh: bool = False
    """True if only original streams may be tapped."""
    parts: list[PlanInput] = field(default_factory=list)
    usage: Usage = NOTHING
    complete: bool = True

    def add(self, asked: Input) -> None:
        """Decide how one more input is answered."""
        match self.around.options.strategy:
            case Strategy.SHARING:
                if not self._repeat(asked):
                    self._share(asked)
            case Strategy.QUERY_SHIPPING:
                self._ship_query(asked)
            case Strategy.DATA_SHIPPING:
                self._ship_data(asked)

    def _share(self, asked: Input) -> None:
        """Tap what flows, where that is cheapest."""
        around, wanted = self.around, flowing(asked)
        made = around.estimate(wanted)
        post = post_operators(asked, self.inputs)
        finishing = work_usage(
            post, self.peer, Rates(made, made), around.network, around.options.loads
        )
        base = self.usage + finishing
        evaluation = Evaluation(
            wanted,
            made,
            around.state,
            around.options,
            around.cache.matches(wanted),
            Routes(around.book, around.state, around.options, made, self.peer, base),
        )
        self._search(evaluation)
        if evaluation.best is None:
            raise unreachable(asked.stream, self.peer)
        self.complete = self.complete and evaluation.complete
        self._choose(asked, evaluation, evaluation.best, post)

    def _search(self, evaluation: Evaluation) -> None:
        registry, options = self.around.registry, self.around.options
        source = registry.flow(evaluation.wanted.stream)
        if self.fresh:
            evaluation.consider(registry.variant_of(source), source.origin)
            return
        if self.explain:
            search_breadth_first(evaluation, registry, source, self.out_of_time)
            explain_rejections(evaluation, registry)
            return
        near: tuple[str, ...] = (self.peer,)
        if options.horizon:
            near = self.around.book.whole.within(self.peer, options.horizon)
        if not search_nearby(evaluation, registry, near):
            search_index(evaluation, registry, source, self.out_of_time)

    def _choose(
        self, asked: Input, evaluation: Evaluation, best: Candidate, post: tuple[Operator, ...]
    ) -> None:
        flow: Flow | None = None
        if len(best.operators) > 1:
            since = self._name() if counts_items(evaluation.wanted) else ""
            flow = self._flow(evaluation.wanted, best.route, best.flow, since=since)
        elif len(best.route) > 1:
            since = best.flow.counting_since
            flow = self._flow(best.flow.content, best.route, best.flow, since=since)
        considered, rejected = tuple(evaluation.considered.values()), tuple(evaluation.rejected)
        self.usage = best.usage
        self.parts.append(
            PlanInput(
                asked,
                best.flow,
                best.peer,
                best.match,
                best.operators,
                flow,
                post,
                considered,
                rejected,
            )
        )

    def _repeat(self, asked: Input) -> bool:
        """Take what an earlier input of this subscription brings already; False if none does."""
        wanted = flowing(asked)
        earlier = next((each for each in self.parts if flowing(each.asked) == wanted), None)
        if earlier is None:
            return False
        answer = match(wanted, wanted, offset=0)
        if not answer.reusable:
            return False
        operators = tap_operators(wanted, wanted, answer)
        post = post_operators(asked, self.inputs)
        self._append(PlanInput(asked, earlier.delivered, self.peer, answer, operators, None, post))
        return True

    def _ship_data(self, asked: Input) -> None:
        """Send the whole stream and evaluate at the subscriber's super-peer."""
        source = self.around.registry.flow(asked.stream)
        post = (*whole_operators(asked), *post_operators(asked, self.inputs))
        self._ship(asked, source, source.content, (TAP,), post)

    def _ship_query(self, asked: Input) -> None:
        """Evaluate where the stream enters and send the result.

        Of several inputs each is evaluated where it enters; their combination is left.
        """
        source = self.around.registry.flow(asked.stream)
        operators = (TAP, *whole_operators(asked), *post_operators(asked, 1))
        post = post_operators(asked, self.inputs) if self.inputs > 1 else ()
        self._ship(asked, source, asked, operators, post)

    def _ship(
        self,
        asked: Input,
        source: Flow,
        content: Input,
        operators: tuple[Operator, ...],
        post: tuple[Operator, ...],
    ) -> None:
        route = self.around.book.whole.shortest(source.origin, self.peer)
        if route is None:
            raise unreachable(asked.stream, self.peer)
        answer = match(flowing(asked), source.content)
        flow = self._flow(content, route, source, private=True)
        self._append(PlanInput(asked, source, source.origin, answer, operators, flow, post))

    def _append(self, part: PlanInput) -> None:
        self.usage = self.usage + self.around.carrying(part)
        self.usage = self.usage + self.around.finishing(part, self.peer)
        self.parts.append(part)

    def _name(self) -> str:
        """A name for the next flow: the subscription's, with a number if it needs several."""
        name = self.subscription
        if self.inputs > 1:
            name = f"{name}:{len(self.parts) + 1}"
        # The flow of a cancelled subscription of the same name may live on.
        names = chain((name,), (f"{name}~{number}" for number in count(2)))
        return next(each for each in names if each not in self.around.registry)

    def _flow(
        self,
        content: Input,
        route: tuple[str, ...],
        tapped: Flow,
        *,
        since: str = "",
        private: bool = False,
    ) -> Flow:
        return Flow(self._name(), content, route, tapped.name, self.subscription, private, since)


def unreachable(stream: str, peer: str) -> QueryError:
    """The error for a subscriber that the stream has no way to."""
    return QueryError(f"no way leads from stream '{stream}' to peer '{peer}'", code="unreachable")
