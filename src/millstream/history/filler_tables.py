"""Histories as Arrow tables, one for each tag that comes as fillers: what queries on Spark read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from millstream.history.body import Body
from millstream.history.filler import CheckedFiller
from millstream.history.filler_rows import Row, RowMaker
from millstream.history.filler_store import FillerStore, Version
from millstream.model.filler import Filler, FillerKey, hole_text
from millstream.model.filler_layout import (
    HOLE_MARK,
    OPEN,
    START,
    TEXT_MARK,
    Column,
    ColumnType,
    FillerLayout,
    from_of,
    instant_of,
    layouts,
    microseconds,
    text_of,
)
from millstream.model.tag_structure import TagStructure

BATCH_ROWS = 5_000
"""So many rows are held as Python values at once."""

_MAP = pa.map_(pa.string(), pa.string())
_TYPES: Mapping[ColumnType, pa.DataType] = {
    ColumnType.LONG: pa.int64(),
    ColumnType.INT: pa.int32(),
    ColumnType.TEXT: pa.string(),
    ColumnType.LONGS: pa.list_(pa.int64()),
    ColumnType.INTS: pa.list_(pa.int32()),
    ColumnType.TEXTS: pa.list_(pa.string()),
    ColumnType.ATTRIBUTES: _MAP,
    ColumnType.LIST_OF_ATTRIBUTES: pa.list_(_MAP),
}


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """The Arrow schema of some columns."""
    return pa.schema([pa.field(column.name, _TYPES[column.type]) for column in columns])


def stored_batch(layout: FillerLayout, fillers: Iterable[tuple[Filler, int]]) -> pa.RecordBatch:
    """Fillers of one tag, each with its arrival, as they are stored: without their places."""
    maker = RowMaker(layout)
    rows = [maker.row(filler, arrival) for filler, arrival in fillers]
    return _batch(rows, arrow_schema(layout.columns()))


def _batch(rows: Sequence[Row], schema: pa.Schema) -> pa.RecordBatch:
    """Rows as columns; a list that a row does not have is an empty one."""
    nothing: list[object] = []
    columns = [
        pa.array([row.get(field.name, nothing) for row in rows], type=field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def placed_tables(store: FillerStore) -> dict[int, pa.Table]:
    """All fillers that are part of the temporal view, by tag: what queries read."""
    makers = {tsid: _Table(layout) for tsid, layout in layouts(store.structure).items()}
    for rank, version in enumerate(_in_order(store)):
        makers[version.filler.tsid].add(version, rank, store)
    return {tsid: maker.table() for tsid, maker in makers.items()}


def _in_order(store: FillerStore) -> Iterator[Version]:
    """The versions in the order of the temporal view, each where it comes first."""
    seen: set[FillerKey] = {store.root_key}
    waiting: list[Version] = list(reversed(store.versions(store.root_key)))
    while waiting:
        version = waiting.pop()
        yield version
        further: list[Version] = []
        for hole in version.body.holes:
            if hole not in seen:
                seen.add(hole)
                further += store.versions(hole)
        waiting += reversed(further)


@dataclass(slots=True)
class _Table:
    """The rows of one tag while they are gathered."""

    layout: FillerLayout
    rows: list[Row] = field(default_factory=list)
    batches: list[pa.RecordBatch] = field(default_factory=list)
    maker: RowMaker = field(init=False)
    schema: pa.Schema = field(init=False)

    def __post_init__(self) -> None:
        self.maker = RowMaker(self.layout)
        self.schema = arrow_schema(self.layout.placed_columns())

    def add(self, version: Version, rank: int, store: FillerStore) -> None:
        row = self.maker.row(version.filler, version.arrival)
        begin, end = version.lifespan.begin, version.lifespan.end
        row["version"] = version.number
        row["begin"] = START if begin is None else microseconds(begin)
        row["until"] = OPEN if end is None else microseconds(end)
        row["rank"] = rank
        self.rows.append(row)
        if len(self.rows) == BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        self.batches.append(_batch(self.rows, self.schema))
        self.rows.clear()

    def table(self) -> pa.Table:
        self._flush()
        return pa.Table.from_batches(self.batches, schema=self.schema)


def single_paths(table: pa.Table, layout: FillerLayout) -> frozenset[str]:
    """The paths of which no filler of a table holds more than one element."""
    return frozenset(
        "/".join(path)
        for path, _ in layout.inside()
        if (pc.max(pc.list_value_length(table[from_of(path)])).as_py() or 0) < 2
    )


def plain_paths(table: pa.Table, layout: FillerLayout) -> frozenset[str]:
    """The paths whose elements have at most one text node each."""
    inside = [
        ("/".join(path), text_of(path)) for path, tag in layout.inside() if not tag.fragmented
    ]
    return frozenset(
        path
        for path, column in [("", text_of(())), *inside]
        if not _holds_mark(table[column], flat=bool(path))
    )


def _holds_mark(texts: pa.ChunkedArray, *, flat: bool) -> bool:
    values = pc.list_flatten(texts) if flat else texts
    return bool(pc.any(pc.match_substring(values, TEXT_MARK)).as_py())


StoredRow = tuple[int, int, int, int, str, Sequence[int], Sequence[int]]
"""tsid, id, valid, arrival, body, hole_ids, hole_tags"""


def store_of(structure: TagStructure, rows: Iterable[StoredRow]) -> FillerStore:
    """The store of fillers that were read before, from rows in any order."""
    store = FillerStore(structure)
    for tsid, id, valid, _, body, ids, tags in sorted(rows, key=lambda row: row[3]):
        pieces = tuple(body.split(HOLE_MARK))
        holes = tuple(FillerKey(*key) for key in zip(ids, tags, strict=True))
        text = pieces[0] + "".join(
            hole_text(hole) + piece for hole, piece in zip(holes, pieces[1:], strict=True)
        )
        filler = Filler(id, tsid, instant_of(valid), text)
        store.add_checked(CheckedFiller(filler, Body(text, pieces, holes)))
    return store
