"""The tables of a history that queries read, made in this process, a file at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from millstream.history.filler_tables import arrow_schema
from millstream.model.filler_layout import layouts
from millstream.model.tag_structure import TagStructure
from millstream.runtime.history.filler_parts import table_name
from millstream.runtime.history.placed_stream import ROWS_IN_GROUP
from millstream.runtime.history.places import NARROW, Placed, placed_versions
from millstream.runtime.journal import StreamState
from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage


@dataclass(frozen=True, slots=True)
class PlacingHere:
    """The tables of one stream after one step."""

    storage: Storage
    structure: TagStructure
    state: StreamState
    _held: dict[int, dict[int, object]] = field(default_factory=dict)

    def write(self, above: str) -> None:
        """Places are found in this process; rows go through it, a file at a time."""
        narrow = {tsid: self._read(tsid, NARROW) for tsid in layouts(self.structure)}
        placed = placed_versions(narrow, self.structure, self._bodies)
        for tsid, layout in layouts(self.structure).items():
            schema = arrow_schema(layout.placed_columns())
            folder = f"{above}/{tsid}"
            self.storage.make_folder(folder)
            places = _PlacesOf(placed[tsid])
            names = [column.name for column in layout.columns()]
            for number, segment in enumerate(self._files(tsid)):
                stored = read_columns(self.storage, segment, names)
                table = places.added(stored).cast(schema)
                self._write_table(f"{folder}/{number:06d}.parquet", table)
            if not self._files(tsid):
                self._write_table(f"{folder}/none.parquet", schema.empty_table())

    def _write_table(self, name: str, table: pa.Table) -> None:
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", row_group_size=ROWS_IN_GROUP)
        self.storage.write(name, sink.getvalue().to_pybytes())

    def _read(self, tsid: int, columns: Sequence[str]) -> pa.Table:
        files = [read_columns(self.storage, each, columns) for each in self._files(tsid)]
        if files:
            return pa.concat_tables(files)
        known = {column.name: column for column in layouts(self.structure)[tsid].columns()}
        return arrow_schema(known[name] for name in columns).empty_table()

    def _bodies(self, tsid: int, arrivals: Sequence[int]) -> Mapping[int, object]:
        """What some fillers hold, by their arrivals."""
        if tsid not in self._held:
            table = self._read(tsid, ("arrival", "body", "hole_ids", "hole_tags"))
            columns = (table[name].to_pylist() for name in table.column_names)
            self._held[tsid] = {
                arrival: (body, tuple(ids), tuple(tags))
                for arrival, body, ids, tags in zip(*columns, strict=True)
            }
        return {arrival: self._held[tsid][arrival] for arrival in arrivals}

    def _files(self, tsid: int) -> list[Segment]:
        return self.state.tables.get(table_name(tsid), [])


def read_columns(storage: Storage, segment: Segment, columns: Sequence[str]) -> pa.Table:
    """Some columns of a file of a table."""
    return pq.read_table(storage.address(segment.name), columns=list(columns), partitioning=None)


class _PlacesOf:
    """The places of the fillers of one tag, to be looked up by arrival."""

    def __init__(self, placed: Placed) -> None:
        self._arrivals = pa.array(placed.arrival, pa.int64())
        self._columns = {
            "version": pa.array(placed.version, pa.int32()),
            "begin": pa.array(placed.begin, pa.int64()),
            "until": pa.array(placed.until, pa.int64()),
            "rank": pa.array(placed.rank, pa.int64()),
        }

    def added(self, stored: pa.Table) -> pa.Table:
        """The rows that are in view, with their places."""
        found = pc.index_in(stored["arrival"].combine_chunks(), self._arrivals)
        kept = stored.filter(found.is_valid())
        places = found.drop_null()
        for name, column in self._columns.items():
            kept = kept.append_column(name, column.take(places))
        return kept
