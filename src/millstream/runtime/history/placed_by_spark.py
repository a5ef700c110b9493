"""Versions of fillers and their order in the temporal view, found by Spark.

For histories of so many fillers that one process should not look at all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from millstream.compiler.names import identifier
from millstream.model.filler import ROOT_ID
from millstream.model.filler_layout import OPEN, START, FillerLayout, layouts
from millstream.model.tag_structure import TagStructure, TagType
from millstream.runtime.history.filler_parts import table_name
from millstream.runtime.journal import StreamState
from millstream.runtime.session import DataFrame, SparkSession
from millstream.runtime.storage import Storage

_CONTENT = "struct(body, hole_ids, hole_tags)"


@dataclass(frozen=True, slots=True)
class SparkPlacing:
    """The tables of one stream after one step."""

    spark: SparkSession
    storage: Storage
    structure: TagStructure
    state: StreamState

    def write(self, address: Callable[[int], str]) -> None:
        """Find the places, and join them to the rows."""
        ranked = self._ranked()
        for tsid, layout in layouts(self.structure).items():
            places = ranked.where(f"tsid = {tsid}").drop("tsid")
            stored = self._stored(layout)
            columns = [f"t.{identifier(column.name)}" for column in layout.columns()]
            placed = stored.alias("t").join(places.alias("p"), "arrival")
            chosen = placed.selectExpr(*columns, "p.version", "p.begin", "p.until", "p.rank")
            chosen.write.mode("overwrite").parquet(address(tsid))
        ranked.unpersist()

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
