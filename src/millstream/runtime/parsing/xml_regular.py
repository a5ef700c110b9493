"""Items in the usual spelling, read by the regular expression of their schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import pyarrow as pa

from millstream.model.schema import TEXT_FIELD, Content, Element, Occurs
from millstream.runtime.parsing.arrow_types import Column, compute, lists, occurrence_type
from millstream.runtime.parsing.chunk import ItemBatch
from millstream.runtime.parsing.xml_pattern import is_regular, items_pattern, occurrences_pattern

MAX_REGULAR_BYTES = 4 * 1024 * 1024
"""The longest item read here; lxml refuses texts of more than 10 MB."""
FLUSH_ROWS = 4096
"""Rows that are read before they become a batch."""

Captures = list[bytes | None]
"""What the groups of one match after the other captured, in one list: few objects to collect."""
Columns = Iterator[Captures]
"""The captures of all matches, one group after the other."""
Assembler = Callable[[Columns, int], Column]
"""Makes a column of so many rows from the next groups."""


class RegularReader:
    """The expression of a schema's items and how its captures become rows."""

    def __init__(self, item: Element) -> None:
        self.pattern = items_pattern(item)
        self._assemble = _occurrences(item)

    @classmethod
    def of(cls, item: Element, namespaces: Mapping[str, str]) -> RegularReader | None:
        """The reader of these items, None when their schema needs another."""
        return cls(item) if is_regular(item, namespaces) else None

    def run(self, data: bytes, max_item_bytes: int) -> RegularRun:
        """A run over a slice of a stream."""
        return RegularRun(self, data, max_item_bytes)

    def batch(self, starts: list[int], captures: Captures) -> ItemBatch:
        """The rows of matched items."""
        items = self._assemble(_columns(captures, self.pattern.groups), len(starts))
        return ItemBatch(np.array(starts, np.int64), items)


@dataclass
class RegularRun:
    """One slice of a stream, as far as its items are in the usual spelling."""

    reader: RegularReader
    data: bytes
    max_item_bytes: int
    batches: list[ItemBatch] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _captures: Captures = field(default_factory=list)

    def __post_init__(self) -> None:
        self._longest = min(self.max_item_bytes, MAX_REGULAR_BYTES)
        self._sound = is_sound(self.data)

    def advance(self, start: int, stop: int) -> int:
        """Read items from here until one is unusual or begins at the stop or after it."""
        match, data, longest = self.reader.pattern.match, self.data, self._longest
        position = start
        while position < stop and (found := match(data, position)):
            end = found.end()
            if end - position > longest or not (self._sound or is_sound(found.group())):
                break
            self._starts.append(position)
            self._captures += found.groups()
            position = end
            if len(self._starts) == FLUSH_ROWS:
                self.flush()
        return position

    def flush(self) -> None:
        """Turn what has been read so far into a batch."""
        if self._starts:
            self.batches.append(self.reader.batch(self._starts, self._captures))
            self._starts, self._captures = [], []


def is_sound(data: bytes) -> bool:
    """True for UTF-8 without the two characters above the control codes that XML forbids."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data


def _occurrences(element: Element) -> Assembler:
    """Assembles an element's occurrences, one a row."""
    if element.plain_leaf:
        return _text
    type = occurrence_type(element)
    attributes = [f"@{attribute.name}" for attribute in element.attributes]
    children = {child.name: _child(child) for child in element.children}

    def assemble(columns: Columns, count: int) -> Column:
        fields = {name: _nullable_text(columns, count) for name in attributes}
        if element.content is Content.LEAF:
            fields[TEXT_FIELD] = _text(columns, count)
        fields |= {name: child(columns, count) for name, child in children.items()}
        if not fields:
            fields[TEXT_FIELD] = pa.repeat("", count)
        arrays = [fields[field.name] for field in type]
        return pa.StructArray.from_arrays(arrays, fields=list(type))

    return assemble


def _child(child: Element) -> Assembler:
    """Assembles what an element holds of a child."""
    if child.repeated:
        return _runs(child)
    once = _occurrences(child)
    if child.occurs is Occurs.ONE:
        return once

    def assemble(columns: Columns, count: int) -> Column:
        array = once(columns, count)
        present = compute.is_valid(pa.array(next(columns), pa.binary()))
        if compute.all(present).as_py() is not False:
            return array
        return compute.if_else(present, array, pa.scalar(None, array.type))

    return assemble


def _runs(child: Element) -> Assembler:
    """Assembles a repeated child from its runs; without any it is absent."""
    pattern, once = occurrences_pattern(child), _occurrences(child)

    def assemble(columns: Columns, count: int) -> Column:
        captures: Captures = []
        lengths = np.zeros(count, np.int64)
        for row, run in enumerate(next(columns)):
            found = [match.groups() for match in pattern.finditer(run or b"")]
            captures += chain.from_iterable(found)
            lengths[row] = len(found)
        values = once(_columns(captures, pattern.groups), int(lengths.sum()))
        return lists(lengths, values, child)

    return assemble


def _columns(captures: Captures, groups: int) -> Columns:
    return (captures[group::groups] for group in range(groups))


def _text(columns: Columns, count: int) -> Column:
    array = _nullable_text(columns, count)
    return compute.fill_null(array, "") if array.null_count else array


def _nullable_text(columns: Columns, count: int) -> Column:
    return pa.array(next(columns), pa.string())
