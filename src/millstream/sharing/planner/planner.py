"""The planner: where subscriptions get their data from, and what is made of it where."""

from __future__ import annotations

from collections.abc import Callable

from millstream.algebra.operators import Query
from millstream.errors import QueryError, StateError
from millstream.model.network import Network
from millstream.model.schema import Schema
from millstream.sharing.cost import NetworkState, cost, overloads
from millstream.sharing.cost.usage import total
from millstream.sharing.planner.drafting import Draft
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.installations import Cancellation, Installations
from millstream.sharing.planner.match_cache import Counted, MatchCache
from millstream.sharing.planner.options import Options
from millstream.sharing.planner.plan import Plan, PlanInput, Refusal
from millstream.sharing.planner.registry import FlowRegistry
from millstream.sharing.planner.routes import PathBook
from millstream.sharing.planner.surroundings import Surroundings
from millstream.sharing.properties import Properties, original
from millstream.sharing.statistics import StreamStatistics


class Planner:
    """Plans subscriptions in one network, and knows all that it has installed there."""

    def __init__(
        self,
        network: Network,
        options: Options | None = None,
        *,
        counted: Counted = lambda flow: None,
    ) -> None:
        """`counted` tells how many items a flow's item windows have counted, None if unknown."""
        self._around = Surroundings(
            NetworkState(network),
            FlowRegistry(peer.name for peer in network.peers),
            PathBook(network),
            MatchCache(counted),
            options or Options(),
        )
        self._installations = Installations(self._around)
        self._revision = 0

    @property
    def network(self) -> Network:
        return self._around.network

    @property
    def state(self) -> NetworkState:
        """What is in use."""
        return self._around.state

    @property
    def flows(self) -> tuple[Flow, ...]:
        """All that flows, in the order in which it was installed."""
        return self._around.registry.flows()

    def flow(self, name: str) -> Flow:
        """A flow by its name."""
        return self._around.registry.flow(name)

    @property
    def subscriptions(self) -> tuple[str, ...]:
        return self._installations.names()

    def add_stream(
        self, name: str, schema: Schema, peer: str, statistics: StreamStatistics
    ) -> Flow:
        """Register an original stream at a peer; nothing of it travels until it is asked for."""
        self._check_new(name)
        flow = Flow(name, original(name, schema), (self.network.peer(peer).name,))
        self._around.learn(name, statistics)
        self._around.registry.add(flow, self._around.estimate(flow.content))
        self._revision += 1
        return flow

    def refresh(self, stream: str, statistics: StreamStatistics) -> None:
        """Reckon from now on, also with what is installed, with newer statistics of a stream."""
        self._around.registry.flow(stream)
        self._around.learn(stream, statistics)
        for variant in self._around.registry.variants(stream):
            self._around.registry.refresh(variant, self._around.estimate(variant.content))
        self._installations.refresh(stream)
        self._revision += 1

    def plan(
        self,
        subscription: str,
        properties: Properties,
        peer: str,
        *,
        query: Query | None = None,
        explain: bool = False,
        fresh: bool = False,
    ) -> Plan:
        """The best plan as things are; nothing is changed.

        A `fresh` plan taps original streams only, for subscriptions that want their past as well.

        With `explain`, everything that flows is looked at, and what cannot serve is told with its
        reasons.
        """
        self._check_new(subscription)
        place = self.network.peer(peer).name
        draft = Draft(
            self._around, subscription, place, len(properties.inputs), self._timer(), explain, fresh
        )
        for asked in properties.inputs:
            self._around.registry.flow(asked.stream)
            draft.add(asked)
        return self._finished(draft, properties, query)

    def install(self, plan: Plan) -> Plan:
        """Install a plan; an error if it overloads something, or if things have changed."""
        if plan.revision != self._revision:
            raise StateError(
                f"the plan of '{plan.subscription}' was made for an earlier state of the network",
                code="stale-plan",
                help="plan it again",
            )
        if plan.refusal is not None and self._around.options.admission:
            raise QueryError(
                f"subscription '{plan.subscription}' is refused: {plan.refusal}",
                code="overload",
                help="cancel other subscriptions, or ask for less",
            )
        self._installations.install(plan)
        self._revision += 1
        return plan

    def register(
        self, subscription: str, properties: Properties, peer: str, *, query: Query | None = None
    ) -> Plan:
        """Plan and install."""
        return self.install(self.plan(subscription, properties, peer, query=query))

    def restore(
        self,
        subscription: str,
        properties: Properties,
        peer: str,
        inputs: tuple[PlanInput, ...],
        *,
        query: Query | None = None,
    ) -> Plan:
        """Take note of a plan that is at work already, whether or not there is room for it."""
        self._check_new(subscription)
        around, place = self._around, self.network.peer(peer).name
        usage = total(around.carrying(each) + around.finishing(each, place) for each in inputs)
        plan = Plan(
            subscription,
            properties,
            place,
            around.options.strategy,
            inputs,
            usage,
            cost(usage, around.state, around.options.gamma),
            None,
            True,
            self._revision,
            query,
        )
        self._installations.install(plan)
        self._revision += 1
        return plan

    def cancel(self, subscription: str) -> Cancellation:
        """End a subscription; its flows live on while others depend on them."""
        cancellation = self._installations.cancel(subscription)
        self._revision += 1
        return cancellation

    def cancellation(self, subscription: str) -> Cancellation:
        """What cancelling a subscription would do; nothing is changed."""
        return self._installations.preview(subscription)

    def installed(self, subscription: str) -> Plan:
        """The plan by which a subscription was installed."""
        return self._installations.plan(subscription)

    def cost_of(self, subscription: str) -> float:
        """What a subscription cost when it was installed."""
        return self.installed(subscription).cost

    def dependents(self, subscription: str) -> tuple[str, ...]:
        """The other subscriptions whose results come from flows of this one."""
        registry = self._around.registry
        names = (each.name for each in self.installed(subscription).flows)
        found = dict.fromkeys(each for name in names for each in registry.dependents(name))
        return tuple(each for each in found if each != subscription)

    def dependency_graph(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a stream, or the subscription whose flow is shared, and who shares it."""
        registry = self._around.registry
        edges: dict[tuple[str, str], None] = {}
        for name in self.subscriptions:
            for part in self.installed(name).inputs:
                edges.setdefault((part.tapped.subscription or part.tapped.name, name))
        for flow in registry.flows():
            # Cancelled subscriptions whose flows live on.
            if flow.tapped is not None and flow.subscription is not None:
                tapped = registry.flow(flow.tapped)
                edges.setdefault((tapped.subscription or tapped.name, flow.subscription))
        return tuple(edges)

    def _check_new(self, name: str) -> None:
        if name in self._installations or name in self._around.statistics:
            raise QueryError(f"there is already a '{name}'", code="known-name")

    def _timer(self) -> Callable[[], bool]:
        limit, clock = self._around.options.time_limit, self._around.options.clock
        if limit is None:
            return lambda: False
        end = clock() + limit
        return lambda: clock() >= end

    def _finished(self, draft: Draft, properties: Properties, query: Query | None) -> Plan:
        state, options = self._around.state, self._around.options
        over = tuple(overloads(draft.usage, state))
        return Plan(
            draft.subscription,
            properties,
            draft.peer,
            options.strategy,
            tuple(draft.parts),
            draft.usage,
            cost(draft.usage, state, options.gamma),
            Refusal(over) if over else None,
            draft.complete,
            self._revision,
            query,
        )
