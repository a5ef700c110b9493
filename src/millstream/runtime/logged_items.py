"""The items of a stream's log as XML text, by their positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.filler import Filler, filler_text
from millstream.model.filler_layout import instant_of
from millstream.model.layout import ITEM, POSITION
from millstream.runtime.intake.files import files_at
from millstream.runtime.item_text import item_text
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.storage import Storage

AT_A_TIME = 1000
_FILLER = ("id", "tsid", "valid", "content")


class LoggedItem(NamedTuple):
    """An item of a log and its place in the stream."""

    position: int
    text: str


def logged_items(
    storage: Storage, record: StreamRecord, segments: Sequence[Segment], after: int = -1
) -> Iterator[LoggedItem]:
    """The items behind a position, in order."""
    for segment in segments:
        path = storage.address(segment.name)
        if _last_position(path) <= after:
            continue
        for batch in _batches(path, record):
            if batch.num_rows and batch.column(0)[-1].as_py() > after:
                yield from (each for each in _texts(batch, record) if each.position > after)


def items_at(
    storage: Storage, record: StreamRecord, segments: Sequence[Segment], positions: Sequence[int]
) -> Iterator[LoggedItem]:
    """The items at some positions, in order, as far as the log still holds them."""
    wanted = sorted(positions)
    for segment in segments:
        path = storage.address(segment.name)
        if not wanted or _last_position(path) < wanted[0]:
            continue
        for batch in _batches(path, record):
            last = batch.column(0)[-1].as_py() if batch.num_rows else -1
            here = [each for each in wanted if each <= last]
            if here:
                chosen = compute.is_in(batch.column(0), pa.array(here, pa.int64()))
                yield from _texts(batch.filter(chosen), record)
                wanted = wanted[len(here) :]


def positions_between(
    storage: Storage, segments: Sequence[Segment], low: int, high: int
) -> npt.NDArray[np.int64]:
    """The positions of the items from one position to another, in order."""
    near = [(POSITION, ">=", low), (POSITION, "<=", high)]
    found = [
        pq.read_table(
            storage.address(each.name), columns=[POSITION], filters=near, partitioning=None
        )
        for each in segments
    ]
    columns = [each.column(POSITION).to_numpy() for each in found]
    return np.sort(np.concatenate([np.empty(0, np.int64), *columns]))


def last_items(
    storage: Storage, record: StreamRecord, segments: Sequence[Segment], most: int
) -> list[LoggedItem]:
    """The newest items, oldest first."""
    found: list[LoggedItem] = []
    for segment in reversed(segments):
        if len(found) >= most:
            break
        path = storage.address(segment.name)
        held: list[LoggedItem] = []
        for batch in _batches(path, record):
            held = [*held, *_texts(batch.slice(max(0, batch.num_rows - most)), record)][-most:]
        found = [*held, *found]
    return found[-most:]


def _batches(path: str, record: StreamRecord) -> Iterator[pa.RecordBatch]:
    columns = [POSITION, *(_FILLER if record.structure else (ITEM,))]
    system, name = files_at(path).opened(path)
    with pq.ParquetFile(name, filesystem=system) as file:
        yield from file.iter_batches(AT_A_TIME, columns=columns)


def _texts(batch: pa.RecordBatch, record: StreamRecord) -> Iterator[LoggedItem]:
    positions = batch.column(POSITION).to_pylist()
    if record.structure:
        rows = zip(*(batch.column(each).to_pylist() for each in _FILLER), strict=True)
        for position, (id, tsid, valid, content) in zip(positions, rows, strict=True):
            filler = Filler(id, tsid, instant_of(valid), content)
            yield LoggedItem(position, filler_text(filler))
        return
    element = record.schema.item
    for position, value in zip(positions, batch.column(ITEM).to_pylist(), strict=True):
        yield LoggedItem(position, item_text(value, element))


@lru_cache(maxsize=4096)
def _last_position(path: str) -> int:
    """The highest position in a file, which never changes once it is written."""
    system, name = files_at(path).opened(path)
    with pq.ParquetFile(name, filesystem=system) as file:
        groups = [file.metadata.row_group(each) for each in range(file.num_row_groups)]
        columns = (each.column(index) for each in groups for index in range(each.num_columns))
        found = [each.statistics for each in columns if each.path_in_schema == POSITION]
        told = [each.max for each in found if each is not None and each.has_min_max]
    # Without statistics every row must be looked at.
    return int(max(told)) if told and len(told) == len(groups) else 2**63 - 1
