"""The typed tables of a filler stream, one for each tag: parts that chunks write."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from millstream.history.filler_tables import BATCH_ROWS, stored_batch
from millstream.model.filler import Filler
from millstream.model.filler_layout import FillerLayout, instant_of, layouts
from millstream.model.layout import POSITION
from millstream.model.tag_structure import TagStructure
from millstream.runtime.intake.parts import write_log_part
from millstream.runtime.ledger import Json

LATEST = "latest"
"""In what is told of a chunk: the largest validTime in it."""
PARTS = "fillers"
"""In what is told of a chunk: the parts of the typed tables, by tag."""


def table_name(tsid: int) -> str:
    """The table of the fillers of a tag, among those of a stream."""
    return f"filler-{tsid}"


def is_filler_table(name: str) -> bool:
    return name.startswith("filler-")


def write_parts(folder: str, rows: pa.Table, structure: TagStructure) -> dict[int, str]:
    """Write the fillers of a chunk's log to the tables of their tags; the names of the parts."""
    known, found = layouts(structure), {}
    for tsid in pc.unique(rows["tsid"]).to_pylist():
        chosen = rows.filter(pc.equal(rows["tsid"], tsid))
        typed = pa.Table.from_batches(_batches(known[tsid], chosen))
        name = write_log_part(f"{folder}/{table_name(tsid)}", typed)
        assert name is not None, "a tag of the chunk has fillers"
        found[tsid] = name
    return found


def _batches(layout: FillerLayout, rows: pa.Table) -> Iterator[pa.RecordBatch]:
    for batch in rows.to_batches(max_chunksize=BATCH_ROWS):
        yield stored_batch(layout, ((filler_of(row), row[POSITION]) for row in batch.to_pylist()))


def filler_of(row: Mapping[str, Any]) -> Filler:
    """The filler of a row of a log."""
    return Filler(row["id"], row["tsid"], instant_of(row["valid"]), row["content"])


def told_parts(parts: list[Json]) -> dict[str, list[str]]:
    """The files of typed tables that the chunks of a step have written, by table."""
    found: dict[str, list[str]] = {}
    for part in parts:
        for tsid, name in _told(part).get(PARTS, {}).items():
            found.setdefault(table_name(int(tsid)), []).append(name)
    return found


def told_latest(parts: list[Json]) -> int | None:
    """The largest validTime in the chunks of a step."""
    times = [time for part in parts if (time := _told(part).get(LATEST)) is not None]
    return max(times, default=None)


def _told(part: Json) -> Json:
    content: Json = json.loads(part.get("statistics") or "{}")
    return content
