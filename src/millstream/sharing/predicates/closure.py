"""All-pairs shortest paths over difference constraints, kept closed as edges are added."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.sharing.predicates.atoms import Bound, whole
from millstream.sharing.predicates.terms import ZERO, Term

NOTHING: Bound = (0, 1)
"""The bound of a value to itself."""

Row = dict[str, Bound]


class Closure:
    """The tightest bound between each two of some values.

    Distances between integers are integers. With that, the system has a solution unless it is
    contradictory, even where integers and others are mixed: a solution for the integers alone,
    which only whole bounds relate, extends to the others.
    """

    __slots__ = ("contradictory", "rows", "terms")

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {ZERO.name: {ZERO.name: NOTHING}}
        self.terms: dict[str, Term] = {ZERO.name: ZERO}
        self.contradictory = False

    def copy(self) -> Closure:
        """A closure that grows by itself."""
        other = Closure.__new__(Closure)
        other.rows = {name: dict(row) for name, row in self.rows.items()}
        other.terms = dict(self.terms)
        other.contradictory = self.contradictory
        return other

    def __contains__(self, term: Term) -> bool:
        return term.name in self.rows

    def distance(self, source: Term, target: Term) -> Bound | None:
        """The tightest bound of one value above another; None if there is none."""
        row = self.rows.get(source.name)
        return None if row is None else row.get(target.name)

    def within(self, source: Term, target: Term, bound: Bound) -> bool:
        """True if one value is known to lie at most so far above another."""
        known = self.distance(source, target)
        return known is not None and known <= bound

    def ensure(self, term: Term) -> None:
        """Make a value known."""
        if term.name not in self.rows:
            self.rows[term.name] = {term.name: NOTHING}
            self.terms[term.name] = term

    def add(self, source: Term, target: Term, bound: Bound) -> bool:
        """Take in an edge; True if it says something new."""
        self.ensure(source)
        self.ensure(target)
        if self.contradictory or self.within(source, target, bound):
            return False
        back = self.distance(target, source)
        if back is not None and plus(back, bound) < NOTHING:
            self.contradictory = True
            return True
        self._floored(self._shortened(source.name, target.name, bound))
        return True

    def _shortened(self, source: str, target: str, bound: Bound) -> list[tuple[str, str]]:
        """Lead paths over a new edge; the pairs of integers that got a fraction between them."""
        onward = tuple(self.rows[target].items())
        fractional = []
        for start, row in self.rows.items():
            head = row.get(source)
            if head is None:
                continue
            reach = plus(head, bound)
            for end, tail in onward:
                total = plus(reach, tail)
                known = row.get(end)
                if known is None or total < known:
                    row[end] = total
                    if self._fractional(start, end, total):
                        fractional.append((start, end))
        return fractional

    def _fractional(self, start: str, end: str, bound: Bound) -> bool:
        weight, included = bound
        if included and weight.denominator == 1:
            return False
        return self.terms[start].integer and self.terms[end].integer

    def _floored(self, pairs: Iterable[tuple[str, str]]) -> None:
        for start, end in pairs:
            if start == end:
                continue
            tight = whole(self.rows[start][end])
            self.add(self.terms[start], self.terms[end], tight)


def plus(one: Bound, other: Bound) -> Bound:
    """The bound of a path of two."""
    return one[0] + other[0], one[1] & other[1]
