"""The taggers of a step: what queries attach to its tuples."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from millstream.algebra.tag_operators import Attach
from millstream.compiler.rows import BATCH
from millstream.model.layout import POSITION
from millstream.runtime.records import StreamRecord
from millstream.runtime.tags.query_tags import Chosen, query_tags
from millstream.runtime.tags.stream_tags import StepTagging


class Taggers:
    """Gathers the tags of all tagging queries of a step."""

    def __init__(
        self, session: SparkSession, record: StreamRecord, tagging: StepTagging | None
    ) -> None:
        self._session = session
        self._record = record
        self._cuts = list(() if tagging is None else tagging.arrived)
        self._places: dict[int, int] | None = None
        self._found: list[pa.Table] = []

    def add(self, attach: Attach, rows: DataFrame) -> None:
        """The tags of one query for the tuples that it has chosen; equal queries attach once."""
        table = rows.toArrow().sort_by(POSITION)
        columns = (table.column(name).to_pylist() for name in (POSITION, "time", "id", "choice"))
        chosen = list(dict.fromkeys(Chosen(*each) for each in zip(*columns, strict=True)))
        if not chosen:
            return
        named = self._record.tuple_id is not None
        elements = query_tags(attach, chosen, self._numbered(), self._cuts, named=named)
        self._cuts += elements.column(POSITION).to_pylist()
        self._found.append(elements)

    def elements(self) -> pa.Table | None:
        """All that was attached, if anything was."""
        return pa.concat_tables(self._found) if self._found else None

    def _numbered(self) -> dict[int, int]:
        if self._places is None:
            positions = self._session.table(BATCH).select(POSITION).toArrow().column(POSITION)
            ordered = sorted(positions.to_pylist())
            self._places = {position: place for place, position in enumerate(ordered)}
        return self._places
