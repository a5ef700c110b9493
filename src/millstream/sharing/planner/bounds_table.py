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
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from millstream.model.schema import Path, Schema
from millstream.sharing.element_paths import all_paths
from millstream.sharing.planner.selection_hull import WORD, Pair, SelectionHull, hull_of
from millstream.sharing.properties import Input

Rows = NDArray[np.intp]
Truths = NDArray[np.bool_]

FIRST_ROWS = 64


class BoundsTable:
    """The selections, elements and windows of variants, one row each."""

    def __init__(self, schema: Schema, peers: Iterable[str]) -> None:
        self._bits = {path: number for number, path in enumerate(sorted(all_paths(schema)))}
        self._peers = {peer: number for number, peer in enumerate(peers)}
        self._free: list[int] = list(range(FIRST_ROWS))[::-1]
        self._bounds: dict[Pair, NDArray[np.float64]] = {}
        self._pins: dict[str, NDArray[np.int64]] = {}
        words = max(1, -(-len(self._bits) // WORD))
        self._columns: dict[str, NDArray[Any]] = {
            "used": np.zeros(FIRST_ROWS, dtype=bool),
            "elements": np.zeros((FIRST_ROWS, words), dtype=np.uint64),
            "unknown": np.zeros(FIRST_ROWS, dtype=np.uint64),
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
        self._note_selection(row, hull_of(content.selection))
        self.set_frequency(row, frequency)
        return row

    def remove(self, row: int) -> None:
        """Free a row."""
        self._columns["used"][row] = False
        self._note_selection(row, None)
        self._free.append(row)

    def _note_selection(self, row: int, hull: SelectionHull | None) -> None:
        for bounds in self._bounds.values():
            bounds[row] = math.inf
        for pins in self._pins.values():
            pins[row] = 0
        self._columns["unknown"][row] = hull.unknown if hull else 0
        if hull is None:
            return
        for pair, bound in hull.bounds.items():
            if pair not in self._bounds:
                self._bounds[pair] = np.full(self._rows, math.inf)
            self._bounds[pair][row] = bound
        for name, pin in hull.pins.items():
            if name not in self._pins:
                self._pins[name] = np.zeros(self._rows, dtype=np.int64)
            self._pins[name][row] = pin

    def set_frequency(self, row: int, frequency: float) -> None:
        self._columns["frequency"][row] = frequency

    def set_place(self, row: int, peer: str, available: bool) -> None:
        self._columns["places"][row, self._peers[peer]] = available

    def containing(self, hull: SelectionHull | None, output: Iterable[Path]) -> Rows:
        """Rows whose selection may let through all that another does, with some elements."""
        needed = self._mask(output)
        missing = (self._columns["elements"] & needed) != needed
        rows: Rows = np.flatnonzero(self._columns["used"] & ~missing.any(axis=1))
        if hull is None:
            return rows
        for name, pins in self._pins.items():
            pinned = pins[rows]
            rows = rows[(pinned == 0) | (pinned == hull.pins.get(name, 0))]
        # The bounds that are asked for cut most; the others only have to be open.
        for pair in sorted(self._bounds, key=lambda each: each not in hull.reach):
            rows = rows[self._bounds[pair][rows] >= hull.reach.get(pair, math.inf)]
        strange = self._columns["unknown"][rows] & ~np.uint64(hull.unknown)
        return np.asarray(rows[strange == 0])

    def equal(self, hull: SelectionHull | None) -> Rows:
        """Rows whose selection may let through just what another does."""
        rows = self._used()
        return rows[self.same_selection(rows, hull)]

    def same_selection(self, rows: Rows, hull: SelectionHull | None) -> Truths:
        """For each row, whether its selection may let through just what another does."""
        same = np.ones(len(rows), dtype=bool)
        if hull is None:
            return same
        if not (
            hull.bounds.keys() <= self._bounds.keys() and hull.pins.keys() <= self._pins.keys()
        ):
            return ~same
        for name, pins in self._pins.items():
            same &= pins[rows] == hull.pins.get(name, 0)
        for pair, bounds in self._bounds.items():
            same &= bounds[rows] == hull.bounds.get(pair, math.inf)
        return same

    def same_elements(self, rows: Rows, output: Iterable[Path]) -> Truths:
        """For each row, whether it has exactly some elements."""
        equal = self._columns["elements"][rows] == self._mask(output)
        return np.asarray(equal.all(axis=1))

    def fitting(self, rows: Rows, size: int, step: int) -> Rows:
        """Rows whose windows larger windows may be made of."""
        sizes, steps = self._columns["size"][rows], self._columns["step"][rows]
        tiled = (size % sizes == 0) & ((sizes % steps == 0) | (sizes == size))
        return np.asarray(rows[tiled & (step % steps == 0)])

    def same_windows(self, rows: Rows, size: int, step: int) -> Truths:
        """For each row, whether its windows have a size and step."""
        sizes, steps = self._columns["size"][rows], self._columns["step"][rows]
        return np.asarray((sizes == size) & (steps == step))

    def frequency(self, rows: Rows) -> NDArray[np.float64]:
        return np.asarray(self._columns["frequency"][rows])

    def places(self, rows: Rows) -> Truths:
        """For each row and peer, whether the variant can be tapped there."""
        return np.asarray(self._columns["places"][rows])

    @property
    def _rows(self) -> int:
        return len(self._columns["used"])

    def _used(self) -> Rows:
        return np.flatnonzero(self._columns["used"])

    def _mask(self, paths: Iterable[Path]) -> NDArray[np.uint64]:
        words = [0] * self._columns["elements"].shape[1]
        for path in paths:
            number = self._bits.get(path)
            if number is not None:
                words[number // WORD] |= 1 << number % WORD
        return np.array(words, dtype=np.uint64)

    def _grow(self) -> None:
        rows = self._rows
        self._free = list(range(rows, 2 * rows))[::-1]
        for name, column in self._columns.items():
            self._columns[name] = np.concatenate((column, np.zeros_like(column)))
        self._columns["size"][rows:] = self._columns["step"][rows:] = 1
        for pair, bounds in self._bounds.items():
            self._bounds[pair] = np.concatenate((bounds, np.full(rows, math.inf)))
        for name, pins in self._pins.items():
            self._pins[name] = np.concatenate((pins, np.zeros_like(pins)))
