"""The tables of a stream's tags: where they lie, and what a step adds to them."""

from __future__ import annotations

import json
import time
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.runtime.records import Segment
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


def write_table(storage: Storage, folder: str, table: str, step: int, rows: pa.Table) -> Segment:
    """Write what a step adds to a table; the name is the same whenever the step runs again."""
    name = f"{folder}/{TAGS}/{table}-{step:012d}.parquet"
    sink = pa.BufferOutputStream()
    pq.write_table(rows, sink, compression="zstd", compression_level=1)
    content = sink.getvalue().to_pybytes()
    storage.write(name, content)
    return Segment(name, rows.num_rows, len(content), step, step, time=time.time())


def write_live(
    storage: Storage, folder: str, step: int, live: LiveTags, taken: int
) -> list[Segment]:
    """Write down what is in play, and which of the attached tags were taken."""
    facts = json.dumps({**live.facts(), "taken": taken}).encode()
    table = live.table.replace_schema_metadata({_FACTS: facts})
    return [
        write_table(storage, folder, LIVE_TAGS, step, table),
        write_table(storage, folder, "known_sets", step, live.sets),
    ]


def read_live(storage: Storage, segments: list[Segment]) -> tuple[LiveTags, int]:
    """What was in play after the last step that had tags, and which attached tags were taken."""
    if not segments:
        return LiveTags(), 0
    table, sets = (pq.read_table(storage.address(each.name)) for each in segments)
    facts = json.loads(table.schema.metadata[_FACTS])
    plain = table.replace_schema_metadata(None)
    return LiveTags.of(facts, plain.cast(LIVE_FIELDS), sets.cast(SET_FIELDS)), facts["taken"]
