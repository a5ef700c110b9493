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

from millstream.compiler.history import StreamTables
from millstream.history.filler_tables import plain_paths, single_paths
from millstream.model.filler_layout import FillerLayout, layouts
from millstream.model.tag_structure import TagStructure
from millstream.runtime.history.filler_chunks import read_structure_once
from millstream.runtime.history.filler_parts import table_name
from millstream.runtime.history.placed_by_spark import SparkPlacing
from millstream.runtime.history.placed_here import PlacingHere
from millstream.runtime.history.placed_stream import PlacedStream, ddl, view_name
from millstream.runtime.journal import StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.records import StreamRecord
from millstream.runtime.session import SparkSession
from millstream.runtime.storage import Storage

_KNOWN = "known.json"
_BATCH_ROWS = 20_000
MOST_HERE = 500_000
"""Fillers up to which their places are found in this process."""


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


@dataclass(frozen=True, slots=True)
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
        tables = (self.state.tables.get(table_name(tsid), []) for tsid in layouts(self.structure))
        if sum(each.rows for files in tables for each in files) <= MOST_HERE:
            PlacingHere(self.storage, self.structure, self.state).write(self._folder)
        else:
            placing = SparkPlacing(self.spark, self.storage, self.structure, self.state)
            placing.write(self.address)
        known = self._told()
        self.storage.write(f"{self._folder}/{_KNOWN}", json.dumps(known).encode())
        self._forget_others()
        return known

    def _forget_others(self) -> None:
        above = f"streams/{self.stream}/placed"
        for name in self.storage.names(above):
            if not self._folder.endswith(name):
                self.storage.delete(f"{above}/{name}")

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
