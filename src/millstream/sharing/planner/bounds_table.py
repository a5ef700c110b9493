"""A table of what flows, in columns: which of many variants may hold what is asked for.

A variant that cannot serve is passed over without being looked at: one whose selection, as a box
around the values that it lets through, does not contain the box asked for, or that has no longer
the elements asked for. What is left may serve; matching decides.

    en  │      ┌───────────────┐ variant: may serve
        │      │   ┌────┐      │
        │      │   │new │   ┌──┼───┐ variant: does not contain the new box
        │      └───┴────┴───┴──┘   │
        └──────────────────────────────▶ ra
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from millstream.model.schema import Path, Schema
from millstream.sharing.element_paths import all_paths
from millstream.sharing.predicates import Predicate
from millstream.sharing.predicates.predicate import MOST_CASES
from millstream.sharing.properties import Input

Rows = NDArray[np.intp]
Box = Mapping[str, tuple[float, float]]

FIRST_ROWS = 64
WORD = 64


def box_of(selection: Predicate) -> Box | None:
    """The least and greatest value that a selection allows for each variable it speaks of.

    None if that is not known, for a selection of more cases than are looked at.
    """
    if math.prod(len(each.written) for each in selection.clauses) > MOST_CASES:
        return None
    found: dict[str, tuple[float, float]] = {}
    for variable in selection.variables:
        bounds = selection.bounds(variable.name)
        if bounds is not None:
            low = -math.inf if bounds.low is None else float(bounds.low)
            high = math.inf if bounds.high is None else float(bounds.high)
            found[variable.name] = (low, high)
    return found


class BoundsTable:
    """The selections, elements and windows of variants, one row each."""

    def __init__(self, schema: Schema, peers: Iterable[str]) -> None:
        self._bits = {path: number for number, path in enumerate(sorted(all_paths(schema)))}
        self._peers = {peer: number for number, peer in enumerate(peers)}
        self._free: list[int] = list(range(FIRST_ROWS))[::-1]
        self._lows: dict[str, NDArray[np.float64]] = {}
        self._highs: dict[str, NDArray[np.float64]] = {}
        words = max(1, -(-len(self._bits) // WORD))
        self._columns: dict[str, NDArray[Any]] = {
            "used": np.zeros(FIRST_ROWS, dtype=bool),
            "elements": np.zeros((FIRST_ROWS, words), dtype=np.uint64),
            "frequency": np.zeros(FIRST_ROWS),
            "size": np.ones(FIRST_ROWS, dtype=np.int64),
            "step": np.ones(FIRST_ROWS, dtype=np.int64),
            "places": np.zeros((FIRST_ROWS, len(self._peers)), dtype=bool),
        }

    def add(self, content: Input, frequency: float) -> int:
        """The row that a variant gets."""
        if not self._free:
            self._grow()
        row = self._free.pop()
        columns = self._columns
        columns["used"][row] = True
        columns["elements"][row] = self._mask(content.output)
        columns["places"][row] = False
        if content.window is not None:
            columns["size"][row] = content.window.spec.size
            columns["step"][row] = content.window.spec.step
        for name, (low, high) in (box_of(content.selection) or {}).items():
            self._variable(name)
            self._lows[name][row], self._highs[name][row] = low, high
        self.set_frequency(row, frequency)
        return row

    def remove(self, row: int) -> None:
        """Free a row."""
        self._columns["used"][row] = False
        for name in self._lows:
            self._lows[name][row], self._highs[name][row] = -math.inf, math.inf
        self._free.append(row)

    def set_frequency(self, row: int, frequency: float) -> None:
        self._columns["frequency"][row] = frequency

    def set_place(self, row: int, peer: str, available: bool) -> None:
        self._columns["places"][row, self._peers[peer]] = available

    def containing(self, box: Box | None, output: Iterable[Path]) -> Rows:
        """Rows whose selection may contain a box and which still have all of some elements."""
        rows: Rows = np.flatnonzero(self._columns["used"])
        needed = self._mask(output)
        missing = (self._columns["elements"][rows] & needed) != needed
        rows = rows[~missing.any(axis=1)]
        if box is None:
            return rows
        # The variables that are asked about cut most; the others only have to be free.
        for name in sorted(self._lows, key=lambda each: each not in box):
            low, high = box.get(name, (-math.inf, math.inf))
            rows = rows[(self._lows[name][rows] <= low) & (self._highs[name][rows] >= high)]
        return rows

    def equal(self, box: Box | None) -> Rows:
        """Rows whose selection may be around the same box."""
        rows: Rows = np.flatnonzero(self._columns["used"])
        if box is None:
            return rows
        if not box.keys() <= self._lows.keys():
            return rows[:0]
        for name in sorted(self._lows, key=lambda each: each not in box):
            low, high = box.get(name, (-math.inf, math.inf))
            rows = rows[(self._lows[name][rows] == low) & (self._highs[name][rows] == high)]
        return rows

    def same_box(self, rows: Rows, box: Box | None) -> NDArray[np.bool_]:
        """For each row, whether its selection may be around the same box."""
        if box is None:
            return np.ones(len(rows), dtype=bool)
        same = np.ones(len(rows), dtype=bool)
        for name, lows in self._lows.items():
            low, high = box.get(name, (-math.inf, math.inf))
            same &= (lows[rows] == low) & (self._highs[name][rows] == high)
        return same if box.keys() <= self._lows.keys() else np.zeros(len(rows), dtype=bool)

    def same_elements(self, rows: Rows, output: Iterable[Path]) -> NDArray[np.bool_]:
        """For each row, whether it has exactly some elements."""
        equal = self._columns["elements"][rows] == self._mask(output)
        return np.asarray(equal.all(axis=1))

    def fitting(self, rows: Rows, size: int, step: int) -> Rows:
        """Rows whose windows larger windows may be made of."""
        sizes, steps = self._columns["size"][rows], self._columns["step"][rows]
        tiled = (size % sizes == 0) & ((sizes % steps == 0) | (sizes == size))
        return np.asarray(rows[tiled & (step % steps == 0)])

    def same_windows(self, rows: Rows, size: int, step: int) -> NDArray[np.bool_]:
        """For each row, whether its windows have a size and step."""
        sizes, steps = self._columns["size"][rows], self._columns["step"][rows]
        return np.asarray((sizes == size) & (steps == step))

    def frequency(self, rows: Rows) -> NDArray[np.float64]:
        return np.asarray(self._columns["frequency"][rows])

    def places(self, rows: Rows) -> NDArray[np.bool_]:
        """For each row and peer, whether the variant can be tapped there."""
        return np.asarray(self._columns["places"][rows])

    def _mask(self, paths: Iterable[Path]) -> NDArray[np.uint64]:
        words = [0] * self._columns["elements"].shape[1]
        for path in paths:
            number = self._bits.get(path)
            if number is not None:
                words[number // WORD] |= 1 << number % WORD
        return np.array(words, dtype=np.uint64)

    def _variable(self, name: str) -> None:
        if name not in self._lows:
            rows = len(self._columns["used"])
            self._lows[name] = np.full(rows, -math.inf)
            self._highs[name] = np.full(rows, math.inf)

    def _grow(self) -> None:
        rows = len(self._columns["used"])
        self._free = list(range(rows, 2 * rows))[::-1]
        for name, column in self._columns.items():
            self._columns[name] = np.concatenate((column, np.zeros_like(column)))
        self._columns["size"][rows:] = self._columns["step"][rows:] = 1
        for name in self._lows:
            self._lows[name] = np.concatenate((self._lows[name], np.full(rows, -math.inf)))
            self._highs[name] = np.concatenate((self._highs[name], np.full(rows, math.inf)))
