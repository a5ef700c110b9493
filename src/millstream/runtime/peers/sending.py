"""What the steps of a stream give to a flow, as packets on its first link."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from millstream.model.layout import ITEM, PASSED_PREFIX, POSITION, viewed_leaves
from millstream.runtime import crash
from millstream.runtime.item_text import item_text
from millstream.runtime.ledger import Json
from millstream.runtime.network.clock import clock_of_numbers, clock_of_windows
from millstream.runtime.network.feeding import Tapped
from millstream.runtime.network.taking import counted, taken_rows, taken_texts
from millstream.runtime.peers.links import Links
from millstream.runtime.peers.packet import SEPARATOR, Packet
from millstream.runtime.records import FlowRecord
from millstream.runtime.storage import Storage
from millstream.runtime.use import Hop


@dataclass(frozen=True, slots=True)
class Sending:
    """One flow at the peer where it is made."""

    storage: Storage
    links: Links
    flow: FlowRecord
    tapped: Tapped
    from_log: bool
    """True when the flow begins with what the log of its source held."""

    @property
    def hop(self) -> Hop:
        """The first of the flow's way."""
        return self.flow.route[0], self.flow.route[1]

    def send(self) -> bool:
        """Send what the steps since the last time have given; whether there was anything."""
        sent = self.links.sent(self.flow.tap)
        packet = self._opening() if sent is None else self._following(sent)
        if packet is None:
            return False
        self.links.send(self.flow.tap, self.hop, packet.batch, packet.to_bytes())
        crash.reach("sent")
        self.links.remember_sent(self.flow.tap, packet.batch)
        return True

    def _opening(self) -> Packet | None:
        """How far the source is when the flow begins: whatever came before is not for it."""
        state = self.tapped.state
        if self.from_log:
            return self._following(-1)
        if self.tapped.reading is not None or not state.step:
            # A source that has not begun has no time to tell.
            return Packet(batch=0, opening=True, begun=False)
        return Packet(state.step, self._clock(), state.ended, opening=True, begun=False)

    def _following(self, sent: int) -> Packet | None:
        state = self.tapped.state
        if state.step <= sent or (self.tapped.reading is None and self.from_log):
            return None
        started = time.monotonic()
        texts, margin = self._windows(sent) if self.flow.windows else self._items(sent)
        return Packet(
            state.step,
            self._clock(),
            state.ended,
            begun=self.tapped.reading is not None,
            items=len(texts),
            payload=SEPARATOR.join(texts).encode(),
            margin=margin,
            seconds=time.monotonic() - started,
        )

    def _items(self, after: int) -> tuple[Sequence[str], pa.Table | None]:
        tapped = self.tapped
        if tapped.reading is None:
            return (), None
        stream = (tapped.record, tapped.state)
        schema = self.flow.schema
        rows = taken_rows(self.storage, stream, tapped.reading, after, schema)
        if rows is None:
            return (), None
        texts = [item_text(each, schema.item) for each in rows.column(ITEM).to_pylist()]
        beside = [name for name in rows.column_names if name.startswith(PASSED_PREFIX)]
        return texts, rows.select([POSITION, *beside])

    def _windows(self, after: int) -> tuple[Sequence[str], None]:
        tapped = self.tapped
        if tapped.reading is None:
            return (), None
        return (
            taken_texts(self.storage, tapped.state, tapped.reading, tapped.template, after),
            None,
        )

    def _clock(self) -> list[Json]:
        """The time of the source, as the flow's items see it."""
        flow, tapped = self.flow, self.tapped
        marks = tapped.state.watermarks
        if flow.windows is None:
            names = (str(leaf) for leaf in viewed_leaves(flow.schema))
            return [marks[each].to_json() for each in names if each in marks]
        if flow.reference is not None:
            return clock_of_windows(tapped.state, flow.reference, tapped.record.lateness).to_json()
        reading = tapped.reading
        seen = 0 if reading is None else counted(self.storage, tapped.state, reading)
        return clock_of_numbers(seen).to_json()
