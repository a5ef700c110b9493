"""The fillers in the log of a stream, whatever its items are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from millstream.history.filler_store import FillerStore
from millstream.model.filler import ROOT_ID, Filler
from millstream.model.filler_layout import instant_of
from millstream.model.layout import POSITION
from millstream.model.tag_structure import TagStructure
from millstream.runtime.history.filler_chunks import read_structure_once
from millstream.runtime.history.filler_parts import told_latest
from millstream.runtime.history.item_history import (
    ITEMS,
    item_rows,
    item_structure,
    latest_item,
    root_content,
)
from millstream.runtime.journal import StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.segments import STEP, read_segment
from millstream.runtime.storage import Storage
from millstream.runtime.tags.item_tags import ItemTags

FIRST = -1
"""The arrival of a root that was there before all items."""


class HistoryRow(NamedTuple):
    """A filler, and its place in the stream."""

    tsid: int
    id: int
    valid: int
    arrival: int
    content: str
    tags: str = ""
    """Those on an item, as XML."""

    def filler(self) -> Filler:
        return Filler(self.id, self.tsid, instant_of(self.valid), self.content, self.tags)


def structure_of(record: StreamRecord) -> TagStructure:
    """The tag structure of a stream; items are events."""
    if record.structure is not None:
        return read_structure_once(record.structure)
    return item_structure(record)


def rows_of_table(
    table: pa.Table, record: StreamRecord, tags: ItemTags | None = None
) -> Iterator[HistoryRow]:
    """The fillers in a table of a stream's log; of items also the tags on them."""
    if record.structure is None:
        texts = {} if tags is None else tags.texts(table[POSITION].to_pylist())
        for position, valid, content in item_rows(table, record):
            found = texts.get(position, "")
            yield HistoryRow(ITEMS.tsid, ITEMS.id, valid, position, content, found)
        return
    names = ("tsid", "id", "valid", POSITION, "content")
    for row in zip(*(table[name].to_pylist() for name in names), strict=True):
        yield HistoryRow(*row)


def first_rows(record: StreamRecord) -> tuple[HistoryRow, ...]:
    """What a history holds before anything has come."""
    if record.structure is not None:
        return ()
    root = structure_of(record).root
    return (HistoryRow(root.id, ROOT_ID, 0, FIRST, root_content(record.schema)),)


def logged_rows(
    storage: Storage,
    segments: Sequence[Segment],
    record: StreamRecord,
    after_step: int = 0,
    tags: ItemTags | None = None,
) -> Iterator[HistoryRow]:
    """The fillers in the log of the steps after a step, in order of arrival."""
    for segment in segments:
        if segment.last_step > after_step:
            table = read_segment(storage, segment)
            if segment.first_step <= after_step:
                table = table.filter(pc.greater(table[STEP], after_step))
            yield from rows_of_table(table, record, tags)


def latest_of(record: StreamRecord, parts: list[Json]) -> int | None:
    """The largest time that some parts of a log bring; None if they bring none."""
    if record.structure is not None:
        return told_latest(parts)
    return None if record.order_by is None else latest_item(record, parts)


def stored_history(storage: Storage, state: StreamState, record: StreamRecord) -> FillerStore:
    """The history of a stream in memory."""
    store = FillerStore(structure_of(record))
    tags = ItemTags.of(storage, state, record)
    logged = logged_rows(storage, state.tables["log"], record, tags=tags)
    for row in (*first_rows(record), *logged):
        store.add(row.filler())
    return store
