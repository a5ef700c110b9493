"""A chunk of a tagged stream is read: its log, and a part with its tags and stix."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import pyarrow as pa

from millstream.errors import UnsupportedError
from millstream.model.schema import Schema
from millstream.runtime.intake.joined_text import JoinedText
from millstream.runtime.intake.parsers import namespaces_of
from millstream.runtime.intake.parts import write_passing_part
from millstream.runtime.intake.reading import ChunkPlan, ChunkReader
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.parsing.parser import ItemParser, ParsedChunk
from millstream.runtime.tags.intake.json_parser import TaggedJsonParser
from millstream.runtime.tags.intake.tag_rows import ELEMENT_FIELDS, TaggedChunk
from millstream.runtime.tags.intake.xml_parser import TaggedXmlParser
from millstream.runtime.tags.numbers import integers

TAGS_PART: Final = "#tags"
"""Where a chunk's statistics name the part with its tags; no path has this name."""
ELEMENTS: Final = "elements"
"""The folder of these parts, beside the log."""


class TaggedReader(ChunkReader):
    """Reads one chunk of tuples, tags and stix."""

    def __init__(self, spec: IntakeSpec, plan: ChunkPlan) -> None:
        super().__init__(spec, plan)
        self._elements: list[pa.Table] = []

    def parser(self, format: str, header: str) -> ItemParser:
        return _parser(format, header, self.spec.stream, self.spec.schema, self.spec.max_item_bytes)

    def take_more(self, parsed: ParsedChunk, text: JoinedText) -> None:
        if isinstance(parsed, TaggedChunk) and parsed.tags.num_rows:
            starts = integers(parsed.tags.column("start").to_numpy())
            columns = [pa.array(text.positions(starts)), *parsed.tags.columns[1:]]
            self._elements.append(pa.table(columns, schema=ELEMENT_FIELDS))

    def statistics(self, rows: pa.Table) -> str:
        found = super().statistics(rows)
        if not self._elements:
            return found
        folder = self.spec.log_directory.rstrip("/").rpartition("/")[0]
        part = write_passing_part(f"{folder}/{ELEMENTS}", pa.concat_tables(self._elements))
        return json.dumps(json.loads(found) | {TAGS_PART: part})


def element_parts(begun: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the parts with tags that a step brings."""
    told = (json.loads(part["statistics"] or "{}") for part in begun.get("parts", ()))
    return tuple(name for each in told if (name := each.get(TAGS_PART)))


@lru_cache(maxsize=64)
def _parser(
    format: str, header: str, stream: str, schema: Schema, max_item_bytes: int
) -> ItemParser:
    options: dict[str, Any] = {"max_item_bytes": max_item_bytes}
    if format == "json":
        return TaggedJsonParser(stream, schema, **options)
    if format != "xml":
        raise UnsupportedError(
            f"tags do not stand among items in format '{format}'", help="known: json, xml"
        )
    if header:
        options["namespaces"] = namespaces_of(header)
    return TaggedXmlParser(stream, schema, **options)
