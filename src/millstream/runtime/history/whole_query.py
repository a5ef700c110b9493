"""Whole queries in SaxonC on a Spark worker: what has no form in SQL is answered so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from millstream.errors import MillstreamError, QueryError
from millstream.history.evaluation import Evaluator
from millstream.history.filler_tables import StoredRow, store_of
from millstream.model.tag_structure import TagStructure
from millstream.model.user_functions import registered, restore
from millstream.runtime.session import DataFrame, SparkSession

_COLUMNS = "t.id, t.valid, t.arrival, t.body, t.hole_ids, t.hole_tags"
_RESULT = "place INT, item STRING, code STRING"
_RESULT_SCHEMA = pa.schema([("place", pa.int32()), ("item", pa.string()), ("code", pa.string())])


@dataclass(frozen=True, slots=True)
class WholeQuery:
    """A query in plain XQuery over fillers, and the tables that it needs."""

    xquery: str
    tables: Mapping[str, Mapping[int, str]]
    """For each stream the views of the tags that may count."""
    structures: Mapping[str, TagStructure]

    def sql(self) -> str:
        """The fillers that the query is given, all together."""
        return "\nUNION ALL\n".join(
            f"SELECT {number} AS stream, {tsid} AS tsid, {_COLUMNS} FROM {view} t"
            for number, views in enumerate(self.tables.values())
            for tsid, view in views.items()
        )

    def run(self, spark: SparkSession, now: datetime) -> list[str]:
        """The items of the answer, in order."""
        rows = self._answered(spark.sql(self.sql()), now).toArrow().to_pylist()
        rows.sort(key=lambda row: row["place"])
        for row in rows:
            if row["code"] is not None:
                raise QueryError(row["item"], code=row["code"])
        return [row["item"] for row in rows]

    def _answered(self, fillers: DataFrame, now: datetime) -> DataFrame:
        names, structures, xquery = list(self.tables), dict(self.structures), self.xquery
        functions = dict(registered())

        def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            restore(functions)
            yield _answer(batches, names, structures, xquery, now)

        # One task has them all: the query may relate any of them to any other.
        return fillers.coalesce(1).mapInArrow(answer, _RESULT)


def _answer(
    batches: Iterable[pa.RecordBatch],
    names: list[str],
    structures: dict[str, TagStructure],
    xquery: str,
    now: datetime,
) -> pa.RecordBatch:
    rows: list[list[StoredRow]] = [[] for _ in names]
    for batch in batches:
        stream, *columns = (column.to_pylist() for column in batch.columns)
        for number, row in zip(stream, zip(*columns, strict=True), strict=True):
            rows[number].append(row)
    stores = {
        name: store_of(structures[name], listed) for name, listed in zip(names, rows, strict=True)
    }
    try:
        items = Evaluator(stores).run(xquery, now)
    except MillstreamError as error:
        return _batch([(0, error.message, error.code)])
    return _batch([(place, item, None) for place, item in enumerate(items)])


def _batch(rows: list[tuple[int, str, str | None]]) -> pa.RecordBatch:
    listed = [dict(zip(_RESULT_SCHEMA.names, row, strict=True)) for row in rows]
    return pa.RecordBatch.from_pylist(listed, schema=_RESULT_SCHEMA)
