"""A batch of a topic becomes a file that the intake reads.

Tasks write down their records side by side, and one task puts them in order into one file, whole.
A batch that is repeated after a crash finds its file and leaves it; so each record comes once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import pyarrow as pa
from pyspark.sql import DataFrame

from millstream.runtime.intake.listing import REFUSED_SUFFIX
from millstream.runtime.kafka.framing import Framed, framed, in_order
from millstream.runtime.kafka.record import Framing, Record
from millstream.runtime.storage import storage_at

PREFIX = "kafka-"
_FRAMED = "partition INT, offset BIGINT, timestamp BIGINT, text BINARY, good BOOLEAN"
_FRAMED_ARROW = pa.schema(
    [
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.int64()),
        ("text", pa.binary()),
        ("good", pa.bool_()),
    ]
)
_COUNTS = "good BIGINT, refused BIGINT"
Batches = Iterator[pa.RecordBatch]


def file_names(batch: int, format: str) -> tuple[str, str]:
    """The file of a batch, and the one of what was refused in it, which comes before it."""
    stem = f"{PREFIX}{batch:012d}"
    suffix = "xml" if format == "xml" else "jsonl"
    return f"{stem}-b.{suffix}", f"{stem}-a{REFUSED_SUFFIX}"


def drain_batch(records: DataFrame, batch: int, folder: str, framing: Framing) -> tuple[int, int]:
    """Write down a batch of records; how many there were, and how many were refused."""
    data, _ = file_names(batch, framing.format)
    if data in storage_at(folder).names(""):
        return 0, 0
    written = (
        as_records(records)
        .mapInArrow(_framing_task(framing), _FRAMED)
        .repartition(1)
        .mapInArrow(_writing_task(batch, folder, framing), _COUNTS)
        .collect()
    )
    return sum(row["good"] for row in written), sum(row["refused"] for row in written)


def _framing_task(framing: Framing) -> Callable[[Batches], Batches]:
    """What a task does with the records of a partition."""

    def run(batches: Batches) -> Batches:
        for batch in batches:
            found = framed(records_of(batch), framing)
            rows = [{name: getattr(each, name) for name in _FRAMED_ARROW.names} for each in found]
            yield pa.RecordBatch.from_pylist(rows, schema=_FRAMED_ARROW)

    return run


def _writing_task(batch: int, folder: str, framing: Framing) -> Callable[[Batches], Batches]:
    """What the one task does that has all records."""

    def run(batches: Batches) -> Batches:
        rows = chain.from_iterable(each.to_pylist() for each in batches)
        records = in_order(Framed(**row) for row in rows)
        good, refused = write_batch(records, batch, folder, framing)
        yield pa.RecordBatch.from_pydict({"good": [good], "refused": [refused]})

    return run


def write_batch(
    records: Iterable[Framed], batch: int, folder: str, framing: Framing
) -> tuple[int, int]:
    """Write the files of a batch, unless they are there; how many records each is of."""
    storage = storage_at(folder)
    data, aside = file_names(batch, framing.format)
    there = storage.names("")
    known = list(records)
    good = [each.text for each in known if each.good]
    refused = [each.text for each in known if not each.good]
    # The file of the batch comes last: as long as it is missing, nothing of the batch is done.
    if refused and data not in there and aside not in there:
        storage.write(aside, b"".join(refused))
    if good and data not in there:
        storage.write(data, b"".join([framing.head, *good, framing.foot]))
    return len(good), len(refused)


def as_records(frame: DataFrame) -> DataFrame:
    """What the connector gives, with the columns of records."""
    return frame.selectExpr(
        "partition", "offset", "unix_millis(timestamp) AS timestamp", "key", "value", "headers"
    )


def records_of(batch: pa.RecordBatch) -> Iterator[Record]:
    """The records of a batch of rows."""
    for row in batch.to_pylist():
        headers = tuple((each["key"], each["value"]) for each in row["headers"] or ())
        yield Record(
            row["partition"], row["offset"], row["timestamp"], row["key"], row["value"], headers
        )
