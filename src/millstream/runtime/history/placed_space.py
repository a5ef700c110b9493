"""The history of a running stream as tables that queries read: its versions, and their order.

They are made from the stream's typed tables when somebody asks after a step, and kept until the
next step after which somebody asks. Repeated fillers, replaced ones, and those that no hole is for
are not in them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.functions import broadcast

from millstream.compiler.history import StreamTables
from millstream.compiler.names import identifier
from millstream.history.filler_tables import plain_paths, single_paths
from millstream.model.filler import ROOT_ID
from millstream.model.filler_layout import OPEN, START, FillerLayout, layouts
from millstream.model.tag_structure import TagStructure, TagType
from millstream.runtime.history.filler_chunks import read_structure_once
from millstream.runtime.history.filler_parts import table_name
from millstream.runtime.history.placed_stream import PlacedStream, ddl, view_name
from millstream.runtime.journal import StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.records import StreamRecord
from millstream.runtime.session import DataFrame, SparkSession
from millstream.runtime.storage import Storage

_KNOWN = "known.json"
_CONTENT = "struct(body, hole_ids, hole_tags)"
_BATCH_ROWS = 20_000
MOST_SENT = 500_000
"""Fillers up to which their places are sent to where the fillers are."""


def place_in_space(
    spark: SparkSession, storage: Storage, record: StreamRecord, state: StreamState
) -> PlacedStream:
    """The views of a stream's history as it is after its last step."""
    assert record.structure is not None, "items have no typed tables"
    structure = read_structure_once(record.structure)
    placing = _Placing(spark, storage, record.name, structure, state)
    known = placing.known() or placing.write()
    views = {tsid: view_name(record.name, tsid) for tsid in layouts(structure)}
    for tsid, layout in layouts(structure).items():
        frame = spark.read.schema(ddl(layout)).parquet(placing.address(tsid))
        frame.createOrReplaceTempView(views[tsid])
    single, plain = (
        frozenset((tsid, path) for tsid, path in known[kind]) for kind in ("single", "plain")
    )
    assert state.latest is not None, "a history that is asked has fillers"
    return PlacedStream(record.name, StreamTables(structure, views, single, plain), state.latest)


@dataclass
class _Placing:
    """The tables of one stream after one step."""

    spark: SparkSession
    storage: Storage
    stream: str
    structure: TagStructure
    state: StreamState

    @property
    def _folder(self) -> str:
        return f"streams/{self.stream}/placed/{self.state.step:012d}"

    def address(self, tsid: int) -> str:
        return self.storage.address(f"{self._folder}/{tsid}")

    def known(self) -> Json | None:
        """What was found out about the tables, if they have been made."""
        text = self.storage.read(f"{self._folder}/{_KNOWN}")
        if text is None:
            return None
        content: Json = json.loads(text)
        return content

    def write(self) -> Json:
        """Make the tables; what can be told of them goes last and makes them count."""
        ranked = self._ranked()
        placed_fillers = ranked.count()
        for tsid, layout in layouts(self.structure).items():
            places = ranked.where(f"tsid = {tsid}").drop("tsid")
            stored = self._stored(layout)
            columns = [f"t.{identifier(column.name)}" for column in layout.columns()]
            # Rows have hundreds of columns: they are not sent around for the few that are added.
            few = broadcast(places) if placed_fillers <= MOST_SENT else places
            placed = stored.alias("t").join(few.alias("p"), "arrival")
            chosen = placed.selectExpr(*columns, "p.version", "p.begin", "p.until", "p.rank")
            chosen.write.mode("overwrite").parquet(self.address(tsid))
        ranked.unpersist()
        known = self._told()
        self.storage.write(f"{self._folder}/{_KNOWN}", json.dumps(known).encode())
        self._forget_others()
        return known

    def _forget_others(self) -> None:
        above = f"streams/{self.stream}/placed"
        for name in self.storage.names(above):
            if not self._folder.endswith(name):
                self.storage.delete(f"{above}/{name}")

    # Versions.

    def _stored(self, layout: FillerLayout) -> DataFrame:
        """The fillers of a tag as they came."""
        segments = self.state.tables.get(table_name(layout.tag.id), [])
        columns = ", ".join(f"{identifier(c.name)} {c.type.value}" for c in layout.columns())
        files = [self.storage.address(each.name) for each in segments]
        if not files:
            return self.spark.createDataFrame([], columns)
        return self.spark.read.schema(columns).parquet(*files)

    def _versions(self, layout: FillerLayout) -> DataFrame:
        """The fillers of a tag that count, numbered, each with its lifespan and its holes."""
        stored = self._stored(layout).selectExpr(
            "id", "valid", "arrival", "hole_ids", "hole_tags", f"{_CONTENT} AS content"
        )
        kept = _events(stored) if layout.tag.type is TagType.EVENT else _last_said(stored)
        by_id = "OVER (PARTITION BY id ORDER BY valid, arrival)"
        begin, until = "valid", "valid"
        if layout.tag.type is not TagType.EVENT:
            until = f"coalesce(lead(valid) {by_id}, {OPEN})"
        if layout.tag.type is TagType.SNAPSHOT:
            begin = f"if(row_number() {by_id} = 1, {START}, valid)"
        return kept.selectExpr(
            *("id", "arrival", "hole_ids", "hole_tags"),
            f"row_number() {by_id} AS version",
            f"CAST({begin} AS BIGINT) AS begin",
            f"CAST({until} AS BIGINT) AS until",
        )

    # Order.

    def _ranked(self) -> DataFrame:
        """All fillers in view, with their places in the order of the temporal view."""
        known = layouts(self.structure)
        ways: dict[int, DataFrame] = {}
        for tsid, layout in known.items():
            versions = self._versions(layout)
            if layout.tag is self.structure.root:
                way = versions.where(f"id = {ROOT_ID}").selectExpr("*", "array(version) AS way")
            else:
                way = _below(versions, ways[self.structure.holder(tsid).id], tsid)
            ways[tsid] = way.selectExpr("*", f"{tsid} AS tsid").cache()
        frames = list(ways.values())
        together = frames[0]
        for frame in frames[1:]:
            together = together.unionAll(frame)
        narrow = together.selectExpr("tsid", "arrival", "version", "begin", "until", "way")
        ranked = narrow.selectExpr(
            *("tsid", "arrival", "version", "begin", "until"),
            "CAST(row_number() OVER (ORDER BY way) AS BIGINT) AS rank",
        ).cache()
        ranked.count()
        for frame in frames:
            frame.unpersist()
        return ranked

    # What can be told of the tables.

    def _told(self) -> Json:
        known = layouts(self.structure)
        return {
            "single": [
                e for t, layout in known.items() for e in self._paths(t, layout, single_paths)
            ],
            "plain": [
                e for t, layout in known.items() for e in self._paths(t, layout, plain_paths)
            ],
        }

    def _paths(
        self,
        tsid: int,
        layout: FillerLayout,
        paths: Callable[[pa.Table, FillerLayout], frozenset[str]],
    ) -> list[tuple[int, str]]:
        """The paths of a table of which something holds in all its rows."""
        found: frozenset[str] | None = None
        for part in self._parts(tsid, layout):
            these = paths(part, layout)
            found = these if found is None else found & these
        return [(tsid, path) for path in sorted(found or ())]

    def _parts(self, tsid: int, layout: FillerLayout) -> Iterator[pa.Table]:
        columns = [
            column.name for column in layout.columns() if column.name.endswith(("#from", "#text"))
        ]
        folder = f"{self._folder}/{tsid}"
        for name in self.storage.names(folder):
            if name.endswith(".parquet"):
                with pq.ParquetFile(self.storage.address(f"{folder}/{name}")) as file:
                    for batch in file.iter_batches(_BATCH_ROWS, columns=columns):
                        yield pa.Table.from_batches([batch])


def _events(stored: DataFrame) -> DataFrame:
    """Each event once, as it came first."""
    same = "PARTITION BY id, valid, content ORDER BY arrival"
    return stored.selectExpr("*", f"row_number() OVER ({same}) AS time").where("time = 1")


def _last_said(stored: DataFrame) -> DataFrame:
    """Of fillers with one id and time the last, as it came first: what repeats it is ignored."""
    order = "PARTITION BY id, valid ORDER BY arrival"
    said = stored.selectExpr("*", f"lag(content) OVER ({order}) AS before").where(
        "before IS NULL OR before <> content"
    )
    return said.selectExpr("*", f"row_number() OVER ({order} DESC) AS time").where("time = 1")


def _below(versions: DataFrame, above: DataFrame, tsid: int) -> DataFrame:
    """The fillers of a tag that holes are for, each with its way down from the root."""
    holes = above.selectExpr("way", "hole_tags", "posexplode(hole_ids) AS (place, hole)")
    first = (
        holes.where(f"hole_tags[place] = {tsid}")
        .selectExpr("hole", "concat(way, array(place)) AS hole_way")
        .groupBy("hole")
        .agg({"hole_way": "min"})
        .withColumnRenamed("min(hole_way)", "hole_way")
    )
    joined = versions.join(first, versions["id"] == first["hole"])
    return joined.selectExpr(
        *("id", "arrival", "hole_ids", "hole_tags", "version", "begin", "until"),
        "concat(hole_way, array(version)) AS way",
    )
