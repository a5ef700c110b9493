"""Where the subscriptions of a mill get their data from: its planner, kept in step with the space.

In a network of several peers plans are deployed: flows between peers are streams of the space. In
a mill that is all in one place there is nothing to deploy, as one shared batch does it all; the
planner still knows who could be answered from whom, and is only made when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from millstream.algebra.operators import Query, scans
from millstream.compiler.tags.compilation import asks_tags
from millstream.errors import QueryError, StateError, UnsupportedError
from millstream.model.network import Network
from millstream.model.window import EndRule
from millstream.runtime.network.deployment import Deployment
from millstream.runtime.peers.remote_deployment import RemoteDeployment
from millstream.runtime.peers.rerouting import Rerouting
from millstream.runtime.records import FlowRecord, StreamRecord, SubscriptionRecord
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.shared_batch import FROM_LOG
from millstream.sharing.matching import match
from millstream.sharing.planner import (
    Cancellation,
    Flow,
    Options,
    Plan,
    PlanInput,
    Planner,
    Strategy,
)
from millstream.sharing.planner.operators import post_operators, tap_operators
from millstream.sharing.properties import Input, Properties, flowing
from millstream.sharing.reading_properties import properties_of
from millstream.sharing.statistics import StreamStatistics


class Plans:
    """The plans of all subscriptions, made and remembered."""

    def __init__(
        self,
        registry: Registry,
        network: Network,
        options: Options,
        statistics: Callable[[StreamRecord], StreamStatistics],
        deployment: Deployment | None,
    ) -> None:
        self.network = network
        self._registry = registry
        self._options = options
        self._statistics = statistics
        self._deployment = deployment
        self._planner: Planner | None = None

    @property
    def planner(self) -> Planner:
        """The planner, which knows all streams and active subscriptions."""
        if self._planner is None:
            self._planner = self._restored()
        return self._planner

    @property
    def strategy(self) -> Strategy:
        """How subscriptions get their data."""
        return self._options.strategy

    def under(self, strategy: str) -> Planner:
        """How all would be planned by another strategy, in the order of registration."""
        options = replace(self._options, strategy=Strategy(strategy), admission=False)
        planner = Planner(self.network, options)
        for stream in self._originals():
            self._add_stream(planner, stream)
        for record in sorted(self._registry.subscriptions.values(), key=lambda each: each.number):
            if not (record.tap or record.cancelled or record.standing):
                self._replay(planner, record)
        return planner

    def place(self, peer: str | None) -> str:
        """The super-peer of a name; without one, the first."""
        return self.network.peers[0].name if peer is None else self.network.peer(peer).name

    def plan(
        self,
        record: SubscriptionRecord,
        query: Query,
        *,
        explain: bool = False,
        placed: bool = True,
    ) -> Plan:
        """How a subscription would be answered as things are."""
        record = record if placed else self._settled(record, query)
        plan = self.planner.plan(
            record.name,
            asked_by(record, query),
            record.peer,
            query=query,
            explain=explain,
            fresh=record.start == FROM_LOG,
        )
        tagged = self._deployment is not None and _about_tags(query)
        return self._at_its_streams(plan) if tagged else plan

    def _at_its_streams(self, plan: Plan) -> Plan:
        """A plan that reads streams where they enter, with their tags, which do not travel."""
        inputs = []
        for part in plan.inputs:
            source = self.planner.flow(part.asked.stream)
            if source.origin != plan.peer:
                raise UnsupportedError(
                    f"tags of stream '{part.asked.stream}' do not travel from {source.origin}"
                    f" to {plan.peer}",
                    code="tags-travel",
                    help=f"ask about them at {source.origin}",
                )
            inputs.append(_input(part.asked, source, plan.peer, None, len(plan.inputs)))
        return replace(plan, inputs=tuple(inputs))

    def _settled(self, record: SubscriptionRecord, query: Query) -> SubscriptionRecord:
        """A subscription whose owner said no peer: one about tags belongs where its stream is."""
        if self._deployment is None or not _about_tags(query):
            return record
        return replace(record, peer=self._registry.streams[query.streams[0]].peer)

    # Changes.

    def created(self, record: StreamRecord) -> None:
        """Learn of a new stream; histories are no part of plans."""
        if self._planner is not None and record.structure is None:
            self._add_stream(self._planner, record)

    def subscribe(
        self, record: SubscriptionRecord, compiled: Callable[[], Query], *, placed: bool = True
    ) -> Registered:
        """Plan a subscription, and let all that it needs flow; an error if there is no room.

        It may not be placed yet: then its peer is where it is best, or the first.
        """
        if self._deployment is None:
            registered = self._registry.subscribe(record)
            if self._planner is not None:
                self._replay(self._planner, registered.record)
            return registered
        # In the order in which a step takes them.
        with self._deployment.lock, self._registry.lock:
            if record.name in self._registry.subscriptions:
                return self._registry.subscribe(record)  # says that the name is taken
            query = compiled()
            record = record if placed else self._settled(record, query)
            plan = self.planner.install(self.plan(record, query))
            try:
                return self._deployment.deploy(record, query, [_carried(e) for e in plan.inputs])
            except BaseException:
                self.planner.cancel(record.name)
                raise

    def cancel(self, name: str) -> Cancellation | None:
        """End a subscription; None if nothing was ever planned for it."""
        if self._registry.subscription(name).cancelled:
            return None
        if self._registry.subscription(name).standing:
            self._registry.cancel(name)
            return None
        if self._deployment is not None:
            self._deployment.cancel(name)
        else:
            self._registry.cancel(name)
        return None if self._planner is None else self._planner.cancel(name)

    def rerouting(self) -> Rerouting:
        """What can be done without some peers, where each is a process of its own."""
        if not isinstance(self._deployment, RemoteDeployment):
            raise StateError("the peers of this space are all in one process", code="peers")
        return self._deployment.rerouting(self.network)

    def move(self, name: str, away: Collection[str]) -> str | None:
        """Plan a subscription anew without some peers, from the log of its streams on.

        The name of its successor, whose results are all of it; None where nothing else is possible.
        """
        record = self._registry.subscription(name)
        query = self._registry.registered(name).query
        places = {record.peer, *(self._registry.streams[each].peer for each in query.streams)}
        if places & set(away):
            return None
        successor = replace(
            record,
            name=self._registry.successor_name(name),
            streams=(),
            plan=None,
            start=FROM_LOG,
            succeeds=name,
        )
        around = Plans(
            self._registry,
            self.network.closed(away),
            self._options,
            self._statistics,
            self._deployment,
        )
        try:
            around.subscribe(successor, lambda: query)
        except QueryError as error:
            if error.code != "overload":
                raise
            return None
        self.cancel(name)
        self._planner = None
        return successor.name

    def learn(self) -> None:
        """Reckon from now on with what the streams have been like lately."""
        if self._planner is not None:
            for record in self._originals():
                self._planner.refresh(record.name, self._statistics(record))

    # What was planned before.

    def _restored(self) -> Planner:
        planner = Planner(self.network, self._options, counted=self._counted)
        for stream in self._originals():
            self._add_stream(planner, stream)
        gone = []
        for record in sorted(self._registry.subscriptions.values(), key=lambda each: each.number):
            if record.tap or record.standing:
                continue
            if self._deployment is None:
                if not record.cancelled:
                    self._replay(planner, record)
                continue
            inputs = tuple(self._deployed(planner, record))
            if inputs:
                self._install(planner, record, inputs)
                gone += [record.name] if record.cancelled else []
        for name in gone:
            planner.cancel(name)
        return planner

    def _replay(self, planner: Planner, record: SubscriptionRecord) -> None:
        query = self._registry.registered(record.name).query
        planner.register(record.name, asked_by(record, query), record.peer, query=query)

    def _install(
        self, planner: Planner, record: SubscriptionRecord, inputs: tuple[PlanInput, ...]
    ) -> None:
        """Let the planner know a plan that is at work: it is not asked whether there is room."""
        query = self._registry.registered(record.name).query
        planner.restore(record.name, asked_by(record, query), record.peer, inputs, query=query)

    def _deployed(self, planner: Planner, record: SubscriptionRecord) -> Iterator[PlanInput]:
        """How the inputs of a subscription are answered; of a cancelled one, what still flows."""
        registered = self._registry.registered(record.name)
        asked = asked_by(record, registered.query).inputs
        read = [scan.stream for each in registered.executed.branches for scan in scans(each.input)]
        for number, (each, stream) in enumerate(zip(asked, read, strict=True)):
            flow = self._flow_for(record.name, number)
            if flow is not None:
                yield self._made(each, planner.flow(flow.tapped), flow, len(asked))
            elif not record.cancelled:
                tapped = planner.flow(self._flow_of(stream))
                yield _input(each, tapped, record.peer, None, len(asked))

    def _made(self, asked: Input, tapped: Flow, record: FlowRecord, inputs: int) -> PlanInput:
        """An input for which a flow was made."""
        part = _input(asked, tapped, record.route[0], None, inputs)
        shared = self._options.strategy is Strategy.SHARING
        whole = self._options.strategy is Strategy.DATA_SHIPPING
        forwarded = whole or (shared and len(part.operators) == 1)
        flow = Flow(
            record.name,
            tapped.content if forwarded else flowing(asked),
            record.route,
            tapped.name,
            record.subscription,
            private=not shared,
            counting_since=_counting_since(record, tapped, forwarded),
        )
        return replace(part, flow=flow)

    def _flow_for(self, subscription: str, number: int) -> FlowRecord | None:
        """The flow that was installed for an input and still flows."""
        assert self._deployment is not None, "flows are deployed"
        found = (
            each
            for each in self._deployment.flows.values()
            if (each.subscription, each.input) == (subscription, number)
        )
        return next(found, None)

    def _flow_of(self, stream: str) -> str:
        """The flow that a stream of the space carries; an original stream carries itself."""
        assert self._deployment is not None, "flows are deployed"
        tap = self._registry.streams[stream].fed_by
        by_tap = {each.tap: each.name for each in self._deployment.flows.values()}
        return stream if tap is None else by_tap[tap]

    def _originals(self) -> Iterator[StreamRecord]:
        return (
            each
            for each in self._registry.streams.values()
            if not each.fed and each.structure is None
        )

    def _add_stream(self, planner: Planner, record: StreamRecord) -> None:
        planner.add_stream(record.name, record.schema, record.peer, self._statistics(record))

    def _counted(self, flow: str) -> int | None:
        """How many items the windows by number of a flow have counted."""
        if self._deployment is None or flow not in self._deployment.flows:
            return None
        return self._deployment.counted(flow)


def asked_by(record: SubscriptionRecord, query: Query) -> Properties:
    """What a subscription asks of its streams."""
    end = EndRule(record.end) if record.end else None
    try:
        return properties_of(query, end=end, empty=record.empty)
    except QueryError as error:
        error.with_text(record.text)
        raise


def _about_tags(query: Query) -> bool:
    return any(asks_tags(each) or each.carries_tags for each in query.branches)


def _input(asked: Input, tapped: Flow, tap: str, made: Flow | None, inputs: int) -> PlanInput:
    """An input as it was planned before."""
    answer = match(flowing(asked), tapped.content, offset=0)
    operators = tap_operators(flowing(asked), tapped.content, answer)
    return PlanInput(asked, tapped, tap, answer, operators, made, post_operators(asked, inputs))


def _counting_since(record: FlowRecord, tapped: Flow, forwarded: bool) -> str:
    """The flow in which the windows by number of another began to count."""
    if not record.counted:
        return ""
    return tapped.counting_since if forwarded else record.name


def _carried(part: PlanInput) -> PlanInput:
    """An input with a flow of what can travel: windows whose items are asked for cannot."""
    if part.flow is None or part.flow.content.window is None:
        return part
    return replace(part, flow=replace(part.flow, content=flowing(part.flow.content)))
