"""Plans at work in one process: flows between peers are streams of the space."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from millstream.algebra.operators import Query
from millstream.errors import InternalError
from millstream.runtime.journal import Journal, StreamState
from millstream.runtime.network.clock import ITEM_BY_ITEM
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.network.fed_streams import FedStreams
from millstream.runtime.network.feeding import Feeding, Tapped
from millstream.runtime.network.flows import Flows
from millstream.runtime.network.installation import Installation
from millstream.runtime.network.needs import Needs, needs
from millstream.runtime.network.taking import counted
from millstream.runtime.records import FlowRecord, StreamRecord, SubscriptionRecord
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.session import SparkSession
from millstream.runtime.shared_batch import FROM_LOG, StepReport
from millstream.runtime.space import Space
from millstream.runtime.use import Hop, LinkUse, PeerUse, Use, total
from millstream.sharing.planner.plan import PlanInput


class Deployment:
    """The flows of a mill: installed, fed after every step, counted, and let go."""

    _kind: type[FedStream] = FedStream

    def __init__(
        self,
        space: Space,
        registry: Registry,
        spark: Callable[[], SparkSession],
        lock: threading.RLock,
        journals: Callable[[], Mapping[str, Journal]],
        report: Callable[[StepReport], None],
    ) -> None:
        """`journals` are those of all streams of the mill; `report` is told of every fed step."""
        self._space = space
        self._registry = registry
        self._spark = spark
        self.lock = lock
        """Held while a step of any stream runs, and while flows are installed or let go."""
        self._journals = journals
        self._report = report
        self._flows = Flows(space.storage)
        self._streams = FedStreams(registry, self._flows, self._opened)
        self._installation = Installation(registry, self._flows, self._reach)
        self._needed = self._needs()
        self.release()

    # What there is.

    @property
    def flows(self) -> Mapping[str, FlowRecord]:
        """The flows that are installed, by name."""
        return self._flows.records

    @property
    def streams(self) -> Mapping[str, FedStream]:
        """The streams between peers, by name."""
        return self._streams.all

    def journals(self) -> Mapping[str, Journal]:
        """The journals of the streams between peers."""
        return self._streams.journals()

    def made_from(self, original: str) -> tuple[FedStream, ...]:
        """The streams between peers that are made from an original stream, nearest first."""
        found: list[FedStream] = []
        waiting = [original]
        while waiting:
            for flow in self._flows.tapping(waiting.pop(0)):
                found += self._streams.of(flow)
                waiting += (each.record.name for each in self._streams.of(flow))
        return tuple(found)

    def counted(self, flow: str) -> int | None:
        """How many items the windows by number of a flow have counted; None if unknown."""
        record = self._flows.records[flow]
        tapped = self._tapped(record)
        if tapped.reading is None:
            return 0
        if record.counted:
            return counted(self._space.storage, tapped.state, tapped.reading)
        mark = tapped.state.watermarks.get(record.reference or "")
        highest = None if mark is None else mark.highest_tick
        return 0 if highest is None else highest + 1

    # Changes.

    def deploy(
        self, record: SubscriptionRecord, query: Query, inputs: Sequence[PlanInput]
    ) -> Registered:
        """Register a subscription as planned: one input for each scan of its query, in order.

        Its results are made at the peer that the record names.
        """
        with self.lock:
            try:
                return self._installation.deploy(record, query, inputs)
            finally:
                # What a refused subscription would have needed goes again.
                self.release()

    def cancel(self, subscription: str) -> tuple[str, ...]:
        """End a subscription, and the flows that nobody needs without it; their names."""
        with self.lock:
            self._registry.cancel(subscription)
            return self.release()

    def release(self) -> tuple[str, ...]:
        """Let go of all that nobody needs any more; the names of the flows."""
        with self.lock:
            self._needed = self._needs()
            gone = [each for each in self.flows.values() if each.name not in self._needed.flows]
            for flow in gone:
                self._registry.cancel(flow.tap)
                self._flows.remove(flow.name)
            for name in self._unread():
                self._streams.let_go(name)
            return tuple(each.name for each in gone)

    # Running.

    def stepped(self, stream: str) -> None:
        """Hand on what the last steps of a stream have brought."""
        with self.lock:
            for flow in self._flows.tapping(stream):
                self._feed(flow)

    def settle(self) -> None:
        """Hand on all that a crash has left behind, from the sources outwards."""
        with self.lock:
            for original in self._registry.names():
                self.stepped(original)
                for fed in self.made_from(original):
                    self.stepped(fed.record.name)

    # What is used.

    def use(self) -> Use:
        """What all streams of the mill have used, those that are gone as well."""
        living = self._journals()
        past = (use for name, use in self._flows.past.items() if name not in living)
        return total((*(each.state.use for each in living.values()), *past))

    def traffic(self) -> Mapping[Hop, LinkUse]:
        """What went over each link, by its direction."""
        return self.use().hops

    def work(self) -> Mapping[str, PeerUse]:
        """What each peer did."""
        return self.use().peers

    def carried(self) -> Mapping[str, LinkUse]:
        """What each flow has carried."""
        return {name: self._carried(flow) for name, flow in self.flows.items()}

    def _carried(self, flow: FlowRecord) -> LinkUse:
        states = [each.journal.state for each in self._streams.of(flow)]
        return LinkUse(
            max((each.bytes for each in states), default=0),
            max((each.items for each in states), default=0),
        )

    # Feeding.

    def _feed(self, flow: FlowRecord) -> None:
        tapped = self._tapped(flow)
        if tapped.reading is None and self._from_log(flow):
            return
        feeding = Feeding(self._space.storage, flow, tapped)
        for fed, hops in self._readers(flow):
            feeding.feed(fed, hops)

    def _readers(self, flow: FlowRecord) -> Iterator[tuple[FedStream, tuple[Hop, ...]]]:
        """The streams that a flow feeds, each with the hops since the one before it."""
        place = 0
        for fed in self._streams.of(flow):
            if fed.record.name in self._needed.streams:
                here = flow.route.index(fed.record.peer)
                yield fed, tuple(pairwise(flow.route[place : here + 1]))
                place = here

    def _tapped(self, flow: FlowRecord) -> Tapped:
        state = self._state(flow.source)
        readings = state.readings.get(flow.tap)
        template = self._registry.registered(flow.tap).branches[0].template
        record = self._registry.streams[flow.source]
        return Tapped(record, state, readings[0] if readings else None, template)

    def _state(self, stream: str) -> StreamState:
        return self._journals()[stream].state

    def _from_log(self, flow: FlowRecord) -> bool:
        return self._registry.subscription(flow.tap).start == FROM_LOG

    def _fed_step(self, report: StepReport) -> None:
        self.stepped(report.stream)
        self._report(report)

    # Streams.

    def _opened(self, record: StreamRecord) -> FedStream:
        return self._kind(
            self._space,
            self._registry,
            record,
            self._spark,
            self._journals,
            self._fed_step,
            self.stepped,
        )

    def _reach(self, flow: FlowRecord, peer: str) -> StreamRecord:
        """The stream at which a flow is read at a peer, as far as the flow's source is."""
        if peer not in flow.route:
            raise InternalError(f"flow '{flow.name}' does not come to {peer}")
        like = self._registry.streams[flow.source]
        lateness = ITEM_BY_ITEM if flow.counted else like.lateness
        origin = self.counted(flow.name) or 0 if lateness == ITEM_BY_ITEM else 0
        fed = self._streams.find(flow, peer, origin)
        if fed is not None and fed.record.name in self._needed.streams:
            return fed.record
        if fed is None:
            fed = self._streams.create(flow, peer, like, origin, lateness)
        self._begin_at(fed, flow)
        return fed.record

    def _begin_at(self, fed: FedStream, flow: FlowRecord) -> None:
        """Tell a stream how far the source of its flow is."""
        tapped = self._tapped(flow)
        if tapped.state.step and not (tapped.reading is None and self._from_log(flow)):
            feeding = Feeding(self._space.storage, flow, tapped)
            fed.set_clock(feeding.clock(fed), tapped.state.step, ended=tapped.state.ended)

    def _needs(self) -> Needs:
        subscriptions = self._registry.subscriptions.values()
        return needs(subscriptions, self._registry.streams, self.flows.values())

    def _unread(self) -> tuple[str, ...]:
        """The streams between peers whose results nobody has ever asked for, and nobody needs."""
        read = {
            stream
            for each in self._registry.subscriptions.values()
            if not each.tap
            for stream in each.streams
        }
        return tuple(each for each in self.streams if each not in self._needed.streams | read)
