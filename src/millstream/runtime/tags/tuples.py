"""The tuples of a batch as tags see them: places, times, ids, and the values of attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from millstream.model.tags.name_pattern import NamePattern
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.side_by_side import in_slices
from millstream.runtime.tags.lanes import Lane
from millstream.runtime.tags.numbers import LONG_AGO, Flags, Integers, integers, ranges

ABSENT = -1
"""The code of what a tuple does not have."""
FEW = 4
"""Patterns up to which it is quicker to match every id than to tell the ids apart before."""


class Keyed:
    """A text of each tuple as a code, and the tuples that have a code."""

    def __init__(self, texts: Column) -> None:
        encoded = compute.dictionary_encode(texts)
        self.names: pa.Array = encoded.dictionary
        self.codes: Integers = compute.fill_null(encoded.indices.cast(pa.int64()), ABSENT).to_numpy(
            zero_copy_only=False
        )
        self._code_of: dict[str, int] | None = None
        self._order: Integers | None = None
        self._ends: Integers | None = None

    @property
    def present(self) -> Flags:
        present: Flags = self.codes != ABSENT
        return present

    def code(self, name: str | None) -> int:
        """The code of a text, or of what no tuple has."""
        if self._code_of is None:
            self._code_of = {each: code for code, each in enumerate(self.names.to_pylist())}
        return ABSENT if name is None else self._code_of.get(name, ABSENT)

    def members(self, code: int) -> Integers:
        """The indices of the tuples that have a code."""
        order, ends = self._grouped()
        return order[ends[code] : ends[code + 1]] if code != ABSENT else order[:0]

    def counts(self, codes: Integers) -> Integers:
        """How many tuples have each of some codes."""
        _, ends = self._grouped()
        return np.where(codes == ABSENT, 0, ends[codes + 1] - ends[codes])

    def pairs(self, codes: Integers) -> tuple[Integers, Integers]:
        """The indices of the tuples that have one of some codes, and which one that is."""
        order, ends = self._grouped()
        low = ends[codes]
        places, owners = ranges(low, low + self.counts(codes))
        return order[places], owners

    def _grouped(self) -> tuple[Integers, Integers]:
        if self._order is None or self._ends is None:
            absent = int(np.count_nonzero(~self.present))
            self._order = np.argsort(self.codes, kind="stable")[absent:]
            counts = np.bincount(self.codes[self.present], minlength=len(self.names))
            self._ends = np.concatenate(([0], np.cumsum(counts), [0])).astype(np.int64)
        return self._order, self._ends


@dataclass(eq=False)
class TupleColumns:
    """Tuples in the order of their positions; those without a time have none of the tags."""

    positions: Integers
    times: Integers
    ids: Callable[[], Column]
    """The texts of their ids, read when a tag names some."""
    values: Callable[[str], Column]
    """For an attribute, texts that are equal where its values are; null where it is absent."""
    _read: dict[str, Keyed] = field(default_factory=dict)
    _patterns: int = 0
    """How many patterns were matched with the ids as they are."""

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def _ids(self) -> Column:
        return self.ids()

    def id_keys(self) -> Keyed:
        """The ids of the tuples."""
        if "" not in self._read:
            self._read[""] = Keyed(self._ids)
        return self._read[""]

    def attribute(self, name: str) -> Keyed:
        """The values of an attribute."""
        if name not in self._read:
            self._read[name] = Keyed(self.values(name))
        return self._read[name]

    def named(self, pattern: NamePattern) -> Flags:
        """Which tuples a pattern names."""
        if "" not in self._read and self._patterns < FEW:
            self._patterns += 1
            return _matched(self._ids, pattern)
        keys = self.id_keys()
        if not len(keys.names):
            return np.zeros(len(self), np.bool_)
        return _matched(keys.names, pattern)[keys.codes] & keys.present


def _matched(names: Column, pattern: NamePattern) -> Flags:
    """Which names a pattern matches; none that is absent."""

    def matched(some: Column) -> Flags:
        # Arrow's engine is the one by which patterns were checked, here for a whole column.
        found = compute.match_substring_regex(some, rf"\A(?:{pattern.text})\z")
        flags: Flags = compute.fill_null(found, False).to_numpy(zero_copy_only=False)
        return flags

    return np.concatenate(in_slices(matched, names))


class Surroundings:
    """Tuples with the lanes that are drawn through them; lanes are made once."""

    def __init__(self, tuples: TupleColumns, highest: int, lateness: int) -> None:
        """`highest` is the time that the stream had reached before."""
        self.tuples = tuples
        before = np.maximum.accumulate(np.concatenate(([highest], tuples.times)))
        self.passed: Integers = before[:-1]
        """The time that the stream had reached before each tuple."""
        self.highest = int(before[-1])
        known = self.passed != LONG_AGO
        oldest = np.where(known, self.passed - np.where(known, lateness, 0), LONG_AGO)
        self.effective: Integers = np.maximum(tuples.times, oldest)
        self._lanes: dict[tuple[object, ...], Lane] = {}
        self._named: dict[NamePattern, Flags] = {}

    def timed(self) -> Flags:
        """Which tuples have a time."""
        timed: Flags = self.tuples.times != LONG_AGO
        return timed

    def named(self, pattern: NamePattern) -> Flags:
        """Which tuples a pattern names."""
        if pattern not in self._named:
            self._named[pattern] = self.tuples.named(pattern)
        return self._named[pattern]

    def lane(self, pattern: NamePattern, attributes: Sequence[str] = ()) -> Lane:
        """The tuples that a pattern names and that have one of some attributes."""
        key = (pattern.text, *sorted(attributes))
        if key not in self._lanes:
            wanted = self.timed()
            if not pattern.matches_all:
                wanted &= self.named(pattern)
            if attributes:
                present = [self.tuples.attribute(each).present for each in attributes]
                wanted &= np.logical_or.reduce(present)
            self._lanes[key] = self.lane_of(integers(np.flatnonzero(wanted)))
        return self._lanes[key]

    def lane_of(self, indices: Integers) -> Lane:
        """The lane of some tuples, which are in order."""
        return Lane(indices, self.tuples.positions, self.tuples.times, self.effective)
