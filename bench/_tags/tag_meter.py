"""One Spark session, the views of a step in it, and what statements take there."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from tag_data import STREAMS, Streams, Tagged

from millstream.compiler import output
from millstream.compiler.branch import Branch, batch_sql, channels_view, compile_branch
from millstream.compiler.joins import state_view
from millstream.compiler.names import identifier
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.marks import marks_view
from millstream.compiler.tags.pairs import other_clock
from millstream.compiler.windows import CLOCK, CLOCK_COLUMNS
from millstream.languages.tagql import parse
from millstream.languages.tagql.lowering import lower
from millstream.model.tags import Granularity
from millstream.runtime.arrow_tables import arrow_table

SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
NOW = StepTags(now=True, few=True)
NEVER = StepTags()


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    tuples: int
    selected: int
    """Tuples of those that select by tags: XML is slow."""
    joined: int
    near: int
    """Tuples of the join by distance."""
    looped: int
    """Tags a side for the nested loop."""
    wire: int
    starting: int
    travelling: int
    """Tuples of a short stream, if any, and of a long one that are asked from the wire on."""
    runs: int
    """Turns of mills that do that."""
    rounds: int


FULL = Size(
    *(400_000, 300_000, 20_000, 5_000, 10_000, 20_000),
    *(60_000, 1_800_000),
    runs=5,
    rounds=6,
)
QUICK = Size(
    *(60_000, 30_000, 6_000, 1_000, 2_000, 4_000),
    *(0, 20_000),
    runs=1,
    rounds=1,
)


class Meter:
    """Shows tables to statements, and takes the time of these."""

    def __init__(self, session: SparkSession, folder: Path, size: Size) -> None:
        self.session = session
        self.folder = folder
        self.size = size
        self._files = 0

    def show(self, view: str, table: pa.Table) -> None:
        """A table as a view, read from Parquet."""
        self._files += 1
        place = str(self.folder / f"{self._files}.parquet")
        pq.write_table(table, place)
        self.session.read.parquet(place).createOrReplaceTempView(identifier(view))

    def tagged(self, found: Tagged, share: float) -> None:
        """The views of a step of tagged tuples; without tags there are none."""
        self.show("batch", found.batch if share else found.batch.drop_columns("tagset"))
        self.show("tag_sets", found.sets)
        self.show("tags", found.tags)
        marks = self.session.sql(marks_view(Granularity.TUPLE))
        marks.createOrReplaceTempView("tag_marks")

    def statement(self, text: str, stream: str, tags: StepTags) -> str:
        """The SQL of a step for one subscription."""
        branch = self.compiled(text, stream)
        statements = {branch.signature: branch.statements[stream]}
        return batch_sql(statements, disordered=frozenset(), full=False, tags=tags)

    def compiled(self, text: str, stream: str) -> Branch:
        """A subscription, whose channel and clocks are shown to its statements."""
        branch = compile_branch(lower(parse(text), Streams()).branches[0])
        row = {"channel": 0, **{f"p{n}": each for n, each in enumerate(branch.constants)}}
        channels = arrow_table(branch.statements[stream].channel_columns, [row])
        frame = self.session.createDataFrame(channels).hint("broadcast")
        frame.createOrReplaceTempView(channels_view(branch.signature))
        clocks = [{"reference": each, "lateness": 0, "anchor": 0} for each in _clocks(stream)]
        self.session.createDataFrame(
            arrow_table(CLOCK_COLUMNS, [*clocks, {"reference": "", "step": 1}])
        ).createOrReplaceTempView(CLOCK)
        return branch

    def keep(self, stream: str, rows: pa.Table | None) -> None:
        """The state of a stream, as a view."""
        columns = [name for name, _ in output.COLUMNS if name != "kind"]
        if rows is None:
            ddl = ", ".join(f"{name} {type}" for name, type in output.COLUMNS if name != "kind")
            self.session.createDataFrame([], ddl).createOrReplaceTempView(
                identifier(state_view(stream))
            )
            return
        kept = rows.filter(pa.compute.equal(rows.column("kind"), output.STATE)).select(columns)
        self.show(state_view(stream), kept)

    def seconds(self, *statements: str | DataFrame) -> list[float]:
        """The medians of statements that take turns; the first turn does not count."""
        frames = [self.session.sql(e) if isinstance(e, str) else e for e in statements]
        taken: list[list[float]] = [[] for _ in frames]
        for turn in range(self.size.rounds + 1):
            for times, frame in zip(taken, frames, strict=True):
                started = time.monotonic()
                frame.write.format("noop").mode("overwrite").save()
                if turn:
                    times.append(time.monotonic() - started)
        return [statistics.median(each) for each in taken]

    def once(self, sql: str) -> float:
        """What a statement takes that is too slow for many turns."""
        started = time.monotonic()
        self.session.sql(sql).write.format("noop").mode("overwrite").save()
        return time.monotonic() - started

    def shuffled(self, sql: str) -> tuple[int, int]:
        """The bytes that a statement sends around: as they are, and as they are written."""
        plan = self.session.sql(sql)._jdf.queryExecution().executedPlan()
        plan.execute().count()
        sizes = [
            (_metric(each, "dataSize"), _metric(each, "shuffleBytesWritten"))
            for each in _exchanges(plan)
        ]
        return sum(each for each, _ in sizes), sum(each for _, each in sizes)


def _exchanges(plan: Any) -> Iterator[Any]:
    if plan.nodeName() == "Exchange":
        yield plan
    children = plan.children()
    for place in range(children.size()):
        yield from _exchanges(children.apply(place))


def _metric(plan: Any, name: str) -> int:
    return int(plan.metrics().apply(name).value())


def _clocks(stream: str) -> Iterator[str]:
    yield "@time"
    yield from (other_clock(each, "@time") for each in STREAMS if each != stream)


Measured = dict[str, Any]
Measure = Callable[[Meter], list[Measured]]
