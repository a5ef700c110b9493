"""The tables of a stream's tags: where they lie, and what a step adds to them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.runtime.records import Segment
from millstream.runtime.side_by_side import side_by_side
from millstream.runtime.storage import Storage
from millstream.runtime.tags.columns import LIVE_FIELDS
from millstream.runtime.tags.live import SET_FIELDS, LiveTags

TAGS: Final = "tags"
"""All tags that arrived."""
TAG_SETS: Final = "tag_sets"
"""All sets of tagged objects, with their members."""
TAGGED: Final = "tagged"
"""The positions of tagged tuples, with their sets."""
LIVE_TAGS: Final = "live_tags"
"""What is in play; replaced by every step that has tags in play."""

_FACTS = b"millstream"
_ROWS_OF_FILE = 1 << 17


def write_tables(
    storage: Storage, folder: str, step: int, tables: Mapping[str, pa.Table]
) -> dict[str, list[Segment]]:
    """Write what a step adds to tables, where it adds any rows.

    Names are the same whenever the step runs again. Many rows are several files, so that more than
    one task can read them.
    """

    def written(file: tuple[str, int]) -> Segment:
        table, part = file
        name = f"{table}-{step:012d}" + (f"-{part}" if part else "")
        some = tables[table].slice(part * _ROWS_OF_FILE, _ROWS_OF_FILE)
        return _write_table(storage, folder, name, step, some)

    files = [
        (name, part)
        for name, rows in tables.items()
        for part in range(math.ceil(rows.num_rows / _ROWS_OF_FILE))
    ]
    added: dict[str, list[Segment]] = {}
    for (name, _), segment in zip(files, side_by_side(written, files), strict=True):
        added.setdefault(name, []).append(segment)
    return added


def _write_table(storage: Storage, folder: str, name: str, step: int, rows: pa.Table) -> Segment:
    place = f"{folder}/{TAGS}/{name}.parquet"
    content = file_of(rows)
    storage.write(place, content)
    return Segment(place, rows.num_rows, len(content), step, step, time=time.time())


def file_of(rows: pa.Table) -> bytes:
    """A table as a file: texts as dictionaries, numbers by how they differ."""
    texts = [each.name for each in rows.schema if pa.types.is_string(each.type)]
    numbers = [each.name for each in rows.schema if pa.types.is_int64(each.type)]
    sink = pa.BufferOutputStream()
    pq.write_table(
        rows,
        sink,
        compression="zstd",
        compression_level=1,
        use_dictionary=texts,
        column_encoding=dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
    )
    content: bytes = sink.getvalue().to_pybytes()
    return content


def write_live(
    storage: Storage, folder: str, step: int, live: LiveTags, taken: int
) -> list[Segment]:
    """Write down what is in play, and which of the attached tags were taken."""
    facts = json.dumps({**live.facts(), "taken": taken}).encode()
    table = live.table.replace_schema_metadata({_FACTS: facts})
    return [
        _write_table(storage, folder, f"{LIVE_TAGS}-{step:012d}", step, table),
        _write_table(storage, folder, f"known_sets-{step:012d}", step, live.sets),
    ]


def read_live(storage: Storage, segments: list[Segment]) -> tuple[LiveTags, int]:
    """What was in play after the last step that had tags, and which attached tags were taken."""
    if not segments:
        return LiveTags(), 0
    table, sets = (pq.read_table(storage.address(each.name)) for each in segments)
    facts = json.loads(table.schema.metadata[_FACTS])
    plain = table.replace_schema_metadata(None)
    return LiveTags.of(facts, plain.cast(LIVE_FIELDS), sets.cast(SET_FIELDS)), facts["taken"]
