"""The result log, read for one subscription: its channels' rows, in its own template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import lit

from millstream.compiler.template import ResultTemplate
from millstream.runtime.records import Reading, Segment
from millstream.runtime.segments import read_segment
from millstream.runtime.storage import Storage

_COLUMNS = ("step", "channel", "tick", "ordering", "values")
_FRAME = "step BIGINT, ordering ARRAY<BIGINT>, branch INT, value STRING"


@dataclass(frozen=True, slots=True)
class Result:
    """One result item, and where it stands in the log."""

    step: int
    ordering: tuple[int, ...]
    value: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the result log for one subscription."""

    step: int
    ordering: tuple[int, ...]
    branch: int
    values: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class ResultSource:
    """A branch of a subscription: where its rows are, and how they are rendered."""

    reading: Reading
    template: ResultTemplate

    def accepts(self, step: int, tick: int | None) -> bool:
        """True for a row that the subscription was there for."""
        reading = self.reading
        if step < reading.from_step or (reading.to_step is not None and step > reading.to_step):
            return False
        return reading.after is None or tick is None or tick > reading.after


def read_results(
    storage: Storage,
    segments: Sequence[Segment],
    sources: Sequence[ResultSource],
    after_step: int = 0,
) -> Iterator[Result]:
    """The result items of a subscription from the steps after a step, in order.

    A row whose template gives nothing at all is no item.
    """
    for row in read_rows(storage, segments, sources, after_step):
        value = sources[row.branch].template.fill(row.values)
        if value:
            yield Result(row.step, row.ordering, value)


def read_rows(
    storage: Storage,
    segments: Sequence[Segment],
    sources: Sequence[ResultSource],
    after_step: int = 0,
) -> Iterator[ResultRow]:
    """The rows of a subscription's results from the steps after a step, in order."""
    channels = [each.reading.channel for each in sources]
    first = max(after_step + 1, min((each.reading.from_step for each in sources), default=0))
    for group in _overlapping(each for each in segments if each.last_step >= first):
        tables = [read_segment(storage, each, channels) for each in group]
        table = pa.concat_tables(tables, promote_options="default")
        yield from _ordered_rows(table, sources, first)


def _overlapping(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Runs of segments that may hold rows of the same step."""
    group: list[Segment] = []
    for segment in segments:
        if group and segment.first_step > max(each.last_step for each in group):
            yield group
            group = []
        group.append(segment)
    if group:
        yield group


def _ordered_rows(
    table: pa.Table, sources: Sequence[ResultSource], first: int
) -> Iterator[ResultRow]:
    found: list[ResultRow] = []
    columns = (table[name].to_pylist() for name in _COLUMNS)
    for step, channel, tick, ordering, values in zip(*columns, strict=True):
        if step < first:
            continue
        for branch, source in enumerate(sources):
            if source.reading.channel == channel and source.accepts(step, tick):
                found.append(ResultRow(step, tuple(ordering), branch, values))
    yield from sorted(found, key=lambda each: (each.step, each.ordering, each.branch))


def results_frame(
    session: SparkSession,
    storage: Storage,
    segments: Sequence[Segment],
    sources: Sequence[ResultSource],
) -> DataFrame:
    """The result items of a subscription as a DataFrame: step, ordering, branch, value."""
    frames = [
        _branch_frame(_read(session, storage, each), source, branch)
        for each in segments
        for branch, source in enumerate(sources)
    ]
    if not frames:
        return session.createDataFrame([], _FRAME)
    return reduce(DataFrame.unionAll, frames)


def _read(session: SparkSession, storage: Storage, segment: Segment) -> DataFrame:
    columns = "channel INT, tick BIGINT, ordering ARRAY<BIGINT>, values ARRAY<STRING>"
    file = storage.address(segment.name)
    if segment.level:
        return session.read.schema(f"{columns}, step BIGINT").parquet(file)
    frame = session.read.schema(columns).parquet(file)
    return frame.withColumn("step", lit(segment.first_step).cast("bigint"))


def _branch_frame(frame: DataFrame, source: ResultSource, branch: int) -> DataFrame:
    reading = source.reading
    conditions = [f"channel = {reading.channel}", f"step >= {reading.from_step}"]
    if reading.to_step is not None:
        conditions.append(f"step <= {reading.to_step}")
    if reading.after is not None:
        conditions.append(f"(tick IS NULL OR tick > {reading.after})")
    value = f"{source.template.sql('values')} AS value"
    return (
        frame.where(" AND ".join(conditions))
        .selectExpr("step", "ordering", f"{branch} AS branch", value)
        .where("value <> ''")
    )
