"""The taggers of a step: what queries attach to its tuples."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from millstream.algebra.tag_operators import Attach
from millstream.compiler.rows import BATCH
from millstream.model.layout import POSITION
from millstream.runtime.records import StreamRecord
from millstream.runtime.tags.numbers import NONE, integers
from millstream.runtime.tags.query_tags import BatchIds, Chosen, query_tags
from millstream.runtime.tags.stream_tags import StepTagging


class Taggers:
    """Gathers the tags of all tagging queries of a step."""

    def __init__(
        self, session: SparkSession, record: StreamRecord, tagging: StepTagging | None
    ) -> None:
        self._session = session
        self._record = record
        self._cuts = NONE if tagging is None else tagging.arrived
        self._batch: BatchIds | None = None
        self._found: list[pa.Table] = []

    def add(self, attach: Attach, rows: DataFrame, id: str) -> None:
        """The tags of one query for the tuples that it has chosen; equal queries attach once.

        `id` is the id of a tuple b of the batch, in SQL.
        """
        chosen = Chosen.of(rows.toArrow())
        if not len(chosen):
            return
        named = self._record.tuple_id is not None
        elements, _ = query_tags(attach, chosen, self._ids(id), self._cuts, named=named)
        added = integers(elements.column(POSITION).to_numpy())
        self._cuts = np.concatenate((self._cuts, added))
        self._found.append(elements)

    def elements(self) -> pa.Table | None:
        """All that was attached, if anything was."""
        return pa.concat_tables(self._found) if self._found else None

    def _ids(self, id: str) -> BatchIds:
        if self._batch is None:
            sql = f"SELECT b.{POSITION}, {id} AS id FROM {BATCH} b"
            found = self._session.sql(sql).toArrow()
            positions = integers(found.column(POSITION).to_numpy())
            self._batch = BatchIds.of(positions, found.column("id").combine_chunks())
        return self._batch
