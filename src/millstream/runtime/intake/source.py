"""A stream's source as Spark reads it: one small row for each chunk of the stream.

Rows of items never pass through Spark's Python interface: a task parses its chunk, writes the
part of the stream's log, and gives Spark the part's name.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from pyspark import TaskContext
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from millstream.errors import StateError
from millstream.runtime.history.filler_chunks import FillerReader
from millstream.runtime.intake.extents import Chunk, SourceFile
from millstream.runtime.intake.parsers import parser
from millstream.runtime.intake.planner import Planner
from millstream.runtime.intake.reading import ChunkPlan, ChunkReader, ChunkRow
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.tags.intake.chunks import TaggedReader

NAME = "millstream"
OPTION = "intake"
CHUNK_COLUMNS = (
    "chunk bigint, part string, rows bigint, bytes bigint, quarantine string, rejected bigint, "
    "first_position bigint, end_position bigint, statistics string"
)

Offset = dict[str, int]


def register(spark: SparkSession) -> None:
    """Make the source known to a session, unless it or one beside it has done so."""
    try:
        spark.dataSource.register(IntakeSource)
    except AnalysisException as error:
        if error.getCondition() != "DATA_SOURCE_ALREADY_EXISTS":
            raise


def stream(spark: SparkSession, spec: IntakeSpec) -> DataFrame:
    """The chunks of a stream, as they arrive."""
    if spec.columns:
        parser("csv", "", spec)  # refuses columns that the items do not have
    register(spark)
    return spark.readStream.format(NAME).option(OPTION, spec.absolute().to_json()).load()


class IntakeSource(DataSource):
    """The data source whose one option is an intake spec."""

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> str:
        return CHUNK_COLUMNS

    def streamReader(self, schema: StructType) -> IntakeReader:  # noqa: N802 Spark's name
        if OPTION not in self.options:
            raise StateError(
                f"the source '{NAME}' needs the option '{OPTION}'",
                help="build the stream with millstream.runtime.intake.source.stream",
            )
        return IntakeReader(self.options[OPTION])


class ChunkPartition(InputPartition):
    """A chunk, as Spark hands it to a task."""

    def __init__(self, plan: ChunkPlan) -> None:
        super().__init__(plan.chunk.ordinal)
        self.plan = plan


class IntakeReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans a stream's chunks in the driver's process and reads them in the tasks'."""

    def __init__(self, spec: str) -> None:
        self._text = spec
        self._made: Planner | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"_text": self._text, "_made": None}

    @property
    def _spec(self) -> IntakeSpec:
        return _read_spec(self._text)

    @property
    def _planner(self) -> Planner:
        # Tasks have readers too, and must not open the journal.
        if self._made is None:
            self._made = Planner(self._spec)
        return self._made

    def initialOffset(self) -> Offset:  # noqa: N802
        return {"chunk": 0, "position": 0}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        return ReadMaxBytes(self._spec.max_bytes_per_batch)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._planner.freeze()

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802
        journal = self._planner.journal
        max_bytes, max_items = self._limits(limit)
        # Chunks that were planned just before a crash come first, as they were planned.
        planned = journal.chunks(start["chunk"], journal.next_chunk)
        if planned:
            return _offset_behind(_last_within(planned, max_bytes))
        self._planner.plan(max_bytes, max_items)
        planned = journal.chunks(start["chunk"], journal.next_chunk)
        return _offset_behind(planned[-1]) if planned else start

    def partitions(self, start: Offset, end: Offset) -> Sequence[InputPartition]:
        journal = self._planner.journal
        chunks = journal.chunks(start["chunk"], end["chunk"])
        return [ChunkPartition(_plan(chunk, journal.files)) for chunk in chunks]

    def read(self, partition: InputPartition) -> Iterator[ChunkRow]:
        assert isinstance(partition, ChunkPartition), "a partition of this source is a chunk"
        yield _reader(self._spec)(self._spec, partition.plan).read()
        if TaskContext.get() is not None:
            _settle()

    def commit(self, end: Offset) -> None:
        self._planner.commit(end["chunk"])

    def _limits(self, limit: ReadLimit) -> tuple[int | None, int | None]:
        items = self._spec.max_items_per_batch
        match limit:
            case ReadAllAvailable():
                return None, None
            case ReadMaxBytes():
                return limit.max_bytes, items
            case ReadMaxRows():
                return self._spec.max_bytes_per_batch, limit.max_rows
            case _:
                return self._spec.max_bytes_per_batch, items


@cache
def _settle() -> None:
    """Let a worker not look for garbage in what it has loaded for good.

    It would do so after each task, and that takes as long as to read some megabytes.
    """
    gc.collect()
    gc.freeze()


def _reader(spec: IntakeSpec) -> type[ChunkReader]:
    if spec.structure:
        return FillerReader
    return TaggedReader if spec.tagged else ChunkReader


@lru_cache(maxsize=64)
def _read_spec(text: str) -> IntakeSpec:
    return IntakeSpec.from_json(text)


def _plan(chunk: Chunk, files: dict[int, SourceFile]) -> ChunkPlan:
    return ChunkPlan(chunk, {each: files[each] for each in chunk.files() if each in files})


def _last_within(chunks: Sequence[Chunk], max_bytes: int | None) -> Chunk:
    """The last chunk that a batch may hold; the first in any case."""
    last = chunks[0]
    total = last.bytes
    for chunk in chunks[1:]:
        total += chunk.bytes
        if max_bytes is not None and total > max_bytes:
            break
        last = chunk
    return last


def _offset_behind(chunk: Chunk) -> Offset:
    return {"chunk": chunk.ordinal + 1, "position": chunk.end_position}
