"""Tables of a space as lists of segments, merged as they grow.

Sixteen segments of one level become one of the next, so a table of a hundred thousand steps has
a few dozen files.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage

FAN_IN = 16
LARGEST = 16 * 1024 * 1024
STEP = "step"


def describe_file(storage: Storage, name: str, step: int) -> Segment:
    """The segment of a Parquet file that a step wrote."""
    rows = pq.read_metadata(storage.address(name)).num_rows
    return Segment(name, rows, storage.size(name), step, step, time=time.time())


def mergeable(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The oldest segments to merge: so many in a row, of one level and not too large; or none."""
    for _, group in groupby(segments, key=lambda each: each.level):
        run = list(group)
        until = [0, *accumulate(each.bytes for each in run)]
        for first in range(len(run) - FAN_IN + 1):
            if until[first + FAN_IN] - until[first] <= LARGEST:
                return tuple(run[first : first + FAN_IN])
    return ()


def merge(storage: Storage, segments: Sequence[Segment], folder: str) -> Segment:
    """One segment with the rows of the given ones, in their order, each with its step.

    A column that only some of them have is null in the rows of the others.
    """
    storage.make_folder(folder)
    name = f"{folder}/{uuid.uuid4().hex}.parquet"
    rows = 0
    schema = _schema_of(storage, segments)
    with pq.ParquetWriter(
        storage.address(name),
        schema,
        compression="zstd",
        use_dictionary=_with_dictionaries(storage, segments[-1]),
    ) as writer:
        for segment in segments:
            table = read_segment(storage, segment)
            rows += table.num_rows
            writer.write_table(_with_columns(table, schema))
    return Segment(
        name,
        rows,
        storage.size(name),
        min(each.first_step for each in segments),
        max(each.last_step for each in segments),
        level=segments[0].level + 1,
        time=max(each.time for each in segments),
    )


def _schema_of(storage: Storage, segments: Sequence[Segment]) -> pa.Schema:
    """All columns of segments and their step, as the first that has a column has it."""
    schemas = [pq.read_schema(storage.address(each.name)) for each in segments]
    found: dict[str, pa.Field] = {}
    for field in (field for schema in schemas for field in schema):
        found.setdefault(field.name, field.with_nullable(True))
    found.setdefault(STEP, pa.field(STEP, pa.int64()))
    return pa.schema(found.values(), schemas[0].metadata)


def _with_dictionaries(storage: Storage, segment: Segment) -> list[str]:
    """The columns that who wrote a segment thought worth a dictionary: for others it is a loss."""
    about = pq.read_metadata(storage.address(segment.name))
    if not about.num_row_groups:
        return []
    group = about.row_group(0)
    columns = map(group.column, range(group.num_columns))
    return [each.path_in_schema for each in columns if each.has_dictionary_page]


def _with_columns(table: pa.Table, schema: pa.Schema) -> pa.Table:
    present = set(table.column_names)
    columns = [
        table.column(each.name).cast(each.type)
        if each.name in present
        else pa.nulls(table.num_rows, each.type)
        for each in schema
    ]
    return pa.table(columns, schema=schema)


def read_segment(
    storage: Storage, segment: Segment, channels: Sequence[int] | None = None
) -> pa.Table:
    """The rows of a segment, with their step as a column; on request of some channels only."""
    filters = None if channels is None else [("channel", "in", list(channels))]
    file = storage.address(segment.name)
    # ParquetFile and dataset readers would take kind=… in the path for a column of its own.
    table = pq.read_table(file, filters=filters, partitioning=None)
    if STEP not in table.column_names:
        steps = pa.array([segment.first_step] * table.num_rows, pa.int64())
        table = table.append_column(STEP, steps)
    return table


def read_segments(
    storage: Storage, segments: Sequence[Segment], channels: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """The rows of all segments, oldest first, one table a segment."""
    for segment in segments:
        yield read_segment(storage, segment, channels)


def expired(
    segments: Sequence[Segment], retention: str, now: float, current: int, *, times: int = 1
) -> tuple[Segment, ...]:
    """The segments that a stream's retention lets go; never one of the current step.

    Where it says how long things are kept, they are kept so many times as long.
    """
    past = [each for each in segments if each.last_step < current]
    if retention == "all":
        return ()
    if retention == "none":
        return tuple(past)
    amount, unit = parse_retention(retention)
    if unit == "seconds":
        return tuple(each for each in past if now - each.time > times * amount)
    dropped, held = [], sum(each.bytes for each in segments)
    for segment in past:
        if held <= amount:
            break
        dropped.append(segment)
        held -= segment.bytes
    return tuple(dropped)


_UNITS = {
    "s": ("seconds", 1),
    "min": ("seconds", 60),
    "h": ("seconds", 3600),
    "d": ("seconds", 86400),
    "kB": ("bytes", 1000),
    "MB": ("bytes", 1000**2),
    "GB": ("bytes", 1000**3),
    "TB": ("bytes", 1000**4),
}


def is_of_size(retention: str) -> bool:
    """True for a retention that says how much is kept, and not how long."""
    return retention not in ("all", "none") and parse_retention(retention)[1] == "bytes"


def parse_retention(text: str) -> tuple[int, str]:
    """A retention such as '7d' or '10GB' as an amount of seconds or bytes."""
    unit = next((each for each in sorted(_UNITS, key=len, reverse=True) if text.endswith(each)), "")
    number = text.removesuffix(unit).strip()
    if not unit or not number.isdigit():
        raise ValueError(f"'{text}' is no retention: write all, none, or e.g. 7d, 12h, 10GB")
    kind, factor = _UNITS[unit]
    return int(number) * factor, kind
