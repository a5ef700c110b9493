"""A stream's history as views that queries on Spark read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.compiler.history import StreamTables
from millstream.compiler.names import identifier
from millstream.history.filler_store import FillerStore
from millstream.history.filler_tables import placed_tables, plain_paths, single_paths
from millstream.model.filler_layout import FillerLayout, layouts, microseconds
from millstream.model.tag_structure import TagStructure
from millstream.runtime.session import SparkSession

_ODD = re.compile(r"[^0-9A-Za-z]")
ROWS_IN_GROUP = 16_384
"""Rows that are read together: enough to be worth it, few enough for all cores to have some."""


@dataclass(frozen=True)
class PlacedStream:
    """The views of a stream's tables in a Spark session, and what is known of them."""

    name: str
    tables: StreamTables
    now: int
    """The largest validTime, in microseconds since 1970."""

    @property
    def structure(self) -> TagStructure:
        return self.tables.structure


def place_in_memory(spark: SparkSession, name: str, store: FillerStore) -> PlacedStream:
    """The history in a store, kept where Spark runs: for small ones, asked a few times."""
    tables = placed_tables(store)
    known = describe(name, store, tables)
    for tsid, table in tables.items():
        spark.createDataFrame(table).createOrReplaceTempView(known.tables.views[tsid])
    return known


def place_in_folder(
    spark: SparkSession, name: str, store: FillerStore, folder: Path
) -> PlacedStream:
    """The history in a store, written as Parquet, of which queries read the columns they ask."""
    tables = placed_tables(store)
    known = describe(name, store, tables)
    folder.mkdir(parents=True, exist_ok=True)
    for tsid, table in tables.items():
        file = folder / f"{tsid}.parquet"
        pq.write_table(table, file, compression="zstd", row_group_size=ROWS_IN_GROUP)
    read_folder(spark, known, folder)
    return known


def read_folder(spark: SparkSession, known: PlacedStream, folder: Path) -> None:
    """Make the views of a history that was written to a folder."""
    for tsid, layout in known.tables.layouts.items():
        rows = spark.read.schema(ddl(layout)).parquet(str(folder / f"{tsid}.parquet"))
        rows.createOrReplaceTempView(known.tables.views[tsid])


def ddl(layout: FillerLayout) -> str:
    """The columns of a table as Spark is told them, so that it need not look."""
    return ", ".join(
        f"{identifier(column.name)} {column.type.value}" for column in layout.placed_columns()
    )


def view_name(stream: str, tsid: int) -> str:
    """The name of the view of a table; no two streams have the same."""
    return f"history_{_ODD.sub(_by_number, stream)}_{tsid}"


def _by_number(found: re.Match[str]) -> str:
    return "__" if found[0] == "_" else f"_{ord(found[0]):x}_"


def describe(name: str, store: FillerStore, tables: Mapping[int, pa.Table]) -> PlacedStream:
    """What the compiler is told of a history."""
    known = layouts(store.structure)
    single = _found(single_paths, tables, known)
    plain = _found(plain_paths, tables, known)
    views = {tsid: view_name(name, tsid) for tsid in tables}
    streams = StreamTables(store.structure, views, single, plain)
    assert store.now is not None, "a history that is asked has fillers"
    return PlacedStream(name, streams, microseconds(store.now))


def _found(
    paths: Callable[[pa.Table, FillerLayout], frozenset[str]],
    tables: Mapping[int, pa.Table],
    known: Mapping[int, FillerLayout],
) -> frozenset[tuple[int, str]]:
    """What is known of the paths of all tables."""
    return frozenset(
        (tsid, path) for tsid, table in tables.items() for path in paths(table, known[tsid])
    )
