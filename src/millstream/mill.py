"""The door: create streams, subscribe, explain, run, read."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType, TracebackType
from typing import Any, Literal, Unpack

from millstream.costs import SubscriptionCosts, costs_of
from millstream.errors import QueryError, did_you_mean
from millstream.explanation import Explanation
from millstream.languages.compiling import compile_any
from millstream.languages.xquery.standing import asks_history, standing_query
from millstream.model.clock import Clock
from millstream.model.network import Network
from millstream.model.tags.vocabulary import TagVocabulary
from millstream.model.window import EndRule
from millstream.overview import Overview
from millstream.plans import Plans
from millstream.questions import Answer, LiveAnswer, Questions
from millstream.runtime.delivering import Deliveries
from millstream.runtime.history.explaining import StandingExplanation
from millstream.runtime.history.histories import Histories
from millstream.runtime.history.standing_subscription import StandingSubscription
from millstream.runtime.journal import Journal
from millstream.runtime.kafka.connector import packages_for
from millstream.runtime.network.deployment import Deployment
from millstream.runtime.peers.remote_deployment import RemoteDeployment
from millstream.runtime.records import StreamRecord, SubscriptionRecord
from millstream.runtime.registry import Registry
from millstream.runtime.run_report import RunReport
from millstream.runtime.runner import StreamRunner
from millstream.runtime.session import SparkSession, own_session, prepared
from millstream.runtime.shared_batch import FROM_LOG, StepReport
from millstream.runtime.sinks import Sink
from millstream.runtime.space import Space
from millstream.runtime.starting import start_all
from millstream.runtime.stream import Stream
from millstream.runtime.stream_creation import StreamOptions, new_stream
from millstream.runtime.stream_statistics import stream_statistics
from millstream.runtime.subscription import Subscription
from millstream.runtime.surroundings import surroundings_of
from millstream.runtime.tags.known_tags import KnownTag
from millstream.runtime.tags.tag_book import TagBook, TagOptions
from millstream.runtime.use import Hop, LinkUse, PeerUse, total
from millstream.runtime.watch import Failed, Watch
from millstream.savings import Savings, savings_of
from millstream.sharing.statistics import StreamStatistics

Until = Literal["drained", "forever"] | float
Progress = Callable[["StepReport"], None]

__all__ = ["Answer", "Explanation", "LiveAnswer", "Mill", "RunReport", "Stream", "Subscription"]


class Mill(Overview, Questions):
    """An open space: its streams, its subscriptions, and the Spark that turns them."""

    def __init__(
        self,
        space: str | os.PathLike[str] | None = None,
        *,
        spark: SparkSession | None = None,
        memory: str = "1g",
        cores: int = 2,
        progress: Progress | None = None,
        network: Network | None = None,
        strategy: str | None = None,
        gamma: float | None = None,
        clock: Clock | str | None = None,
        peers: bool | None = None,
        vocabulary: TagVocabulary | None = None,
        packages: str | None = None,
    ) -> None:
        """A network makes streams flow between its peers; a clock tells histories what now is.

        With `peers` every peer is a process of its own, and nothing is turned here. A vocabulary
        tells what the contents of tags mean.
        """
        self.space = Space(space)
        self._given = spark
        self._own: SparkSession | None = None
        self._session: SparkSession | None = None
        self._memory, self._cores, self._packages = memory, cores, packages
        self._progress = progress
        self._lock = threading.RLock()
        self._reports: list[StepReport] = []
        self._runners: dict[str, StreamRunner] = {}
        self._deployment: Deployment | None = None
        try:
            known = surroundings_of(self.space.storage, network, strategy, gamma, peers)
            self.registry = Registry(self.space.storage, compile_any, standing_query, vocabulary)
            self.deliveries = self._new_deliveries()
            self.histories = Histories(self.space, self.registry, self._journals, self._lock, clock)
            for name in self.registry.names():
                self._runners[name] = self._new_runner(name)
            if known.networked:
                self._deployment = self._new_deployment(known.peers)
            self.plans = Plans(
                self.registry, known.network, known.options, self._statistics, self._deployment
            )
        except BaseException:
            self.space.close()
            raise

    # What there is.

    @property
    def streams(self) -> Mapping[str, Stream]:
        storage = self.space.storage
        return MappingProxyType(
            {name: Stream(storage, each) for name, each in list(self._runners.items())}
        )

    @property
    def subscriptions(self) -> Mapping[str, Subscription]:
        return MappingProxyType(
            {
                name: self._subscription(name)
                for name, record in list(self.registry.subscriptions.items())
                if not record.tap and record.succeeds is None
            }
        )

    @property
    def step(self) -> int:
        """The last step that is committed, of all streams."""
        return max((each.state.step for each in self._journals().values()), default=0)

    def runner(self, stream: str) -> StreamRunner:
        """What runs a stream."""
        if stream not in self._runners:
            raise QueryError(
                f"there is no stream '{stream}'", help=did_you_mean(stream, self._runners)
            )
        return self._runners[stream]

    @property
    def session(self) -> SparkSession:
        """A Spark session with Millstream's settings."""
        if self._session is None:
            self._session = prepared(self.spark())
        return self._session

    def spark(self, place: str = "") -> SparkSession:
        """The Spark that was given, or one of our own, started when first needed for a place."""
        if self._given is not None:
            return self._given
        if self._own is None:
            wanted = packages_for(self._packages, (place, *self.deliveries.places()))
            self._own = own_session(self._memory, self._cores, wanted)
        return self._own

    # What is used.

    def traffic(self) -> Mapping[Hop, LinkUse]:
        """What went from peer to peer over the links of the network."""
        return {} if self._deployment is None else self._deployment.traffic()

    def work(self) -> Mapping[str, PeerUse]:
        """What each peer of the network did."""
        if self._deployment is not None:
            return self._deployment.work()
        return total(each.state.use for each in self._journals().values()).peers

    def costs(self, name: str) -> SubscriptionCosts:
        """What a subscription costs, who depends on it, and what its end would change."""
        self.registry.planned(name)
        return costs_of(name, self.plans.planner, self._journals())

    def savings(self) -> Savings:
        """What sharing saves, against every subscription by itself."""
        streams = {
            name: (runner.record, self._statistics(runner.record))
            for name, runner in self._runners.items()
            if runner.record.structure is None
        }
        return savings_of(self.plans.planner, streams, self._journals())

    # Changes.

    def create_stream(
        self,
        name: str,
        source: str | os.PathLike[str],
        *,
        peer: str | None = None,
        rate: float | None = None,
        owner: str = "",
        **options: Unpack[StreamOptions],
    ) -> Stream:
        """Make the files at a place a stream; the place need not exist yet.

        It enters the network at a peer, at a rate of so many items a second.
        """
        record = new_stream(name, source, partial(self.spark, os.fspath(source)), **options)
        placed = replace(record, peer=self.plans.place(peer), rate=rate, owner=owner)
        self.registry.create(placed)
        self._runners[name] = self._new_runner(name)
        self.plans.created(placed)
        return Stream(self.space.storage, self._runners[name])

    def subscribe(
        self,
        text: str,
        *,
        name: str | None = None,
        end: EndRule | str | None = None,
        empty: bool = False,
        start: str = "now",
        sinks: Sequence[Sink | dict[str, Any]] = (),
        peer: str | None = None,
        owner: str = "",
        language: str = "auto",
        tagger: str | None = None,
    ) -> Subscription:
        """Register a continuous query; it takes effect with the next step of its streams.

        With start="log" it is answered from what the streams' logs still hold as well. Its results
        are made at a peer of the network. Tags that it attaches are those of a tagger, or its own.
        """
        if start not in ("now", FROM_LOG):
            raise QueryError(
                f"a subscription starts 'now' or from the 'log', not '{start}'", code="start"
            )
        record = SubscriptionRecord(
            name=name or self.registry.next_name(),
            number=0,
            text=text,
            streams=(),
            end=None if end is None else EndRule(end).value,
            empty=empty,
            start=start,
            sinks=tuple(Sink.of(each).to_json() for each in sinks),
            peer=self.plans.place(peer),
            owner=owner,
            language=language,
            tagger=tagger,
        )
        if asks_history(text, self.registry.histories()):
            self.registry.subscribe_standing(record)
        else:
            placed = peer is not None
            self.plans.subscribe(record, lambda: self.registry.compile(record).query, placed=placed)
        return self._subscription(record.name)

    def tags(self, stream: str) -> TagBook:
        """The tags of a stream: attach some, and read what there is."""
        runner = self.runner(stream)
        words = self.registry.vocabulary
        return TagBook(self.space.storage, runner.record, runner.journal, self._lock, words)

    def attach(self, stream: str, content: str, **fields: Unpack[TagOptions]) -> KnownTag:
        """Attach a tag, by its tagger, to a stream; it takes effect with the stream's next step."""
        return self.tags(stream).attach(content, **fields)

    def cancel(self, name: str) -> None:
        """End a subscription with the next step; what others get from it goes on."""
        self.plans.cancel(self.registry.current(name))

    def explain(
        self,
        text: str,
        *,
        end: EndRule | str | None = None,
        empty: bool = False,
        peer: str | None = None,
        language: str = "auto",
    ) -> Explanation | StandingExplanation:
        """How a subscription would be answered, without registering it."""
        if asks_history(text, self.registry.histories()):
            return self.histories.explain(text)
        rule = None if end is None else EndRule(end).value
        name, place = self.registry.next_name(), self.plans.place(peer)
        record = SubscriptionRecord(name, -1, text, (), rule, empty, peer=place, language=language)
        registered = self.registry.compile(record)
        plan = self.plans.plan(record, registered.query, explain=True, placed=peer is not None)
        states = {name: each.state for name, each in self._journals().items()}
        return Explanation(registered, plan, states)

    # Running.

    def run(
        self,
        until: Until = "drained",
        on_progress: Progress | None = None,
        stop: threading.Event | None = None,
        on_failure: Failed | None = None,
    ) -> RunReport:
        """Turn the mill: until the sources are drained, for some seconds, or forever.

        A run for some seconds or forever also ends when the event `stop` is set. With `on_failure`
        a stream that fails is told of and tried again later, and the others go on meanwhile.
        """
        if isinstance(self._deployment, RemoteDeployment):
            self._deployment.refuse_to_run()
        started = time.monotonic()
        self._reports = []
        self.histories.begin_run(live=until != "drained")
        listening, self._progress = self._progress, on_progress or self._progress
        try:
            if until == "drained" and not self.space.kept and self._drained_here():
                self.deliveries.finish(wait=True)
                return RunReport.of(self._reports, time.monotonic() - started)
            self._settle()
            if until == "drained":
                self._drain()
            else:
                seconds = None if until == "forever" else float(until)
                self._wait(seconds, stop or threading.Event(), Watch(on_failure))
        finally:
            self._stop()
            self._progress = listening
        self.deliveries.finish(wait=until == "drained")
        self.plans.learn()
        return RunReport.of(self._reports, time.monotonic() - started)

    def tick(self) -> int:
        """Let the time of the mill's clock pass for histories; how many steps that took."""
        return sum(runner.tick() for runner in list(self._runners.values()))

    def _settle(self) -> None:
        """Hand on what an earlier run has left on its way between peers."""
        if self._deployment is not None:
            self._deployment.settle()

    def _drained_here(self) -> bool:
        """True when all sources were small enough to be read without a query of Spark's."""
        runners = list(self._runners.values())
        if not all(runner.small for runner in runners):
            return False
        for runner in runners:
            runner.drain_here()
        self._end_finite()
        self.tick()
        return True

    def _end_finite(self) -> None:
        for runner in self._runners.values():
            if runner.record.finite:
                runner.end()

    def _drain(self) -> None:
        start_all(list(self._runners.values()))
        while sum(runner.drain() for runner in list(self._runners.values())):
            pass
        self._end_finite()
        self.tick()

    def _wait(self, seconds: float | None, stop: threading.Event, watch: Watch) -> None:
        deadline = None if seconds is None else time.monotonic() + seconds
        while deadline is None or time.monotonic() < deadline:
            watch.look(list(self._runners.values()))
            if stop.wait(0.05):
                return

    def _stop(self) -> None:
        for runner in list(self._runners.values()):
            runner.stop()

    def _reported(self, report: StepReport) -> None:
        self._hand_on(report.stream)
        self._reports.append(report)
        self.deliveries.deliver()
        if self._progress is not None:
            self._progress(report)

    def _new_deliveries(self) -> Deliveries:
        return Deliveries(
            self.space.storage,
            self.registry,
            self._journals,
            self._subscription,
            self._lock,
            self.spark,
        )

    def _subscription(self, name: str) -> Subscription:
        name = self.registry.current(name)
        kind = StandingSubscription if self.registry.subscription(name).standing else Subscription
        return kind(name, self.registry, self._journals, self.space.storage, lambda: self.session)

    def _new_runner(self, name: str) -> StreamRunner:
        return StreamRunner(
            self.space,
            self.registry,
            self.registry.streams[name],
            self.spark,
            self._journals,
            self._lock,
            self._reported,
            self._hand_on,
            self.histories,
        )

    def _new_deployment(self, peers: bool) -> Deployment:
        return (RemoteDeployment if peers else Deployment)(
            self.space, self.registry, self.spark, self._lock, self._journals, self._fed
        )

    def _hand_on(self, stream: str) -> None:
        """Bring to other peers what a stream has brought."""
        if self._deployment is not None:
            self._deployment.stepped(stream)

    def _fed(self, report: StepReport) -> None:
        """Take note of a step of a stream between peers: its items were counted where they came."""
        self._reports.append(replace(report, items=0, rejected=0))

    def _statistics(self, record: StreamRecord) -> StreamStatistics:
        state = self._runners[record.name].journal.state
        return stream_statistics(self.space.storage, record, state)

    def _journals(self) -> Mapping[str, Journal]:
        own = {name: runner.journal for name, runner in list(self._runners.items())}
        return {**own, **self._deployment.journals()} if self._deployment else own

    # Closing.

    def close(self) -> None:
        """Stop everything that was started, and let go of the space."""
        for runner in self._runners.values():
            runner.stop()
        self.deliveries.stop()
        self.histories.close()
        if self._own is not None:
            self._own.stop()
            self._own = None
        self.space.close()

    def __enter__(self) -> Mill:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
