"""Lines of JSON that are spelt as many others are, read many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.parsing.chunk import Located
from millstream.runtime.parsing.json_example import NUMBER, JsonExample, example_at
from millstream.runtime.parsing.json_window import JsonWindow
from millstream.runtime.parsing.spelt_alike import Alike, Flags, Places, alike
from millstream.runtime.parsing.xml_markup import BYTE_ORDER_MARK, WHITE

_WINDOW = 1 << 19
"""Bytes that are looked at together."""
_SMALL = 1 << 14
"""Bytes for which it does not pay."""
_PATIENCE = 4
"""Windows in a row most of whose lines had to be read one by one, before the rest has to be."""


@dataclass(frozen=True, slots=True)
class AlikeLines:
    """Lines that are alike but for their values, and do not differ in what kind these are of."""

    example: JsonExample
    starts: Places
    columns: list[Column]
    """The values of all lines: texts, and numbers as they are written."""

    def where(self, chosen: Flags) -> AlikeLines:
        """Some of the lines."""
        if chosen.all():
            return self
        columns = [each.filter(chosen) for each in self.columns]
        return AlikeLines(self.example, self.starts[chosen], columns)


Take = Callable[[AlikeLines], Flags]
"""Takes in lines that are alike, and says which of them it has taken."""


def read_together(data: bytes, longest: int, take: Take) -> Iterator[Located]:
    """Give lines that are alike away; those that are left, none of which is blank."""
    position, patience = _beginning(data), _PATIENCE
    while patience and len(data) - position >= _SMALL:
        stop = data.find(b"\n", min(position + _WINDOW, len(data) - 1)) + 1 or len(data)
        window = JsonWindow(data, position, stop)
        taken = _taken(window, data, longest, take)
        patience = _PATIENCE if 2 * np.count_nonzero(taken) > len(taken) else patience - 1
        for low, high in _gaps(window, taken):
            yield from _lines_between(data, position + low, position + high)
        position = stop
    yield from _lines_between(data, position, len(data))


def lines_of(data: bytes) -> Iterator[Located]:
    """All lines that are not blank, without the white space around them."""
    return _lines_between(data, _beginning(data), len(data))


def line_at(data: bytes, start: int) -> bytes:
    """The line that begins at a place."""
    return next(_lines_between(data, start, len(data)))[1]


def _beginning(data: bytes) -> int:
    return len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0


def _lines_between(data: bytes, start: int, stop: int) -> Iterator[Located]:
    position = start
    while position < stop:
        end = data.find(b"\n", position, stop)
        end = stop if end < 0 else end
        line = data[position:end].lstrip(WHITE)
        if line:
            yield end - len(line), line.rstrip(WHITE)
        position = end + 1


def _taken(window: JsonWindow, data: bytes, longest: int, take: Take) -> Flags:
    """Which lines of a window were taken in."""
    taken = np.zeros(len(window.elements) - 1, np.bool_)
    usable = window.plain & (np.diff(window.elements) <= longest)
    for found in alike(
        window, lambda start: example_at(data, start), lambda each: each.spelling, usable
    ):
        lines, good = _sound(window, found)
        if len(lines.starts):
            good[good] = take(lines)
            taken[found.chosen[good]] = True
    return taken


def _sound(window: JsonWindow, found: Alike[JsonExample]) -> tuple[AlikeLines, Flags]:
    """Those lines whose numbers are numbers, and which these are."""
    good = np.ones(len(found.chosen), np.bool_)
    columns = found.captured(window)
    for place, is_number in enumerate(found.example.numbers):
        if is_number:
            columns[place] = compute.ascii_trim(columns[place], " \t\r")
            fits = compute.match_substring_regex(columns[place], f"^(?:{NUMBER})$")
            good &= fits.to_numpy(False)
    lines = AlikeLines(found.example, found.starts(window), columns)
    return lines.where(good), good


def _gaps(window: JsonWindow, taken: Flags) -> Iterator[tuple[int, int]]:
    """From where to where a window has lines that were not taken in."""
    edges = window.elements
    if edges[0]:
        yield 0, int(edges[0])
    for place in np.flatnonzero(~taken).tolist():
        yield int(edges[place]), int(edges[place + 1])
