"""A line of JSON as an example for others: where its values stand, and what becomes of them.

In its template each value is replaced by a text that names it. What is read of the template tells
where in a row each value belongs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from millstream.runtime.parsing.arrow_types import Column
from millstream.runtime.parsing.chunk import Value as RowValue
from millstream.runtime.parsing.spelt_alike import Spelling, Value

NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_TOKEN = re.compile(
    rb'(?P<key>"[^"\\\x00-\x1f]*+"[ \t\r]*+:)|"(?P<text>[^"\\\x00-\x1f]*+)"'
    rb"|(?P<number>"
    + NUMBER.encode()
    + rb")(?=[ \t\r]*+[,}\]])|[{}\[\],]|true|false|null|[ \t\r]++"
)
_NAMED = re.compile("\ue000([0-9]+)\ue001")


@dataclass(frozen=True, slots=True)
class JsonExample:
    """A line, with its line break."""

    spelling: Spelling
    """Each value is captured."""
    numbers: tuple[bool, ...]
    """Which of the values are numbers; white space may stand around these."""
    template: bytes


def example_at(data: bytes, start: int) -> JsonExample | None:
    """The line that begins at a place, if it has no escapes and seems to be JSON."""
    stop = data.find(b"\n", start) + 1 or len(data)
    line = data[start:stop].rstrip(b"\r\n")
    values: list[Value] = []
    numbers: list[bool] = []
    parts: list[bytes] = []
    at = begun = 0
    while at < len(line):
        token = _TOKEN.match(line, at)
        if token is None:
            return None
        at = token.end()
        kind = token.lastgroup
        if kind in ("text", "number"):
            named = f"\ue000{len(values)}\ue001".encode()
            low, high = token.span(kind)
            parts += [line[begun:low], named if kind == "text" else b'"' + named + b'"']
            begun = high
            if kind == "number":
                low = len(line[:low].rstrip(b" \t\r"))
                high = len(line) - len(line[high:].lstrip(b" \t\r"))
            values.append(Value(start + low, start + high, lines=False))
            numbers.append(kind == "number")
    spans = [(each.start, each.end) for each in values]
    template = b"".join([*parts, line[begun:]])
    return JsonExample(Spelling(stop, values, spans), tuple(numbers), template)


def named_value(text: object) -> int | None:
    """Which value of an example a text of its template stands for, if any."""
    found = _NAMED.fullmatch(text) if isinstance(text, str) else None
    return int(found[1]) if found else None


def rows_like(
    value: RowValue, type: pa.DataType, columns: Sequence[Column], count: int
) -> Column | None:
    """So many rows that are built as one of a template is, with the values of columns.

    None where they cannot be: where a text of the template has become another one.
    """
    if value is None:
        return pa.nulls(count, type)
    if isinstance(value, str):
        number = named_value(value)
        if number is None:
            return None if "\ue000" in value else pa.repeat(pa.scalar(value, type), count)
        return columns[number]
    if isinstance(value, list):
        return _lists_like(value, type, columns, count)
    fields = [rows_like(value.get(each.name), each.type, columns, count) for each in type]
    if any(each is None for each in fields):
        return None
    return pa.StructArray.from_arrays(fields, fields=list(type))


def _lists_like(
    values: list[RowValue], type: pa.ListType, columns: Sequence[Column], count: int
) -> Column | None:
    parts = [rows_like(each, type.value_type, columns, count) for each in values]
    if not parts or any(each is None for each in parts):
        return None
    order = np.arange(len(parts) * count).reshape(len(parts), count).T.ravel()
    offsets = np.arange(0, len(order) + 1, len(parts), dtype=np.int32)
    together = pa.concat_arrays(parts).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(offsets), together, type=type)
