"""Steps of a tagged stream without Spark: its intake, its journal and its tags."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.layout import viewed_leaves
from millstream.model.tags import Element, StreamShape
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.journal import Journal
from millstream.runtime.logged_items import positions_between
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.segments import describe_file
from millstream.runtime.small_source import batches
from millstream.runtime.storage import storage_at
from millstream.runtime.stream_creation import new_stream
from millstream.runtime.tags.stream_tags import StepTagging, StreamTags
from millstream.runtime.tags.tags_on_items import sets_at
from millstream.runtime.watermark import Watermark, advance

Told = tuple[str, str, str, str]
"""An attribute, a granularity, a tagger and a content."""


class Broken(Exception):
    """What a step raises where a crash would be."""


class TaggedSteps:
    """A space with one tagged stream; a new one over the same folder takes over after a crash."""

    def __init__(
        self,
        folder: Path,
        elements: Sequence[Element],
        shape: StreamShape,
        lateness: int = 10**9,
    ) -> None:
        self.folder = folder
        self._shape = shape
        source = folder / "source.jsonl"
        if not source.exists():
            folder.mkdir(parents=True, exist_ok=True)
            lines = write_json_lines(elements, WireOptions(shape))
            source.write_text("".join(f"{line}\n" for line in lines))
        self.record: StreamRecord = new_stream(
            shape.name, source, format="tagged", schema=_ddl(shape), finite=True, lateness=lateness
        )
        self.storage = storage_at(str(folder / "space"))
        self.journal = Journal(self.storage, f"streams/{shape.name}/journal")
        self.tags = StreamTags(self.storage, self.record, self.journal)

    def chunks(self, items: int) -> Iterator[list[dict[str, Any]]]:
        """The parts of the batches that were not committed yet."""
        spec = IntakeSpec(
            stream=self.record.name,
            location=self.record.source,
            schema=self.record.schema,
            log_directory=self._place("log"),
            quarantine_directory=self._place("quarantine"),
            journal_directory=self._place("intake"),
            spool_directory=self._place("spool"),
            format=self.record.format,
            finite=True,
            tagged=True,
            max_items_per_batch=items,
        )
        for number, batch in enumerate(batches(spec)):
            if number > self.journal.state.batch:
                yield [each.fields for each in batch.chunks]

    def _place(self, name: str) -> str:
        return self.storage.address(f"streams/{self.record.name}/{name}")

    def run(self, parts: list[dict[str, Any]], crash: str = "") -> StepTagging | None:
        """One step; it breaks off where it is told to."""
        state = self.journal.state
        if state.pending is None:
            event = {"parts": parts, "ended": False, "batch": state.batch + 1}
            step = state.step + 1
            self.journal.begin({**event, **self.tags.begun(event), "step": step})
        return self.finish(crash)

    def finish(self, crash: str = "") -> StepTagging | None:
        """The pending step, up to its commit."""
        begun = self.journal.state.pending
        assert begun is not None
        _broken(crash, "begun")
        tagging = self.tags.resolve(begun, ())
        _broken(crash, "resolved")
        commit = self._commit(begun)
        if tagging is not None:
            tagging.add_to(commit)
        self.journal.commit(commit)
        _broken(crash, "committed")
        self.tags.committed(tagging)
        return tagging

    def _commit(self, begun: dict[str, Any]) -> dict[str, Any]:
        statistics = [json.loads(part["statistics"]) for part in begun["parts"]]
        known = self.journal.state.watermarks
        marks = []
        for leaf in viewed_leaves(self.record.schema):
            mark = known.get(str(leaf)) or Watermark(str(leaf), leaf.type, None)
            marks.append(advance(mark, [each[str(leaf)] for each in statistics]).after)
        return {
            "step": begun["step"],
            "items": sum(part["rows"] for part in begun["parts"]),
            "rejected": 0,
            "bytes": 0,
            "ended": False,
            "retired": [],
            "watermarks": [each.to_json() for each in marks],
            "replaced": [],
            "tables": {"log": [each.to_json() for each in self._logged(begun)]},
        }

    def _logged(self, begun: dict[str, Any]) -> list[Segment]:
        files = [f"streams/{self.record.name}/log/{p['part']}" for p in begun["parts"] if p["part"]]
        return [describe_file(self.storage, each, begun["step"]) for each in files]

    def rows(self, name: str) -> list[dict[str, Any]]:
        """All rows of a table of tags."""
        found = [
            pq.read_table(self.storage.address(each.name))
            for each in self.journal.state.tables[name]
        ]
        plain = [
            each.drop_columns("step") if "step" in each.schema.names else each for each in found
        ]
        rows: list[dict[str, Any]] = (
            pa.concat_tables(plain, promote_options="default").to_pylist() if plain else []
        )
        return rows

    def marks(self) -> dict[int, set[Told]]:
        """What is on the tagged tuples, by their positions."""
        tags = {row["tag"]: row for row in self.rows("tags")}
        sets: dict[int, set[Told]] = {}
        for row in self.rows("tag_sets"):
            tag = tags[row["tag"]]
            names = [row["attribute"]] if row["attribute"] else self._shape.names
            sets.setdefault(row["tagset"], set()).update(
                (name, row["granularity"], tag["tagger"], tag["content"]) for name in names
            )
        held = self.journal.state.tables
        positions = positions_between(self.storage, held["log"], 0, 2**62).tolist()
        found = sets_at(self.storage, held, positions)
        return {position: sets[number] for position, number in found.items()}


def _broken(crash: str, point: str) -> None:
    if crash == point:
        raise Broken


def _ddl(shape: StreamShape) -> str:
    types = {"integer": "BIGINT", "decimal": "DECIMAL(20,6)", "double": "DOUBLE"}
    types |= {"text": "STRING", "time": "TIMESTAMP"}
    return ", ".join(f"{each.name} {types[each.type.value]}" for each in shape.attributes)
