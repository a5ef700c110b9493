"""Items of a stream of JSON lines as rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from millstream.model.schema import Content, Element, Schema
from millstream.runtime.parsing.arrow_types import occurrence_type
from millstream.runtime.parsing.chunk import (
    DEFAULT_MAX_ITEM_BYTES,
    Fault,
    ItemBatch,
    Located,
    ParsedChunk,
    Value,
    collected,
    merged,
    shown,
    too_large,
)
from millstream.runtime.parsing.json_alike import (
    AlikeLines,
    Take,
    line_at,
    lines_of,
    read_together,
)
from millstream.runtime.parsing.json_example import rows_like
from millstream.runtime.parsing.json_values import value_reader
from millstream.runtime.parsing.rows import parsed_chunk
from millstream.runtime.parsing.sound_text import is_sound
from millstream.runtime.parsing.spelt_alike import Flags

_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class JsonLinesParser:
    """Parses slices of one stream of JSON objects, one a line."""

    def __init__(self, schema: Schema, *, max_item_bytes: int = DEFAULT_MAX_ITEM_BYTES) -> None:
        self._schema = schema
        self._max_item_bytes = max_item_bytes
        self._read_item = value_reader(schema.item, schema.item.name)
        # What becomes of XML in a text depends on the text.
        self._together = not _has_raw(schema.item)
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object,
            parse_float=str,
            parse_int=str,
            parse_constant=_refuse_constant,
        )

    def parse(self, data: bytes) -> ParsedChunk:
        """The rows of a slice that holds whole lines."""
        return self.parse_where(data, lambda start, outcome: True)

    def parse_where(
        self,
        data: bytes,
        is_item: Callable[[int, Value | Fault], bool],
        beside: Callable[[AlikeLines], Flags | None] = lambda lines: None,
    ) -> ParsedChunk:
        """The rows of the lines that are items, by where they begin and what they hold.

        Lines that are alike and no items are taken `beside`, which tells for which lines it did.
        """
        type = occurrence_type(self._schema.item)
        batches: list[ItemBatch] = []

        def take(lines: AlikeLines) -> Flags:
            taken = beside(lines)
            return self._take(lines, type, batches) if taken is None else taken

        lines = self._lines(data, take)
        outcomes = (
            (line, outcome) for line in lines if is_item(line[0], outcome := self._outcome(line[1]))
        )
        batch, rejected = collected(outcomes, type)
        whole = merged([*batches, batch], type)
        return parsed_chunk(self._schema, whole, rejected, lambda start: line_at(data, start))

    def _lines(self, data: bytes, take: Take) -> Iterator[Located]:
        """The lines that are to be read one by one, once many were taken together."""
        if self._together and is_sound(data):
            return read_together(data, self._max_item_bytes, take)
        return lines_of(data)

    def _take(self, lines: AlikeLines, type: pa.DataType, batches: list[ItemBatch]) -> Flags:
        """Make rows of lines that are alike, if their template can be read."""
        count = len(lines.starts)
        outcome = self._outcome(lines.example.template)
        rows = None
        if isinstance(outcome, dict | str):
            rows = rows_like(outcome, type, lines.columns, count)
        if rows is None:
            return np.zeros(count, np.bool_)
        batches.append(ItemBatch(lines.starts, rows))
        return np.ones(count, np.bool_)

    def _outcome(self, line: bytes) -> Value | Fault:
        """The line's value, or what is wrong with it."""
        try:
            return self._read(line)
        except Fault as fault:
            return fault
        except UnicodeDecodeError as error:
            return Fault(f"invalid UTF-8 at byte {error.start} of the line")
        except json.JSONDecodeError as error:
            return Fault(f"not JSON: {error.msg} at column {error.colno}")
        except RecursionError:
            return Fault("values are nested too deeply")

    def _read(self, line: bytes) -> Value:
        if len(line) > self._max_item_bytes:
            raise Fault(too_large(len(line), self._max_item_bytes))
        value = self._decoder.decode(line.decode())
        # Only an escape can bring in a control character; lines without one need no search.
        if b"\\" in line or b"\xef\xbf" in line:
            _refuse_forbidden(value)
        return self._read_item(value)


def _has_raw(element: Element) -> bool:
    return element.content is Content.RAW or any(map(_has_raw, element.children))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = counts.most_common(1)[0][0]
        raise Fault(f"key {shown(twice)} occurs more than once in an object")
    return fields


def _refuse_constant(name: str) -> Any:
    raise Fault(f"not JSON: {name} is not a number")


def _refuse_forbidden(value: Any) -> None:
    """Raise Fault for a character that no XML can hold, in keys or texts."""
    if isinstance(value, str):
        if found := _FORBIDDEN.search(value):
            raise Fault(f"control character U+{ord(found.group()):04X} in {shown(value)}")
    elif isinstance(value, dict):
        for name, part in value.items():
            _refuse_forbidden(name)
            _refuse_forbidden(part)
    elif isinstance(value, list):
        for part in value:
            _refuse_forbidden(part)
