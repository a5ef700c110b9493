"""Tagged streams of JSON lines: tuples become items, tags and stix rows beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from millstream.errors import ItemError
from millstream.model.schema import Occurs, Schema
from millstream.model.tags.stream_shape import StreamShape
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.parsing.chunk import DEFAULT_MAX_ITEM_BYTES, Fault, Value
from millstream.runtime.parsing.json_alike import AlikeLines
from millstream.runtime.parsing.json_example import named_value
from millstream.runtime.parsing.json_lines import JsonLinesParser
from millstream.runtime.parsing.spelt_alike import Flags
from millstream.runtime.tags.intake.tag_rows import TaggedChunk, TagReader, TagRow, located
from millstream.runtime.tags.intake.tuple_times import with_times
from millstream.runtime.tags.intake.usual_tags import UsualTags

BESIDE = re.compile(rb'\s*\{\s*"(?:tag|stix)"')
"""How lines begin that may stand beside tuples."""

_FIELD = re.compile("[a-z]+")
_USUAL_LENGTH = 4_096
_KINDS = '{"tuple": …}, {"tag": …} or {"stix": …}'


class TaggedJsonParser(JsonLinesParser):
    """Parses slices of one stream of elements, one a line."""

    def __init__(
        self, stream: str, schema: Schema, *, max_item_bytes: int = DEFAULT_MAX_ITEM_BYTES
    ) -> None:
        super().__init__(schema, max_item_bytes=max_item_bytes)
        self._tags = TagReader(StreamShape.of_wire(stream, schema))
        self._usual_tags = UsualTags(self._tags)
        self._read_tuple = self._read_item
        self._read_item = self._element
        self._texts = frozenset(
            each.name for each in schema.item.children if each.plain_leaf and not each.repeated
        )
        self._needed = frozenset(
            each.name for each in schema.item.children if each.occurs in (Occurs.ONE, Occurs.SOME)
        )
        self._longest = min(_USUAL_LENGTH, max_item_bytes)
        self._plain = False
        """True while a slice without escapes, and without forbidden characters, is read."""
        # Objects become tuples of pairs, so that a name that stands twice is seen.
        self._usual = json.JSONDecoder(object_pairs_hook=tuple, parse_float=str, parse_int=str)

    def parse(self, data: bytes) -> TaggedChunk:
        """The rows of a slice that holds whole lines."""
        self._plain = b"\\" not in data and b"\xef\xbf" not in data
        singles: list[tuple[int, TagRow]] = []
        tables: list[pa.Table] = []

        def diverted(start: int, outcome: Value | Fault) -> bool:
            if isinstance(outcome, TagRow):
                singles.append((start, outcome))
                return False
            return True

        chunk = self.parse_where(data, diverted, lambda lines: self._tags_alike(lines, tables))
        timed = with_times(chunk, self._schema, lambda start: data[start:].partition(b"\n")[0])
        tags = located(singles)
        if tables:
            tags = pa.concat_tables([*tables, tags]).sort_by("start")
        return TaggedChunk(timed.offsets, timed.rows, timed.rejected, tags)

    def _tags_alike(self, lines: AlikeLines, tables: list[pa.Table]) -> Flags | None:
        """Take in lines that are tags; None if they are not, or not such as most are."""
        fields = self._fields(lines)
        if fields is None:
            return None
        none = pa.nulls(len(lines.starts), pa.string())
        content, time = (fields.pop(name, none) for name in ("content", "time"))
        if content is none:
            return None
        spelt = [part for name, each in fields.items() for part in (f' {name}="', each, '"')]
        joined = compute.binary_join_element_wise(pa.repeat("", len(none)), *spelt, "")
        table, others = self._usual_tags.table(pa.array(lines.starts), joined, time, content)
        tables.append(table)
        return ~np.isin(lines.starts, others)

    def _fields(self, lines: AlikeLines) -> dict[str, Column] | None:
        """What tags that are alike say, by the names of their fields."""
        try:
            value = self._usual.decode(lines.example.template.decode())
        except (ValueError, RecursionError):
            return None
        match value:
            case (("tag", tuple() as pairs),):
                found = [(name, named_value(value)) for name, value in pairs]
                usual = [
                    (name, lines.columns[number])
                    for name, number in found
                    if number is not None and _FIELD.fullmatch(name)
                ]
                fields = dict(usual)
                return fields if len(fields) == len(found) else None
        return None

    def _read(self, line: bytes) -> Value:
        """The element of a line; most are read in a shorter way."""
        if self._plain and len(line) <= self._longest:
            usual = self._usual_element(line)
            if usual is not None:
                return usual
        return super()._read(line)

    def _usual_element(self, line: bytes) -> Value | None:
        """The tag, or the tuple of plain values; None for all that needs a closer look."""
        try:
            text = line.decode()
            value, end = self._usual.raw_decode(text)
        except ValueError:
            return None
        if end != len(text):
            return None
        match value:
            case (("tuple", (("id", id), ("time", time), ("attributes", tuple() as pairs))),):
                item = _texts(pairs)
                if item is None or not (self._needed <= item.keys() <= self._texts):
                    return None
                if id.__class__ is not str or time.__class__ is not str:
                    return None
                item["@id"], item["@time"] = id, time
                return item
            case (("tag", tuple() as pairs),):
                body = _texts(pairs)
                return None if body is None else self._element({"tag": body})
        return None

    def _element(self, value: Any) -> Value:
        if not isinstance(value, Mapping) or len(value) != 1:
            raise Fault(f"the line is not an object with one member: a line is {_KINDS}")
        ((kind, body),) = value.items()
        try:
            match kind, body:
                case "tuple", dict():
                    return self._tuple(body)
                case "tag", dict():
                    return self._tag(body)
                case "stix", str():
                    return self._tags.stix(body)
        except ItemError as error:
            raise Fault(error.message) from None
        raise Fault(f"{kind[:40]!r} is no element that can be read: a line is {_KINDS}")

    def _tag(self, body: dict[str, Any]) -> TagRow:
        content = body.pop("content", "")
        if not isinstance(content, str):
            raise Fault("the content of a tag is a string")
        for name, value in body.items():
            if not isinstance(value, str):
                raise Fault(f"{name[:40]!r} is neither a string nor a number")
        return self._tags.tag(body, content)

    def _tuple(self, body: dict[str, Any]) -> Value:
        attributes = body.pop("attributes", {})
        if not isinstance(attributes, dict):
            raise Fault("the attributes of a tuple are an object")
        item = {f"@{name}": value for name, value in body.items()}
        for name in ("@id", "@time"):
            if not isinstance(item.get(name), str):
                raise Fault(f"the tuple has no {name[1:]}")
        if len(item) > 2 or not attributes.keys().isdisjoint(item):
            raise Fault("a tuple has an id, a time and attributes, and nothing else")
        return self._read_tuple(item | attributes)


def _texts(pairs: tuple[tuple[str, Any], ...]) -> dict[str, str] | None:
    """An object all of whose members are texts or numbers, each once; None for others."""
    found = dict(pairs)
    if len(found) != len(pairs):
        return None
    for each in found.values():
        if each.__class__ is not str:
            return None
    return found
