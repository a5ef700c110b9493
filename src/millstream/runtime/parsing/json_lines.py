"""Items of a stream of JSON lines as rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from millstream.model.schema import Schema
from millstream.runtime.parsing.arrow_types import occurrence_type
from millstream.runtime.parsing.chunk import (
    DEFAULT_MAX_ITEM_BYTES,
    Fault,
    Located,
    ParsedChunk,
    Value,
    collected,
    shown,
    too_large,
)
from millstream.runtime.parsing.json_values import value_reader
from millstream.runtime.parsing.rows import parsed_chunk
from millstream.runtime.parsing.xml_markup import BYTE_ORDER_MARK, WHITE

_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class JsonLinesParser:
    """Parses slices of one stream of JSON objects, one a line."""

    def __init__(self, schema: Schema, *, max_item_bytes: int = DEFAULT_MAX_ITEM_BYTES) -> None:
        self._schema = schema
        self._max_item_bytes = max_item_bytes
        self._read_item = value_reader(schema.item, schema.item.name)
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
        self, data: bytes, is_item: Callable[[int, Value | Fault], bool]
    ) -> ParsedChunk:
        """The rows of the lines that are items, by where they begin and what they hold."""
        lines = list(_lines(data))
        outcomes = (
            (line, outcome) for line in lines if is_item(line[0], outcome := self._outcome(line[1]))
        )
        batch, rejected = collected(outcomes, occurrence_type(self._schema.item))
        return parsed_chunk(self._schema, batch, rejected, dict(lines).__getitem__)

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


def _lines(data: bytes) -> Iterator[Located]:
    """The lines that are not blank, without the white space around them."""
    position = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        line = data[position:end].lstrip(WHITE)
        if line:
            yield end - len(line), line.rstrip(WHITE)
        position = end + 1


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
