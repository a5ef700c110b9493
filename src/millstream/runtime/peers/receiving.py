"""Packets of a flow at a peer on its way: passed on, and taken in where the flow is read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa

from millstream.errors import StateError
from millstream.model.layout import POSITION, viewed_leaves
from millstream.runtime import crash
from millstream.runtime.ledger import Json
from millstream.runtime.network.clock import Clock, clock_of_numbers
from millstream.runtime.network.fed_part import fed_part
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.network.passing import drawdown
from millstream.runtime.network.window_rows import window_rows
from millstream.runtime.parsing.parser import Rejected, parser_for
from millstream.runtime.peers.links import Links
from millstream.runtime.peers.packet import Packet, Received
from millstream.runtime.records import FlowRecord
from millstream.runtime.use import Hop, LinkUse, PeerUse, Use
from millstream.runtime.watermark import Watermark


@dataclass(frozen=True, slots=True)
class Receiving:
    """One flow at a peer that is not its first."""

    links: Links
    flow: FlowRecord
    peer: str
    streams: Sequence[FedStream]
    """Where the flow is read at this peer."""
    onward: bool
    """True when somebody further along the way reads it as well."""

    @property
    def hop(self) -> Hop:
        """The one over which the flow comes here."""
        place = self.flow.route.index(self.peer)
        return self.flow.route[place - 1], self.peer

    def receive(self) -> int:
        """Take in all packets that wait; their number."""
        tap, received = self.flow.tap, self.links.received(self.flow.tap, self.hop)
        count = 0
        for packet, data in self.links.waiting(tap, self.hop):
            if packet.batch > received.batch:
                self._pass_on(packet, data)
                for fed in self.streams:
                    self._take(fed, packet)
                crash.reach("received")
                received = received.with_packet(packet, len(data))
                self.links.remember_received(tap, received)
            # A packet goes only when all that it brought is kept elsewhere.
            self.links.drop(tap, self.hop, packet.batch)
            count += 1
        return count

    def begin(self, fed: FedStream) -> None:
        """Tell a new stream how far its flow has come: what was before is not for it."""
        received = self.links.received(self.flow.tap, self.hop)
        if received.batch > 0 and fed.journal.state.batch < 0:
            self._set_clock(fed, received)

    def _pass_on(self, packet: Packet, data: bytes) -> None:
        place = self.flow.route.index(self.peer)
        if self.onward and place + 1 < len(self.flow.route):
            hop = (self.peer, self.flow.route[place + 1])
            self.links.send(self.flow.tap, hop, packet.batch, data)

    def _take(self, fed: FedStream, packet: Packet) -> None:
        if fed.journal.state.pending is not None:
            fed.shared_batch.finish()
        state = fed.journal.state
        if state.batch >= packet.batch:
            return
        if packet.opening:
            if packet.batch > 0:
                self._set_clock(fed, Received(self.hop).with_packet(packet, 0))
            return
        started = time.monotonic()
        rows, rejected = self._rows(fed, packet)
        clock = self._clock(fed, packet.clock, rows)
        ends = packet.ended and not state.ended
        if rows is None and not ends and not clock.moves(state):
            return
        batch = fed.shared_batch
        parts = [] if rows is None else [fed_part(fed, rows, rejected, len(packet.payload))]
        use = Use(
            {self.hop: LinkUse(len(packet.payload), packet.items)},
            {self.flow.route[0]: PeerUse(packet.seconds)},
        )
        inputs: Json = {
            "parts": parts,
            "batch": packet.batch,
            "clock": clock.to_json(),
            "ended": packet.ended,
            "seconds": time.monotonic() - started,
            "use": use.to_json(),
        }
        batch.take(inputs, assigning=packet.begun)

    def _set_clock(self, fed: FedStream, received: Received) -> None:
        clock = self._clock(fed, received.clock, None)
        fed.set_clock(clock, received.batch, ended=received.ended)

    def _rows(self, fed: FedStream, packet: Packet) -> tuple[pa.Table | None, tuple[Rejected, ...]]:
        schema, state = self.flow.schema, fed.journal.state
        if self.flow.windows is not None:
            texts = packet.texts()
            return window_rows(texts, schema, state.items + state.rejected, fed.record.origin)
        if packet.margin is None or not packet.items:
            return None, ()
        parsed = parser_for("xml", schema).parse("\n".join(packet.texts()).encode())
        if parsed.rejected or parsed.rows.num_rows != packet.items:
            reason = parsed.rejected[0].reason if parsed.rejected else "some are missing"
            raise StateError(
                f"items of flow '{self.flow.name}' arrive damaged: {reason}", code="packet"
            )
        rows = parsed.rows.add_column(0, POSITION, packet.margin.column(POSITION))
        for name in packet.margin.column_names[1:]:
            rows = rows.append_column(name, packet.margin.column(name))
        return rows, ()

    def _clock(self, fed: FedStream, told: Sequence[Json], rows: pa.Table | None) -> Clock:
        """The time of a stream here, as the source tells it."""
        if self.flow.counted:
            seen = 0 if not told or told[0]["highest"] is None else int(told[0]["highest"]) + 1
            return clock_of_numbers(seen - fed.record.origin)
        marks = tuple(Watermark.from_json(each) for each in told)
        if self.flow.windows is not None:
            behind = tuple(int(Decimal(each["drawdown"])) for each in told)
            return Clock(marks, behind)
        leaves = {str(leaf): leaf for leaf in viewed_leaves(self.flow.schema)}
        before = fed.journal.state.watermarks
        return Clock(
            marks,
            tuple(
                0
                if rows is None
                else drawdown(rows, leaves[each.reference], before.get(each.reference))
                for each in marks
            ),
        )
