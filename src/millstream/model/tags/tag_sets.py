"""Sets of tags by number: equal sets have one number, so a row carries an integer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, Generic, TypeVar

Member = TypeVar("Member", bound=Hashable)

NO_TAGS: Final = 0
"""The number of the empty set."""


class TagSets(Generic[Member]):
    """Numbers for sets, in the order in which the sets are first met."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[Member], int] = {frozenset(): NO_TAGS}
        self._sets: list[frozenset[Member]] = [frozenset()]
        self._unions: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self._sets)

    def intern(self, members: Iterable[Member]) -> int:
        """The number of a set."""
        wanted = frozenset(members)
        number = self._numbers.setdefault(wanted, len(self._sets))
        if number == len(self._sets):
            self._sets.append(wanted)
        return number

    def members(self, number: int) -> frozenset[Member]:
        """The set that has a number."""
        return self._sets[number]

    def union(self, one: int, other: int) -> int:
        """The number of the union of two sets."""
        if one == other or other == NO_TAGS:
            return one
        pair = (one, other) if one < other else (other, one)
        if pair not in self._unions:
            self._unions[pair] = self.intern(self._sets[one] | self._sets[other])
        return self._unions[pair]

    def only(self, number: int, kept: Iterable[Member]) -> int:
        """The number of what a set has in common with some members."""
        return self.intern(self._sets[number] & frozenset(kept))
