"""Items fed straight to a stream's shared batch: real steps without a source to wait for."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from millstream.mill import Mill
from millstream.model.layout import POSITION, view_name, viewed_leaves
from millstream.model.schema import Schema
from millstream.runtime.parsing.xml import XmlParser
from millstream.runtime.small_source import ReadChunk, ReadChunks


class DirectFeed:
    """Pushes batches of XML items into one stream of a mill."""

    def __init__(self, mill: Mill, stream: str, position: int = 0) -> None:
        self._mill = mill
        self._stream = stream
        self._batch = mill.runner(stream).journal.state.batch
        self.position = position
        """Where the next item stands in the stream."""

    def push(self, items: Sequence[str]) -> None:
        """One step with these items."""
        runner = self._mill.runner(self._stream)
        self._batch += 1
        with runner.lock:
            runner.shared_batch.run_batch(ReadChunks([self._chunk(items)]), self._batch)

    def skip(self, items: Sequence[str]) -> None:
        """Go past items that were pushed before, as a source does after a restart."""
        self.position += len("\n".join(items).encode()) + 1

    def end(self) -> None:
        """The end of the stream."""
        self._mill.runner(self._stream).end()

    def _chunk(self, items: Sequence[str]) -> ReadChunk:
        schema = self._mill.registry.schema(self._stream)
        data = "\n".join(items).encode()
        parsed = XmlParser(schema).parse(data)
        positions = pc.add(parsed.offsets, self.position)
        table = parsed.rows.add_column(0, POSITION, positions)
        name = f"{uuid.uuid4().hex}.parquet"
        folder = self._mill.space.folder(f"streams/{self._stream}/log")
        pq.write_table(table, f"{folder}/{name}")
        start = self.position
        self.position += len(data) + 1
        return ReadChunk(
            {
                "chunk": 0,
                "part": name,
                "rows": table.num_rows,
                "bytes": len(data),
                "quarantine": None,
                "rejected": len(parsed.rejected),
                "first_position": start,
                "end_position": self.position,
                "statistics": json.dumps(statistics(table, schema)),
            }
        )


def statistics(table: pa.Table, schema: Schema) -> dict[str, Any]:
    """Per viewed leaf: least, greatest and first value, and how far values fall back."""
    found: dict[str, Any] = {}
    for leaf in viewed_leaves(schema):
        column = table[view_name(leaf.path)]
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.int64())
        values = [each for each in column.to_pylist() if each is not None]
        if values:
            found[str(leaf)] = {
                "min": min(values),
                "max": max(values),
                "first": values[0],
                "drawdown": _drawdown(values),
            }
    return found


def _drawdown(values: Sequence[int | float]) -> int | float:
    highest, behind = values[0], Decimal(0)
    for value in values:
        behind = max(behind, Decimal(str(highest)) - Decimal(str(value)))
        highest = max(highest, value)
    return float(behind) if behind % 1 else int(behind)
