"""The door: create streams, subscribe, explain, run, read."""

from __future__ import annotations

import heapq
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from types import MappingProxyType, TracebackType
from typing import Any, Literal

from millstream.algebra.explain import explain
from millstream.algebra.operators import Query
from millstream.compiler.branch import batch_sql
from millstream.errors import QueryError, did_you_mean
from millstream.languages.xquery import compile_text
from millstream.model.schema import Schema, ValueType
from millstream.model.window import EndRule
from millstream.runtime.journal import Journal
from millstream.runtime.quarantine import QuarantineEntry, read_quarantine
from millstream.runtime.records import SubscriptionRecord
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.results import Result, ResultSource, read_results, results_frame
from millstream.runtime.runner import StreamRunner
from millstream.runtime.session import DataFrame, SparkSession, own_session, prepared
from millstream.runtime.shared_batch import StepReport
from millstream.runtime.sinks import Delivery, Sink, deliver
from millstream.runtime.space import Space
from millstream.runtime.stream_creation import new_stream

Until = Literal["drained", "forever"] | float
Progress = Callable[["StepReport"], None]


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did."""

    steps: int
    items: int
    results: int
    quarantined: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a subscription would be answered."""

    text: str
    algebra: str
    sql: str

    def __str__(self) -> str:
        return f"Algebra\n{_indented(self.algebra)}\n\nSpark SQL\n{_indented(self.sql)}"


class Stream:
    """A stream of a mill."""

    def __init__(self, mill: Mill, runner: StreamRunner) -> None:
        self._mill = mill
        self._runner = runner
        self.name = runner.record.name

    @property
    def schema(self) -> Schema:
        return self._runner.record.schema

    @property
    def notes(self) -> tuple[str, ...]:
        """What was inferred when the stream was created."""
        return tuple(self._runner.record.notes)

    @property
    def ended(self) -> bool:
        return self._runner.journal.state.ended

    @property
    def run_id(self) -> str | None:
        """The run id of the Spark query that reads the stream, while it runs."""
        query = self._runner.query
        return None if query is None else str(query.runId)

    def quarantine(self) -> list[QuarantineEntry]:
        """The items that were set aside, oldest first."""
        segments = self._runner.journal.state.tables["quarantine"]
        return list(read_quarantine(self._mill.space.storage, segments))

    def statistics(self) -> dict[str, int]:
        """What has passed so far."""
        state = self._runner.journal.state
        return {
            "steps": state.step,
            "items": state.items,
            "quarantined": state.rejected,
            "bytes": state.bytes,
        }

    def dataframe(self) -> DataFrame:
        """The stream's log as a Spark DataFrame."""
        return self._runner.log_frame()

    def end(self) -> None:
        """Declare that nothing will follow: unfinished windows become final."""
        self._runner.end()


class Subscription:
    """A subscription of a mill."""

    def __init__(self, mill: Mill, name: str) -> None:
        self._mill = mill
        self.name = name

    @property
    def _registered(self) -> Registered:
        return self._mill.registry.registered(self.name)

    @property
    def text(self) -> str:
        return self._registered.record.text

    @property
    def streams(self) -> tuple[str, ...]:
        return tuple(self._registered.record.streams)

    @property
    def query(self) -> Query:
        return self._registered.query

    @property
    def opening(self) -> str:
        """The XML that opens the result stream."""
        return self._registered.query.opening

    @property
    def closing(self) -> str:
        return self._registered.query.closing

    @property
    def cancelled(self) -> bool:
        return self._registered.record.cancelled

    def results(self) -> Iterator[str]:
        """The result items so far, in order."""
        for result in self.log():
            yield result.value

    def log(self, after_step: int = 0) -> Iterator[Result]:
        """The result items of the steps after a step, with their place in the result log."""
        logs = [
            read_results(
                self._mill.space.storage,
                runner.journal.state.tables["results"],
                sources,
                after_step,
            )
            for runner, sources in self._sources()
        ]
        # Steps of all streams are numbered in one order.
        return heapq.merge(*logs, key=lambda each: each.step)

    def dataframe(self) -> DataFrame:
        """The result items so far as a Spark DataFrame of step, ordering and value."""
        frames = [
            results_frame(
                self._mill.session,
                self._mill.space.storage,
                runner.journal.state.tables["results"],
                sources,
            )
            for runner, sources in self._sources()
        ]
        return reduce(DataFrame.unionAll, frames)

    def cancel(self) -> None:
        """End the subscription with the next step; its results stay."""
        self._mill.cancel(self.name)

    def _sources(self) -> Iterator[tuple[StreamRunner, Sequence[ResultSource]]]:
        registered = self._registered
        for stream in registered.record.streams:
            runner = self._mill.runner(stream)
            readings = runner.journal.state.readings.get(self.name, ())
            yield (
                runner,
                [
                    ResultSource(each, registered.branches[each.branch].template)
                    for each in readings
                ],
            )


class Mill:
    """An open space: its streams, its subscriptions, and the Spark that turns them."""

    def __init__(
        self,
        space: str | os.PathLike[str] | None = None,
        *,
        spark: SparkSession | None = None,
        memory: str = "1g",
        cores: int = 2,
        progress: Progress | None = None,
    ) -> None:
        self.space = Space(space)
        self._given = spark
        self._own: SparkSession | None = None
        self._session: SparkSession | None = None
        self._memory, self._cores = memory, cores
        self._progress = progress
        self._lock = threading.RLock()
        self._reports: list[StepReport] = []
        try:
            self.registry = Registry(self.space.storage, compile_text)
            self._runners: dict[str, StreamRunner] = {}
            for name in self.registry.streams:
                self._runners[name] = self._new_runner(name)
        except BaseException:
            self.space.close()
            raise

    # What there is.

    @property
    def streams(self) -> Mapping[str, Stream]:
        return MappingProxyType({name: Stream(self, each) for name, each in self._runners.items()})

    @property
    def subscriptions(self) -> Mapping[str, Subscription]:
        return MappingProxyType(
            {name: Subscription(self, name) for name in self.registry.subscriptions}
        )

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

    def spark(self) -> SparkSession:
        """The Spark that was given, or one of our own, started when first needed."""
        if self._given is not None:
            return self._given
        if self._own is None:
            self._own = own_session(self._memory, self._cores)
        return self._own

    # Changes.

    def create_stream(
        self,
        name: str,
        source: str | os.PathLike[str],
        *,
        schema: Schema | str | os.PathLike[str] | None = None,
        format: str | None = None,
        item: str | None = None,
        order_by: str | None = None,
        anchor: int | Decimal | str = 0,
        lateness: int = 0,
        types: Mapping[str, str | ValueType] | None = None,
        finite: bool = False,
        retention: str | None = None,
        max_bytes_per_batch: int | None = None,
        max_items_per_batch: int | None = None,
        key: str | None = None,
        delimiter: str | None = None,
    ) -> Stream:
        """Make the files at a place a stream; the place need not exist yet."""
        record = new_stream(
            name,
            source,
            schema=schema,
            format=format,
            item=item,
            order_by=order_by,
            anchor=anchor,
            lateness=lateness,
            types=types,
            finite=finite,
            retention=retention,
            max_bytes_per_batch=max_bytes_per_batch,
            max_items_per_batch=max_items_per_batch,
            key=key,
            delimiter=delimiter,
        )
        self.registry.create(record)
        self._runners[name] = self._new_runner(name)
        return Stream(self, self._runners[name])

    def subscribe(
        self,
        text: str,
        *,
        name: str | None = None,
        end: EndRule | str | None = None,
        empty: bool = False,
        start: str = "now",
        sinks: Sequence[Sink | dict[str, Any]] = (),
    ) -> Subscription:
        """Register a continuous query; it takes effect with the next step of its streams."""
        record = SubscriptionRecord(
            name=name or self.registry.next_name(),
            number=0,
            text=text,
            streams=(),
            end=None if end is None else EndRule(end).value,
            empty=empty,
            start=start,
            sinks=tuple(each if isinstance(each, dict) else each.to_json() for each in sinks),
        )
        registered = self.registry.subscribe(record)
        return Subscription(self, registered.record.name)

    def cancel(self, name: str) -> None:
        """End a subscription with the next step."""
        self.registry.cancel(name)

    def explain(
        self, text: str, *, end: EndRule | str | None = None, empty: bool = False
    ) -> Explanation:
        """How a subscription would be answered, without registering it."""
        record = SubscriptionRecord("explained", -1, text, (), None, empty)
        registered = self.registry.compile(record)
        statements = {
            branch.signature(stream): statement
            for branch in registered.branches
            for stream, statement in branch.statements.items()
        }
        sql = batch_sql(statements, disordered=frozenset(), full=False)
        return Explanation(text, explain(registered.query), sql)

    # Running.

    def run(
        self,
        until: Until = "drained",
        on_progress: Progress | None = None,
        stop: threading.Event | None = None,
    ) -> RunReport:
        """Turn the mill: until the sources are drained, for some seconds, or forever.

        A run for some seconds or forever also ends when the event `stop` is set.
        """
        started = time.monotonic()
        self._reports = []
        listening, self._progress = self._progress, on_progress or self._progress
        try:
            self._start()
            if until == "drained":
                self._drain()
            else:
                self._wait(None if until == "forever" else float(until), stop)
        finally:
            self._stop()
            self._progress = listening
        self._deliver()
        return self._run_report(time.monotonic() - started)

    def _start(self) -> None:
        for runner in self._runners.values():
            runner.start()

    def _drain(self) -> None:
        while sum(runner.drain() for runner in list(self._runners.values())):
            pass
        for runner in self._runners.values():
            if runner.record.finite:
                runner.end()

    def _wait(self, seconds: float | None, stop: threading.Event | None) -> None:
        deadline = None if seconds is None else time.monotonic() + seconds
        stopped = stop or threading.Event()
        while deadline is None or time.monotonic() < deadline:
            self._start()
            for runner in list(self._runners.values()):
                runner.check()
            if stopped.wait(0.05):
                return

    def _stop(self) -> None:
        for runner in self._runners.values():
            runner.stop()

    def _run_report(self, seconds: float) -> RunReport:
        reports = self._reports
        return RunReport(
            len(reports),
            sum(each.items for each in reports),
            sum(each.results for each in reports),
            sum(each.rejected for each in reports),
            seconds,
        )

    def _reported(self, report: StepReport) -> None:
        self._reports.append(report)
        self._deliver()
        if self._progress is not None:
            self._progress(report)

    def _deliver(self) -> None:
        """Hand new results to the sinks of their subscriptions."""
        for name, record in list(self.registry.subscriptions.items()):
            for content in record.sinks:
                deliver(self.space.storage, name, Sink(**content), self._delivery(name))

    def _delivery(self, name: str) -> Delivery:
        subscription = Subscription(self, name)
        states = [self.runner(each).journal.state for each in subscription.streams]
        return Delivery(
            subscription.opening,
            subscription.closing,
            max((each.step for each in states), default=0),
            all(each.ended for each in states),
            subscription.log,
        )

    def _new_runner(self, name: str) -> StreamRunner:
        return StreamRunner(
            self.space,
            self.registry,
            self.registry.streams[name],
            self.spark,
            self._journals,
            self._lock,
            self._reported,
        )

    def _journals(self) -> Mapping[str, Journal]:
        return {name: runner.journal for name, runner in self._runners.items()}

    # Closing.

    def close(self) -> None:
        """Stop everything that was started, and let go of the space."""
        for runner in self._runners.values():
            runner.stop()
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


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
