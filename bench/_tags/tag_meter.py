"""One Spark session, the views of a step in it, and what statements take there."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
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

_MORE = 3
"""How many times as many turns there may be."""
_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
NOW = StepTags(now=True, few=True)
NEVER = StepTags()
_BROADCAST = "spark.sql.autoBroadcastJoinThreshold"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    tuples: int
    selected: int
    """Tuples of those that select by tags: XML is slow."""
    carried: int
    """Tuples a stream of which the bytes are counted."""
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
    """Turns of mills that do that, at the least."""
    rounds: int
    patience: float = 0.0
    """Seconds for which there are more turns, where the machine is quick."""
    shares: tuple[float, ...] = _SHARES
    """How many of the tuples are tagged; first none."""


FULL = Size(
    *(400_000, 100_000, 30_000, 20_000, 5_000, 10_000, 20_000),
    *(60_000, 1_200_000),
    runs=3,
    rounds=6,
    patience=80.0,
)
QUICK = Size(
    *(60_000, 30_000, 10_000, 6_000, 1_000, 2_000, 4_000),
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

    def statement(
        self, text: str, stream: str, tags: StepTags, streams: Streams | None = None
    ) -> str:
        """The SQL of a step for one subscription."""
        branch = self.compiled(text, stream, streams)
        statements = {branch.signature: branch.statements[stream]}
        return batch_sql(statements, full=False, tags=tags)

    def compiled(self, text: str, stream: str, streams: Streams | None = None) -> Branch:
        """A subscription, whose channel and clocks are shown to its statements."""
        branch = compile_branch(lower(parse(text), streams or Streams()).branches[0])
        row = {"channel": 0, **{f"p{n}": each for n, each in enumerate(branch.constants)}}
        channels = arrow_table(branch.statements[stream].channel_columns, [row])
        frame = self.session.createDataFrame(channels).hint("broadcast")
        frame.createOrReplaceTempView(channels_view(branch.signature))
        clocks = [{"reference": each, "lateness": 0, "anchor": 0} for each in _clocks(stream)]
        self.session.createDataFrame(
            arrow_table(CLOCK_COLUMNS, [*clocks, {"reference": "", "step": 1}])
        ).createOrReplaceTempView(CLOCK)
        return branch

    def forget(self) -> None:
        """Let no stream have a state."""
        ddl = ", ".join(f"{name} {type}" for name, type in output.COLUMNS if name != "kind")
        nothing = self.session.createDataFrame([], ddl)
        for view in ("state", *map(state_view, STREAMS)):
            nothing.createOrReplaceTempView(identifier(view))

    def keep(self, stream: str, rows: pa.Table) -> None:
        """The state of a stream, as a view."""
        self.show(state_view(stream), kept(rows))

    def stored(self, table: pa.Table) -> tuple[int, int]:
        """The bytes of a table in files, as Spark writes them: not compressed, and compressed."""
        self._files += 1
        place = self.folder / f"{self._files}.parquet"
        self.session.createDataFrame(table).coalesce(1).write.parquet(str(place))
        sizes = [in_file(each) for each in place.glob("*.parquet")]
        return sum(each for each, _ in sizes), sum(each for _, each in sizes)

    def seconds(self, *statements: str | DataFrame) -> list[float]:
        """The medians of statements that take turns, each of them first in turn.

        The first round does not count.
        """
        frames = [self.session.sql(e) if isinstance(e, str) else e for e in statements]
        taken: list[list[float]] = [[] for _ in frames]
        for turn in turns(self.size.rounds + 1, self.size.patience):
            for place in range(turn, turn + len(frames)):
                number = place % len(frames)
                started = time.monotonic()
                frames[number].write.format("noop").mode("overwrite").save()
                if turn:
                    taken[number].append(time.monotonic() - started)
        return [statistics.median(each) for each in taken]

    def once(self, sql: str) -> float:
        """What a statement takes that is too slow for many turns."""
        started = time.monotonic()
        self.session.sql(sql).write.format("noop").mode("overwrite").save()
        return time.monotonic() - started

    def shuffled(self, sql: str) -> tuple[int, int]:
        """The bytes that a statement sends around: as they are, and as they are written.

        Small tables would be broadcast, of which Spark tells less; here they go the usual way.
        """
        self.session.conf.set(_BROADCAST, -1)
        plan = self.session.sql(sql)._jdf.queryExecution().executedPlan()
        plan.execute().count()
        sizes = [
            (_metric(each, "dataSize"), _metric(each, "shuffleBytesWritten"))
            for each in _exchanges(plan)
        ]
        self.session.conf.unset(_BROADCAST)
        return sum(each for each, _ in sizes), sum(each for _, each in sizes)


def turns(least: int, patience: float) -> Iterator[int]:
    """As many turns as there must be, and more as long as patience lasts: on a quick machine."""
    end = time.monotonic() + patience
    for turn in range(_MORE * least):
        if turn >= least and time.monotonic() > end:
            return
        yield turn


def kept(rows: pa.Table) -> pa.Table:
    """The rows of a step that are state."""
    columns = [name for name, _ in output.COLUMNS if name != "kind"]
    return rows.filter(pa.compute.equal(rows.column("kind"), output.STATE)).select(columns)


def in_file(file: Path | BytesIO) -> tuple[int, int]:
    """The bytes of all columns in a file of Parquet: not compressed, and compressed."""
    facts = pq.read_metadata(file)
    columns = [
        group.column(place)
        for group in map(facts.row_group, range(facts.num_row_groups))
        for place in range(group.num_columns)
    ]
    return (
        sum(each.total_uncompressed_size for each in columns),
        sum(each.total_compressed_size for each in columns),
    )


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
