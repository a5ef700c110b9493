"""What a tap takes from the steps of a stream: items of its log, or windows from its results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.compiler.output import COUNTER
from millstream.compiler.template import ResultTemplate
from millstream.errors import StateError
from millstream.model.layout import POSITION, passed_name, viewed_leaves
from millstream.model.schema import Schema
from millstream.runtime.intake.files import files_at
from millstream.runtime.journal import StreamState
from millstream.runtime.network.narrowing import columns_of, narrowed, whole_column
from millstream.runtime.network.passing import highest_before
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.records import Reading, Segment, StreamRecord
from millstream.runtime.results import ResultSource, read_results
from millstream.runtime.segments import read_segment
from millstream.runtime.storage import Storage


def taken_rows(
    storage: Storage,
    stream: tuple[StreamRecord, StreamState],
    reading: Reading,
    after: int,
    schema: Schema,
) -> pa.Table | None:
    """The items that a tap let through in the steps after a step, narrowed to a schema.

    Beside the views of each item stands how far the original stream had come before it.
    """
    record, state = stream
    positions = _positions(storage, state.tables["results"], reading, after)
    if not len(positions):
        return None
    rows = _log_rows(storage, record, _since(state.tables["log"], after), schema)
    places = _places(whole_column(rows.column(POSITION)).to_numpy(), positions, record.name)
    taken = narrowed(rows.take(places), schema)
    for name, column in _passed(rows, record, schema).items():
        taken = taken.append_column(name, column.take(places))
    return taken


def taken_texts(
    storage: Storage, state: StreamState, reading: Reading, template: ResultTemplate, after: int
) -> list[str]:
    """The windows that a tap gave in the steps after a step, as items of XML, in order."""
    source = ResultSource(reading, template)
    results = read_results(storage, state.tables["results"], [source], after)
    return [each.value for each in results]


def counted(storage: Storage, state: StreamState, reading: Reading) -> int:
    """How many items the windows by number of a tap have counted."""
    channel = state.channels.get(reading.channel)
    if channel is None or channel.fold is None:
        return 0
    seen = 0
    for segment in state.tables["state"]:
        table = read_segment(storage, segment, [channel.fold])
        for role, values in zip(
            table["role"].to_pylist(), table["values"].to_pylist(), strict=True
        ):
            seen += int(values[0]) if role == COUNTER else 0
    return seen


def _since(segments: Sequence[Segment], after: int) -> list[Segment]:
    return [each for each in segments if each.last_step > after]


def _positions(
    storage: Storage, segments: Sequence[Segment], reading: Reading, after: int
) -> npt.NDArray[np.int64]:
    first = max(after + 1, reading.from_step)
    found = [np.empty(0, np.int64)]
    for segment in _since(segments, after):
        table = read_segment(storage, segment, [reading.channel])
        wanted = compute.greater_equal(table.column("step"), first)
        orderings = whole_column(table.filter(wanted).column("ordering"))
        found.append(compute.list_element(orderings, 0).to_numpy())
    return np.sort(np.concatenate(found))


def _log_rows(
    storage: Storage, record: StreamRecord, segments: Sequence[Segment], schema: Schema
) -> pa.Table:
    """All rows of parts of a log, in order, as far as a narrower schema needs them."""
    columns = columns_of(schema)
    if record.fed:
        columns += (passed_name(leaf.path) for leaf in viewed_leaves(schema))
    rows = pa.concat_tables(_read(storage.address(each.name), columns) for each in segments)
    known = whole_column(rows.column(POSITION)).to_numpy()
    return rows if np.all(known[1:] > known[:-1]) else rows.sort_by(POSITION)


def _read(path: str, columns: list[str]) -> pa.Table:
    """Columns of a file; of a nested one, only the fields that are named."""
    system, name = files_at(path).opened(path)
    with pq.ParquetFile(name, filesystem=system) as file:
        return file.read(columns)


def _places(
    known: npt.NDArray[np.int64], positions: npt.NDArray[np.int64], stream: str
) -> pa.Array:
    """The rows at which positions stand."""
    places = np.searchsorted(known, positions)
    if len(places) and (places[-1] >= len(known) or np.any(known[places] != positions)):
        raise StateError(
            f"the log of stream '{stream}' no longer holds items that are on their way to others",
            code="log",
            help="restore the space from a copy",
        )
    return pa.array(places)


def _passed(rows: pa.Table, record: StreamRecord, schema: Schema) -> dict[str, pa.Array]:
    if not record.fed:
        return highest_before(rows, schema)
    names = (passed_name(leaf.path) for leaf in viewed_leaves(schema))
    return {name: whole_column(rows.column(name)) for name in names}
