"""Elements that are spelt alike, found and read many at a time.

A regular expression tells what it captures of one element. All elements whose bytes are the same,
but for the values between its marks, which are quotes and angle brackets, are captured in the same
way:

    <tuple id="7"><speed>3.5</speed></tuple>        read by the expression
    <tuple id="8"><speed>12</speed></tuple>         compared with it: only values differ
           ‾‾‾‾‾ ‾      ‾       ‾      ‾ marks

So the expression is asked once for each way of spelling, and the rest are comparisons of columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from millstream.runtime.parsing.arrow_types import Column

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_WORD = 8
_QUOTE, _AMPERSAND, _SPACE, _TAB, _LINE = b'"& \t\n'
_BEHIND_NAME = np.frombuffer(b" \t\r\n>/", np.uint8)
_FEWEST = 32
"""Elements for which it pays to compare columns."""
_MOST_SHAPES = 8
"""Ways of spelling among elements with as many marks."""


@dataclass(frozen=True, slots=True)
class Value:
    """Where a match has a value that may differ from element to element."""

    start: int
    end: int
    """Exclusive."""
    lines: bool
    """Whether it may have tabs and line breaks: text may, attributes may not."""


class Window:
    """A part of some data that begins with an element, cut at its marks."""

    def __init__(self, data: bytes, start: int, stop: int, names: Sequence[bytes]) -> None:
        """`names` are those of the elements that are sought."""
        self.start = start
        # Words of eight bytes are compared, also at the end.
        self.data = data[start:stop] + bytes(_WORD)
        self.characters = np.frombuffer(self.data, np.uint8, stop - start)
        self._words = np.ndarray((stop - start + 1,), "<u8", self.data, 0, (1,))
        brackets = (self.characters & 0xFD) == ord("<")
        self.marks: Places = np.flatnonzero(brackets | (self.characters == _QUOTE))
        openings = self.marks[self.characters[self.marks] == ord("<")]
        found = [self._begin_with(openings, b"<" + name) for name in dict.fromkeys(names)]
        self.elements: Places = found[0] if len(found) == 1 else np.sort(np.concatenate(found))
        """Where elements begin, all but the last of which end where the next one begins."""
        self.firsts: Places = np.searchsorted(self.marks, self.elements)
        """Their first marks."""

    def _begin_with(self, openings: Places, opening: bytes) -> Places:
        """The openings that are these, and not others that only begin with them."""
        last = len(self.characters) - 1
        likely = openings[self.characters[np.minimum(openings + 1, last)] == opening[1]]
        likely = likely[self.have(likely, opening)]
        behind = self.characters[np.minimum(likely + len(opening), last)]
        found: Places = likely[np.isin(behind, _BEHIND_NAME)]
        return found

    def have(self, places: Places, literal: bytes) -> Flags:
        """Whether these bytes stand at places, which are in order."""
        highest = len(self.characters) - len(literal)
        same: Flags = places <= highest
        if len(places) and places[-1] > highest:
            places = np.minimum(places, max(highest, 0))
        for at in range(0, len(literal), _WORD):
            part = literal[at : at + _WORD]
            words = self._words[places + at]
            if len(part) < _WORD:
                words &= np.uint64((1 << 8 * len(part)) - 1)
            same &= words == np.uint64(int.from_bytes(part, "little"))
        return same

    def slices(self, starts: Places, ends: Places) -> Column:
        """The texts from some places to others, in order."""
        edges = np.empty(2 * len(starts), np.int32)
        edges[0::2], edges[1::2] = starts, ends
        # Every second text is one that is sought; the others lie between them.
        buffers = [None, pa.py_buffer(edges), pa.py_buffer(self.data)]
        both = pa.Array.from_buffers(pa.string(), len(edges) - 1, buffers)
        return both.take(pa.array(np.arange(0, len(edges), 2)))

    @cached_property
    def unusual(self) -> tuple[Flags, Flags]:
        """Behind which marks there is something that attributes may not have, and texts not."""
        found = np.flatnonzero((self.characters < _SPACE) | (self.characters == _AMPERSAND))
        pieces = np.searchsorted(self.marks, found) - 1
        kinds = self.characters[found]
        for_attributes, for_texts = np.zeros((2, len(self.marks) + 1), np.bool_)
        for_attributes[pieces] = True
        for_texts[pieces[(kinds != _TAB) & (kinds != _LINE)]] = True
        return for_attributes, for_texts


@dataclass(frozen=True, slots=True)
class _Run:
    """Bytes that all elements of a shape have in common, from one of their marks on."""

    mark: int
    literal: bytes


@dataclass(frozen=True, slots=True)
class Span:
    """What a group captures, told by marks: so many bytes behind one up to those behind another."""

    first: int
    behind_first: int
    last: int
    behind_last: int

    def slices(self, window: Window, firsts: Places) -> Column:
        """What it captures of elements, given by their first marks."""
        starts = window.marks[firsts + self.first] + self.behind_first
        return window.slices(starts, window.marks[firsts + self.last] + self.behind_last)


@dataclass(frozen=True, slots=True)
class Shape:
    """One way of spelling an element."""

    runs: tuple[_Run, ...]
    attributes: tuple[int, ...]
    """The marks behind which there are values of attributes."""
    texts: tuple[int, ...]
    """The marks behind which there are other values."""
    groups: tuple[Span | None, ...]

    def fits(self, window: Window, firsts: Places, ends: Places) -> Flags:
        """Which elements, given by their first marks and where they end, are spelt so."""
        fit = np.ones(len(firsts), np.bool_)
        for run in self.runs:
            places = window.marks[firsts + run.mark]
            fit &= window.have(places, run.literal)
        last = self.runs[-1]
        fit &= window.marks[firsts + last.mark] + len(last.literal) == ends
        for_attributes, for_texts = window.unusual
        for marks, unusual in ((self.attributes, for_attributes), (self.texts, for_texts)):
            for mark in marks:
                fit &= ~unusual[firsts + mark]
        return fit


def shape_of(
    window: Window, marks: Places, match: re.Match[bytes], values: Sequence[Value]
) -> Shape | None:
    """How a match with these marks is spelt; None where its values do not lie between marks."""
    end, count = match.end() - window.start, len(marks)
    free: dict[int, bool] = {}
    for value in values:
        low, high = value.start - window.start, value.end - window.start
        mark = int(np.searchsorted(marks, low)) - 1
        if mark + 1 == count or (marks[mark] + 1, marks[mark + 1]) != (low, high):
            return None
        free[mark] = value.lines
    runs, begun = [], 0
    for mark in sorted(free):
        runs.append(_Run(begun, window.data[marks[begun] : marks[mark] + 1]))
        begun = mark + 1
    runs.append(_Run(begun, window.data[marks[begun] : end]))
    spans = [match.span(each) for each in range(1, match.re.groups + 1)]
    groups = tuple(
        None if low < 0 else _span(marks, low - window.start, high - window.start)
        for low, high in spans
    )
    return Shape(
        tuple(runs),
        tuple(mark for mark, lines in free.items() if not lines),
        tuple(mark for mark, lines in free.items() if lines),
        groups,
    )


def _span(marks: Places, low: int, high: int) -> Span:
    # What begins at a mark is told by the one before, and what ends there by the mark itself: so it
    # is also told where the value in between is empty.
    first = int(np.searchsorted(marks, low, side="left")) - 1
    last = int(np.searchsorted(marks, high, side="right")) - 1
    return Span(first, low - int(marks[first]), last, high - int(marks[last]))


@dataclass(frozen=True, slots=True)
class Alike:
    """Elements of one shape, with an example."""

    shape: Shape
    example: re.Match[bytes]
    chosen: Places
    """Which elements of the window they are."""

    def starts(self, window: Window) -> Places:
        """Where they begin in the data."""
        return window.elements[self.chosen] + window.start

    def captured(self, window: Window) -> list[Column]:
        """What each group captures of them; nulls where it takes no part."""
        firsts = window.firsts[self.chosen]
        return [
            pa.nulls(len(firsts), pa.string()) if each is None else each.slices(window, firsts)
            for each in self.shape.groups
        ]


def alike(
    window: Window,
    match: Callable[[int], re.Match[bytes] | None],
    values: Callable[[re.Match[bytes]], Sequence[Value]],
) -> Iterator[Alike]:
    """The elements of a window, but for its last, by their shapes; some are of none of them."""
    firsts, ends = window.firsts[:-1], window.elements[1:]
    counts = np.diff(window.firsts)
    for count in np.unique(counts).tolist():
        left = np.flatnonzero(counts == count)
        for _ in range(_MOST_SHAPES):
            if len(left) < _FEWEST:
                break
            one = left[0]
            found = match(window.start + int(window.elements[one]))
            shape = None
            if found is not None and found.end() == window.start + ends[one]:
                marks = window.marks[firsts[one] : firsts[one] + count]
                shape = shape_of(window, marks, found, values(found))
            if found is None or shape is None:
                left = left[1:]
                continue
            fit = shape.fits(window, firsts[left], ends[left])
            yield Alike(shape, found, left[fit])
            left = left[~fit]
