"""What a peer sends to others and receives from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from millstream.runtime.journal import Journal
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.network.feeding import Tapped
from millstream.runtime.network.flows import Flows
from millstream.runtime.peers.links import Links
from millstream.runtime.peers.receiving import Receiving
from millstream.runtime.peers.sending import Sending
from millstream.runtime.records import FlowRecord
from millstream.runtime.registry import Registry
from millstream.runtime.shared_batch import FROM_LOG
from millstream.runtime.storage import Storage


@dataclass(frozen=True)
class Exchange:
    """All flows that begin at a peer, come to it, or pass it."""

    peer: str
    storage: Storage
    links: Links
    registry: Registry
    flows: Flows
    journals: Callable[[], Mapping[str, Journal]]
    streams: Mapping[str, FedStream]
    """The streams between peers that are read here."""

    def send_from(self, stream: str) -> None:
        """Send what a stream of this peer has brought to the flows that are made from it."""
        for flow in self.flows.tapping(stream):
            if len(flow.route) > 1:
                self._sending(flow).send()

    def receive(self) -> int:
        """Take in all that has come; the number of packets."""
        return sum(self._receiving(flow).receive() for flow in self._arriving())

    def begin(self, fed: FedStream) -> None:
        """Tell a new stream of this peer how far its flow has come."""
        for flow in self._arriving():
            if flow.tap == fed.record.fed_by:
                self._receiving(flow).begin(fed)

    def settled(self) -> bool:
        """True when every flow here has ended, and all of it was sent, received and passed on."""
        return all(self._all_sent(flow) for flow in self._beginning()) and all(
            self.links.received(flow.tap, self._receiving(flow).hop).ended
            for flow in self._arriving()
            if self._reaches(flow)
        )

    def _beginning(self) -> Iterator[FlowRecord]:
        own = self.journals()
        return (each for each in list(self.flows.records.values()) if each.source in own)

    def _arriving(self) -> list[FlowRecord]:
        return [each for each in self.flows.records.values() if self.peer in each.route[1:]]

    def _all_sent(self, flow: FlowRecord) -> bool:
        state = self.journals()[flow.source].state
        return state.ended and (len(flow.route) < 2 or self.links.sent(flow.tap) == state.step)

    def _reaches(self, flow: FlowRecord) -> bool:
        """True when the flow is read here or behind."""
        return self._onward(flow) or bool(self._receiving(flow).streams)

    def _sending(self, flow: FlowRecord) -> Sending:
        state = self.journals()[flow.source].state
        readings = state.readings.get(flow.tap)
        template = self.registry.registered(flow.tap).branches[0].template
        record = self.registry.streams[flow.source]
        tapped = Tapped(record, state, readings[0] if readings else None, template)
        from_log = self.registry.subscription(flow.tap).start == FROM_LOG
        return Sending(self.storage, self.links, flow, tapped, from_log)

    def _receiving(self, flow: FlowRecord) -> Receiving:
        here = [each for each in self.streams.values() if each.record.fed_by == flow.tap]
        return Receiving(self.links, flow, self.peer, here, self._onward(flow))

    def _onward(self, flow: FlowRecord) -> bool:
        behind = flow.route[flow.route.index(self.peer) + 1 :]
        return any(
            each.fed_by == flow.tap and each.peer in behind
            for each in self.registry.streams.values()
        )
