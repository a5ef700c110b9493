"""Fillers fed straight to a stream's shared batch: real steps without a source to wait for."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence

import pyarrow.compute as pc
import pyarrow.parquet as pq

from millstream.mill import Mill
from millstream.model.filler import Filler, filler_text
from millstream.model.layout import POSITION
from millstream.model.tag_structure_text import read_tag_structure
from millstream.runtime.history.filler_parser import FillerParser
from millstream.runtime.history.filler_parts import LATEST, PARTS, write_parts
from millstream.runtime.small_source import ReadChunk, ReadChunks

_LARGEST = 1 << 24


class FillerFeed:
    """Pushes batches of fillers into one stream of a mill."""

    def __init__(self, mill: Mill, stream: str, position: int = 0) -> None:
        self._mill = mill
        self._stream = stream
        self._batch = mill.runner(stream).journal.state.batch
        self._structure = read_tag_structure(mill.registry.streams[stream].structure or "")
        self.position = position
        """Where the next filler stands in the stream."""

    def push(self, fillers: Sequence[Filler]) -> None:
        """One step with these fillers."""
        self.take(self.parsed(fillers))

    def parsed(self, fillers: Sequence[Filler]) -> ReadChunks:
        """The chunks that a source would make of these fillers."""
        return ReadChunks([self._chunk(fillers)])

    def take(self, chunks: ReadChunks) -> None:
        """One step with some chunks."""
        runner = self._mill.runner(self._stream)
        self._batch += 1
        with runner.lock:
            runner.shared_batch.run_batch(chunks, self._batch)

    def skip(self, fillers: Sequence[Filler]) -> None:
        """Go past fillers that were pushed before, as a source does after a restart."""
        self.position += len(_text(fillers)) + 1

    def end(self) -> None:
        """The end of the stream."""
        self._mill.runner(self._stream).end()

    def _chunk(self, fillers: Sequence[Filler]) -> ReadChunk:
        data = _text(fillers)
        parsed = FillerParser(self._structure, _LARGEST).parse(data)
        positions = pc.add(parsed.offsets, self.position)
        table = parsed.rows.add_column(0, POSITION, positions)
        name = f"{uuid.uuid4().hex}.parquet"
        folder = self._mill.space.folder(f"streams/{self._stream}")
        self._mill.space.folder(f"streams/{self._stream}/log")
        pq.write_table(table, f"{folder}/log/{name}")
        parts = write_parts(folder, table, self._structure)
        start = self.position
        self.position += len(data) + 1
        told = {LATEST: pc.max(table["valid"]).as_py(), PARTS: parts}
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
                "statistics": json.dumps(told),
            }
        )


def _text(fillers: Sequence[Filler]) -> bytes:
    return "\n".join(map(filler_text, fillers)).encode()
