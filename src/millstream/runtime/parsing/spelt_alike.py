"""Elements that are spelt alike, found and read many at a time.

One element is read, and tells where its values stand. All elements whose bytes are the same, but
for the values between its marks, which in XML are quotes and angle brackets, are read in the same
way:

    <tuple id="7"><speed>3.5</speed></tuple>        read
    <tuple id="8"><speed>12</speed></tuple>         compared with it: only values differ
           ‾‾‾‾‾ ‾      ‾       ‾      ‾ marks

So reading is done once for each way of spelling, and the rest are comparisons of columns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from millstream.runtime.parsing.arrow_types import Column

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Example = TypeVar("Example")
"""An element as it was read."""

_WORD = 8
_FEWEST = 32
"""Elements for which it pays to compare columns."""
_MOST_SHAPES = 8
"""Ways of spelling among elements with as many marks."""


@dataclass(frozen=True, slots=True)
class Value:
    """Where a value stands that may differ from element to element."""

    start: int
    end: int
    """Exclusive."""
    lines: bool
    """Whether it may have tabs and line breaks: text may, attributes may not."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Where things stand in an example, in the data."""

    end: int
    values: Sequence[Value]
    groups: Sequence[tuple[int, int]]
    """What is captured of it, from one place to another; below zero where nothing is."""


class Window(ABC):
    """A part of some data, cut at its marks."""

    marks: Places
    elements: Places
    """Where elements begin, all but the last of which end where the next one begins."""
    firsts: Places
    """Their first marks."""

    def __init__(self, data: bytes, start: int, stop: int) -> None:
        self.start = start
        # Words of eight bytes are compared, also at the end.
        self.data = data[start:stop] + bytes(_WORD)
        self.characters = np.frombuffer(self.data, np.uint8, stop - start)
        self._words = np.ndarray((stop - start + 1,), "<u8", self.data, 0, (1,))

    @property
    @abstractmethod
    def unusual(self) -> tuple[Flags, Flags]:
        """Behind which marks there is something that attributes may not have, and texts not."""

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


def shape_of(window: Window, marks: Places, found: Spelling) -> Shape | None:
    """How an example with these marks is spelt; None where values do not lie between marks."""
    end, count = found.end - window.start, len(marks)
    free: dict[int, bool] = {}
    for value in found.values:
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
    groups = tuple(
        None if low < 0 else _span(marks, low - window.start, high - window.start)
        for low, high in found.groups
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
class Alike(Generic[Example]):
    """Elements of one shape, with an example."""

    shape: Shape
    example: Example
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
    read: Callable[[int], Example | None],
    spelling: Callable[[Example], Spelling],
    usable: Flags | None = None,
) -> Iterator[Alike[Example]]:
    """The elements of a window, but for its last, by their shapes; some are of none of them.

    If it is said which are usable, others are not looked at.
    """
    firsts, ends = window.firsts[:-1], window.elements[1:]
    counts = np.diff(window.firsts)
    if usable is not None:
        counts[~usable] = 0
    for count in np.unique(counts[counts > 0]).tolist():
        left = np.flatnonzero(counts == count)
        for _ in range(_MOST_SHAPES):
            if len(left) < _FEWEST:
                break
            one = left[0]
            found = read(window.start + int(window.elements[one]))
            shape = None
            if found is not None:
                spelt = spelling(found)
                if spelt.end == window.start + ends[one]:
                    marks = window.marks[firsts[one] : firsts[one] + count]
                    shape = shape_of(window, marks, spelt)
            if found is None or shape is None:
                left = left[1:]
                continue
            fit = shape.fits(window, firsts[left], ends[left])
            yield Alike(shape, found, left[fit])
            left = left[~fit]
