"""A super-peer as a process: it turns the streams of a shared space that are at its place."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Literal

from millstream.errors import MillstreamError, StateError
from millstream.languages.compiling import compile_any
from millstream.runtime.delivering import Deliveries
from millstream.runtime.journal import Journal
from millstream.runtime.kafka.connector import packages_for
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.network.flows import Flows
from millstream.runtime.peers.exchange import Exchange
from millstream.runtime.peers.followed import FollowedRegistry
from millstream.runtime.peers.links import Links
from millstream.runtime.peers.presence import Presence
from millstream.runtime.peers.shared_space import PeerSpace
from millstream.runtime.records import FlowRecord, StreamRecord, SubscriptionRecord
from millstream.runtime.runner import StreamRunner, explained
from millstream.runtime.session import SparkSession, own_session, prepared
from millstream.runtime.shared_batch import StepReport
from millstream.runtime.subscription import Subscription
from millstream.runtime.surroundings import surroundings_of
from millstream.runtime.watch import Watch

PAUSE = 0.1
"""Seconds between two looks at what has come and what has changed."""


class Peer:
    """One super-peer of a space that peers turn together."""

    def __init__(
        self,
        space: str | os.PathLike[str],
        name: str,
        *,
        spark: SparkSession | None = None,
        memory: str = "512m",
        cores: int = 1,
    ) -> None:
        self.name = name
        self._given = spark
        self._own: SparkSession | None = None
        self._memory, self._cores = memory, cores
        self.space = PeerSpace(space, name)
        try:
            self._known = surroundings_of(self.space.storage, None, None, None)
            self._check()
            self._flows = Flows(self.space.storage)
            self._registry = FollowedRegistry(self.space.storage, compile_any, self._flows)
        except BaseException:
            self.space.close()
            raise
        self._lock = threading.RLock()
        self._runners: dict[str, StreamRunner] = {}
        self._fed: dict[str, FedStream] = {}
        self._ending: dict[str, threading.Thread] = {}
        self._links = Links(self.space.storage)
        self._exchange = Exchange(
            name,
            self.space.storage,
            self._links,
            self._registry,
            self._flows,
            self._journals,
            self._fed,
        )
        self._deliveries = Deliveries(
            self.space.storage,
            self._registry,
            self._journals,
            self._subscription,
            self._lock,
            self._spark,
            self._is_here,
        )
        self._presence = Presence(self.space.storage, name)
        self._watch = Watch(self._failed)
        self._failure: MillstreamError | None = None
        self._followed = False

    def turn(
        self,
        until: Literal["drained", "forever"] | float = "forever",
        stop: threading.Event | None = None,
    ) -> None:
        """Turn: forever, for some seconds, or until all that comes here has ended."""
        stop = stop or threading.Event()
        deadline = time.monotonic() + until if isinstance(until, float | int) else None
        self._presence.start()
        try:
            while not stop.is_set() and (deadline is None or time.monotonic() < deadline):
                busy = self._look()
                if until == "drained" and self._drained():
                    self._deliveries.finish(wait=True)
                    return
                if not busy:
                    stop.wait(PAUSE)
        finally:
            self._presence.stop()
            for runner in self._runners.values():
                runner.stop()
            self._deliveries.finish(wait=False)

    def _look(self) -> bool:
        """Learn what is new, and take in what has come; whether anything had."""
        self._follow()
        self._watch.look(list(self._runners.values()))
        self._end_finite()
        if self._failure is not None:
            raise self._failure
        with self._lock:
            return self._exchange.receive() > 0

    # What is at this peer.

    def _follow(self) -> None:
        """Learn what was registered and cancelled, when nobody is just changing it."""
        with self.space.unchanging() as quiet:
            if not quiet:
                return
            with self._lock:
                before = dict(self._flows.records)
                changed = [self._flows.follow(), self._registry.follow()]
                if any(changed) or not self._followed:
                    self._followed = True
                    now = self._flows.records
                    self._let_go(each for name, each in before.items() if name not in now)
                    self._arrange()

    def _let_go(self, flows: Iterable[FlowRecord]) -> None:
        """Take off the links what nobody waits for any more."""
        for flow in flows:
            if flow.route[0] == self.name:
                self._links.forget(flow.tap)

    def _arrange(self) -> None:
        """Have a stream for each that is at this peer, and send what begins here."""
        here = {
            name: each for name, each in self._registry.streams.items() if each.peer == self.name
        }
        for name in [each for each in self._fed if each not in here]:
            self._fed.pop(name)
            self.space.storage.delete(f"streams/{name}")
        for name, record in here.items():
            if record.fed and name not in self._fed:
                fed = self._fed[name] = self._new_fed(record)
                self._exchange.begin(fed)
            elif not record.fed and name not in self._runners:
                self._runners[name] = self._new_runner(record)
        for name in here:
            self._exchange.send_from(name)

    def _journals(self) -> Mapping[str, Journal]:
        own = {name: each.journal for name, each in list(self._runners.items())}
        return own | {name: each.journal for name, each in list(self._fed.items())}

    def _new_runner(self, record: StreamRecord) -> StreamRunner:
        return StreamRunner(
            self.space,
            self._registry,
            record,
            self._spark,
            self._journals,
            self._lock,
            self._stepped,
            self._exchange.send_from,
        )

    def _new_fed(self, record: StreamRecord) -> FedStream:
        return FedStream(
            self.space,
            self._registry,
            record,
            self._spark,
            self._journals,
            self._stepped,
            self._exchange.send_from,
        )

    def _stepped(self, report: StepReport) -> None:
        self._exchange.send_from(report.stream)
        self._deliveries.deliver()

    def _subscription(self, name: str) -> Subscription:
        storage = self.space.storage
        return Subscription(
            name, self._registry, self._journals, storage, lambda: prepared(self._spark())
        )

    def _is_here(self, record: SubscriptionRecord) -> bool:
        return set(record.streams) <= self._journals().keys()

    # Ends.

    def _end_finite(self) -> None:
        """See finite sources to their end, each in a thread of its own."""
        for name, runner in self._runners.items():
            if runner.record.finite and name not in self._ending and runner.query is not None:
                thread = threading.Thread(target=self._finish, args=(runner,), daemon=True)
                self._ending[name] = thread
                thread.start()

    def _finish(self, runner: StreamRunner) -> None:
        try:
            while runner.drain():
                pass
            runner.end()
            runner.stop()
        except Exception as error:
            self._failure = explained(runner.record.name, error)

    def _drained(self) -> bool:
        if self._followed and all(each.journal.state.ended for each in self._runners.values()):
            with self._lock:
                return self._exchange.settled()
        return False

    def _failed(self, stream: str, error: MillstreamError) -> None:
        self._presence.trouble = error

    # Surroundings.

    def _check(self) -> None:
        self._known.network.peer(self.name)
        if not self._known.peers:
            raise StateError(
                "the streams of this space are all turned by one process",
                code="peers",
                help="make a space for peers: millstream coordinate",
            )

    def _spark(self) -> SparkSession:
        if self._given is not None:
            return self._given
        if self._own is None:
            wanted = packages_for(None, tuple(self._deliveries.places()))
            self._own = own_session(self._memory, self._cores, wanted)
        return self._own

    def close(self) -> None:
        """Stop everything that was started, and let go of this part of the space."""
        for runner in self._runners.values():
            runner.stop()
        self._deliveries.stop()
        if self._own is not None:
            self._own.stop()
            self._own = None
        self.space.close()

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
