"""A chunk of a filler stream is read: its log, and the typed tables of its tags."""

from __future__ import annotations

import json
from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from millstream.model.layout import POSITION
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import read_tag_structure
from millstream.runtime.history.filler_parser import FILLER_ROWS, FillerParser
from millstream.runtime.history.filler_parts import LATEST, PARTS, write_parts
from millstream.runtime.intake.reading import ChunkReader


class FillerReader(ChunkReader):
    """Reads one chunk of fillers."""

    def empty(self) -> pa.Table:
        return pa.schema([pa.field(POSITION, pa.int64()), *FILLER_ROWS]).empty_table()

    def parser(self, format: str, header: str) -> FillerParser:
        return FillerParser(read_structure_once(self.spec.structure), self.spec.max_item_bytes)

    def statistics(self, rows: pa.Table) -> str:
        folder = self.spec.log_directory.rstrip("/").rpartition("/")[0]
        parts = write_parts(folder, rows, read_structure_once(self.spec.structure))
        return json.dumps({LATEST: pc.max(rows["valid"]).as_py(), PARTS: parts})


@lru_cache(maxsize=64)
def read_structure_once(text: str) -> TagStructure:
    """The tag structure of a text, read once a process."""
    return read_tag_structure(text)
