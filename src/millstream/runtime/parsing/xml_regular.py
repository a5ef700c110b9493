"""Items in the usual spelling, read by the regular expression of their schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
import pyarrow as pa

from millstream.model.schema import TEXT_FIELD, Content, Element, Occurs
from millstream.runtime.parsing.arrow_types import Column, compute, lists, occurrence_type
from millstream.runtime.parsing.chunk import ItemBatch
from millstream.runtime.parsing.sound_text import is_sound
from millstream.runtime.parsing.spelt_alike import (
    Alike,
    Places,
    Spelling,
    Value,
    Window,
    alike,
)
from millstream.runtime.parsing.xml_pattern import (
    Group,
    groups,
    is_regular,
    items_pattern,
    occurrences_pattern,
)
from millstream.runtime.parsing.xml_window import XmlWindow

MAX_REGULAR_BYTES = 4 * 1024 * 1024
"""The longest item read here; lxml refuses texts of more than 10 MB."""
FLUSH_ROWS = 4096
"""Rows that are read before they become a batch."""

_WINDOW = 1 << 20
"""Bytes that are looked at together."""
_SMALL_WINDOW = 1 << 16
_ENOUGH = 128
"""Elements by which one can tell whether many are spelt alike."""

Captures = list[bytes | None]
"""What the groups of one match after the other captured, in one list: few objects to collect."""
Columns = Iterator[Captures | Column]
"""The captures of all matches, one group after the other."""
Assembler = Callable[[Columns, int], Column]
"""Makes a column of so many rows from the next groups."""


class RegularReader:
    """The expression of a schema's items and how its captures become rows."""

    def __init__(self, item: Element) -> None:
        self.name = item.name.encode()
        self.pattern = items_pattern(item)
        self._groups = tuple(enumerate(groups(item), 1))
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

    def batch_alike(self, window: Window, found: Alike[re.Match[bytes]]) -> ItemBatch:
        """The rows of items that are spelt alike."""
        starts = found.starts(window)
        return ItemBatch(starts, self._assemble(iter(found.captured(window)), len(starts)))

    def values(self, match: re.Match[bytes]) -> list[Value]:
        """The values of an item."""
        return [
            Value(*match.span(number), lines=group is Group.TEXT)
            for number, group in self._groups
            if group is not Group.OTHER and match.start(number) >= 0
        ]


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
        self._quick = self._sound
        """Whether it pays to look at many elements together."""
        self._reach = _SMALL_WINDOW

    def advance(self, start: int, stop: int) -> int:
        """Read elements from here until one is unusual or begins at the stop or after it."""
        position = start
        while position < stop:
            limit = stop
            if self._quick and stop - position >= _SMALL_WINDOW:
                after, whole = self._advance_together(position, min(position + self._reach, stop))
                self._reach = min(
                    2 * self._reach if whole else _reach_after(after - position), _WINDOW
                )
                if whole and after > position:
                    position = after
                    continue
                position = after
                limit = min(position + _SMALL_WINDOW, stop)
            position = self._advance_singly(position, limit)
            if position < limit:
                break
        return position

    def _advance_singly(self, start: int, stop: int) -> int:
        position = start
        while position < stop and (found := self.matched(position)):
            self.take(position, found)
            position = found.end()
        return position

    def _advance_together(self, start: int, stop: int) -> tuple[int, bool]:
        """Read the elements of a window; where the next one begins, and whether all were usual."""
        window = XmlWindow(self.data, start, stop, self.names)
        if not len(window.elements) or window.elements[0] != 0:
            return start, False
        groups = list(alike(window, self.matched, self._spelling))
        odd = np.ones(len(window.elements) - 1, np.bool_)
        for each in groups:
            odd[each.chosen] = False
        odd |= np.diff(window.elements) > self._longest
        self._quick = len(odd) < _ENOUGH or int(np.count_nonzero(odd)) <= len(odd) // 2
        singles, last, end, whole = self._singles(window, np.flatnonzero(odd))
        for each in groups:
            kept = each.chosen[(each.chosen < last) & ~odd[each.chosen]]
            if len(kept):
                self.take_alike(window, replace(each, chosen=kept))
        for found in singles:
            self.take(found.start(), found)
        return end, whole

    def _spelling(self, match: re.Match[bytes]) -> Spelling:
        groups = [match.span(each) for each in range(1, match.re.groups + 1)]
        return Spelling(match.end(), self.values(match), groups)

    def _singles(self, window: Window, odd: Places) -> tuple[list[re.Match[bytes]], int, int, bool]:
        """The matches of odd elements up to an unusual one: which that is, and where it begins."""
        found: list[re.Match[bytes]] = []
        for place in odd.tolist():
            start = window.start + int(window.elements[place])
            match = self.matched(start)
            if match is None:
                return found, place, start, False
            found.append(match)
            if match.end() != window.start + window.elements[place + 1]:
                return found, place, match.end(), False
        last = len(window.elements) - 1
        return found, last, window.start + int(window.elements[last]), True

    # What elements there are; a stream of tags has more of them.

    @property
    def names(self) -> tuple[bytes, ...]:
        """Those of the elements."""
        return (self.reader.name,)

    def matched(self, position: int) -> re.Match[bytes] | None:
        """The element at a place, if it is usual."""
        found = self.reader.pattern.match(self.data, position)
        return found if found and self.is_usual(found) else None

    def is_usual(self, item: re.Match[bytes]) -> bool:
        """Whether an item is neither too long nor otherwise unsound."""
        length = item.end() - item.start()
        return length <= self._longest and (self._sound or is_sound(item.group()))

    def values(self, match: re.Match[bytes]) -> list[Value]:
        """The values of an element."""
        return self.reader.values(match)

    def take(self, position: int, match: re.Match[bytes]) -> None:
        """Take in one element."""
        self._starts.append(position)
        self._captures += match.groups()
        if len(self._starts) == FLUSH_ROWS:
            self.flush()

    def take_alike(self, window: Window, found: Alike[re.Match[bytes]]) -> None:
        """Take in elements that are spelt alike."""
        self.batches.append(self.reader.batch_alike(window, found))

    def flush(self) -> None:
        """Turn what has been read so far into a batch."""
        if self._starts:
            self.batches.append(self.reader.batch(self._starts, self._captures))
            self._starts, self._captures = [], []


def _reach_after(read: int) -> int:
    """How many bytes to look at, when so many were read of the last ones."""
    return max(2 * read, _SMALL_WINDOW)


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
        present = compute.is_valid(_nullable_text(columns, count))
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
        runs = next(columns)
        for row, run in enumerate(
            runs if isinstance(runs, list) else runs.cast(pa.binary()).to_pylist()
        ):
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
    found = next(columns)
    return pa.array(found, pa.string()) if isinstance(found, list) else found
