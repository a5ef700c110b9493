"""The intake in a real streaming query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

from millstream.errors import StateError
from millstream.model.layout import POSITION
from millstream.runtime.intake.failure import raised_in_worker
from millstream.runtime.intake.source import stream
from millstream.testing.memory_source import MemorySource
from tests.runtime.intake.driving import Intake, number

pytestmark = pytest.mark.spark


class Collected:
    """The rows that a query's batches brought."""

    def __init__(self) -> None:
        self.batches: dict[int, list[dict[str, Any]]] = {}

    def __call__(self, chunks: DataFrame, batch: int) -> None:
        self.batches[batch] = [row.asDict() for row in chunks.collect()]

    def rows(self) -> list[dict[str, Any]]:
        rows = [row for batch in self.batches.values() for row in batch]
        return sorted(rows, key=lambda row: row["first_position"])


def start(
    spark: SparkSession, intake: Intake, batches: Collected, **trigger: Any
) -> StreamingQuery:
    writer = stream(spark, intake.spec).writeStream.foreachBatch(batches)
    checkpoint = str(intake.directory / "checkpoint")
    return writer.option("checkpointLocation", checkpoint).trigger(**trigger).start()


def test_a_query_reads_a_source_that_grows(spark: SparkSession, tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"chunk_bytes": 400, "max_bytes_per_batch": 1000})
    source = MemorySource(intake.source)
    batches = Collected()
    source.push(number(n) for n in range(50))
    query = start(spark, intake, batches, processingTime="50 milliseconds")
    try:
        query.processAllAvailable()
        source.push([number(50), "<number><n>oops</n><note/></number>", number(51)])
        query.processAllAvailable()
    finally:
        query.stop()
    source.push([number(52)])
    query = start(spark, intake, batches, availableNow=True)
    assert query.awaitTermination(120)
    intake.rows = batches.rows()
    assert intake.numbers() == list(range(53))
    assert [entry["raw"] for entry in intake.quarantine()] == [
        b"<number><n>oops</n><note/></number>"
    ]
    assert len(batches.batches) > 2
    assert max(len(rows) for rows in batches.batches.values()) > 1


def test_parts_are_read_as_typed_rows(spark: SparkSession, tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"finite": True})
    MemorySource(intake.source).push(number(n, f"note {n}") for n in range(3))
    batches = Collected()
    assert start(spark, intake, batches, availableNow=True).awaitTermination(120)
    parts = [f"{intake.spec.log_directory}/{row['part']}" for row in batches.rows()]
    columns = f"{POSITION} BIGINT, item STRUCT<n: STRING, note: STRING>, `=n` BIGINT"
    rows = spark.read.schema(columns).parquet(*parts).orderBy(POSITION).collect()
    assert [(row["item"]["note"], row["=n"]) for row in rows] == [
        ("note 0", 0),
        ("note 1", 1),
        ("note 2", 2),
    ]


def test_what_the_planner_cannot_do_reaches_the_user(spark: SparkSession, tmp_path: Path) -> None:
    intake = Intake(tmp_path)
    journal = Path(intake.spec.journal_directory)
    journal.mkdir(parents=True)
    (journal / "journal.jsonl").write_text("rubbish\n")
    query = start(spark, intake, Collected(), availableNow=True)
    with pytest.raises(StreamingQueryException) as raised:
        query.awaitTermination(120)
    error = raised_in_worker(str(raised.value))
    assert isinstance(error, StateError)
    assert error.message.startswith("line 1 of the intake journal")
    assert error.help == "restore the space from a copy"
