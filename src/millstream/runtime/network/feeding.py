"""What the steps of one stream bring to streams that it feeds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from millstream.compiler.template import ResultTemplate
from millstream.model.layout import ITEM
from millstream.runtime.journal import StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.network.clock import (
    Clock,
    clock_of_items,
    clock_of_numbers,
    clock_of_windows,
)
from millstream.runtime.network.fed_part import fed_part
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.network.narrowing import whole_column
from millstream.runtime.network.serialized_size import serialized_size
from millstream.runtime.network.taking import counted, taken_rows, taken_texts
from millstream.runtime.network.window_rows import window_rows
from millstream.runtime.parsing.parser import Rejected
from millstream.runtime.records import FlowRecord, Reading, StreamRecord
from millstream.runtime.storage import Storage
from millstream.runtime.use import Hop, LinkUse, PeerUse, Use


@dataclass(frozen=True, slots=True)
class Tapped:
    """A stream that a flow is made from, and where the tap's results are."""

    record: StreamRecord
    state: StreamState
    reading: Reading | None
    """None before the first step that the tap is part of."""
    template: ResultTemplate


@dataclass(frozen=True, slots=True)
class Carried:
    """What a flow brings after some steps of its source."""

    rows: pa.Table | None = None
    rejected: tuple[Rejected, ...] = ()
    items: int = 0
    bytes: int = 0
    """As XML text."""
    seconds: float = 0.0
    """Of work where the flow is made."""


class Feeding:
    """Feeds the streams of one flow after a step of its source."""

    def __init__(self, storage: Storage, flow: FlowRecord, tapped: Tapped) -> None:
        self._storage = storage
        self._flow = flow
        self._schema = flow.schema
        self._tapped = tapped
        self._made: dict[tuple[int, int], Carried] = {}

    def feed(self, fed: FedStream, hops: Sequence[Hop]) -> None:
        """A step of a fed stream, unless there is nothing new for it.

        The bytes that it takes are counted on the hops that bring them.
        """
        source = self._tapped.state
        if fed.journal.state.pending is not None:
            fed.shared_batch.finish()
        if fed.journal.state.batch >= source.step:
            return
        known = (fed.journal.state.batch, fed.record.origin) in self._made
        carried = self._carried(fed)
        clock = self.clock(fed, carried.rows)
        ends = source.ended and not fed.journal.state.ended
        if carried.rows is None and not ends and not clock.moves(fed.journal.state):
            return
        # A shared batch sweeps up after a crash when it is first used: before there are new parts.
        batch, started = fed.shared_batch, time.monotonic()
        parts = (
            []
            if carried.rows is None
            else [fed_part(fed, carried.rows, carried.rejected, carried.bytes)]
        )
        made = {self._flow.route[0]: PeerUse(0.0 if known else carried.seconds)}
        sent = {hop: LinkUse(carried.bytes, carried.items) for hop in hops}
        inputs: Json = {
            "parts": parts,
            "batch": source.step,
            "clock": clock.to_json(),
            "ended": source.ended,
            "seconds": time.monotonic() - started,
            "use": Use(sent, made).to_json(),
        }
        # Before the tap has begun there is nothing for anyone to read: only time goes on.
        batch.take(inputs, assigning=self._tapped.reading is not None)

    def _carried(self, fed: FedStream) -> Carried:
        key = (fed.journal.state.batch, fed.record.origin)
        if key not in self._made:
            started = time.monotonic()
            carried = self._windows(fed) if self._flow.windows else self._items(fed)
            self._made[key] = replace(carried, seconds=time.monotonic() - started)
        return self._made[key]

    def _items(self, fed: FedStream) -> Carried:
        tapped = self._tapped
        if tapped.reading is None:
            return Carried()
        stream = (tapped.record, tapped.state)
        after = fed.journal.state.batch
        rows = taken_rows(self._storage, stream, tapped.reading, after, self._schema)
        if rows is None:
            return Carried()
        size = serialized_size(whole_column(rows.column(ITEM)), self._schema.item)
        return Carried(rows, (), rows.num_rows, size)

    def _windows(self, fed: FedStream) -> Carried:
        tapped, state = self._tapped, fed.journal.state
        if tapped.reading is None:
            return Carried()
        texts = taken_texts(
            self._storage, tapped.state, tapped.reading, tapped.template, state.batch
        )
        position = state.items + state.rejected
        rows, rejected = window_rows(texts, self._schema, position, fed.record.origin)
        return Carried(rows, rejected, len(texts), sum(len(each.encode()) for each in texts))

    def clock(self, fed: FedStream, rows: pa.Table | None = None) -> Clock:
        """How far the source is, for a stream that takes in some rows."""
        flow, tapped = self._flow, self._tapped
        if flow.windows is None:
            return clock_of_items(tapped.state, self._schema, rows, fed.journal.state)
        if flow.reference is not None:
            return clock_of_windows(tapped.state, flow.reference, tapped.record.lateness)
        seen = 0 if tapped.reading is None else counted(self._storage, tapped.state, tapped.reading)
        return clock_of_numbers(seen - fed.record.origin)
