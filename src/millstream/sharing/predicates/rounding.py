"""What is known of sums that are computed in doubles.

Numbers that are not integers are compared and added as doubles, so moving a constant from one
side to the other may change the answer: 0.8 <= 0.7 + 0.1 is false. A sum is therefore a value of
its own. Rounding keeps the order of numbers, and this is all that is used here: greater values
and greater constants have greater sums, or equal ones. Where the exact sum and the rounded one
differ, the bound is the one that holds for both.

A double stands for the shortest decimal that reads as it: 0.1 is one tenth.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, nextafter

from millstream.sharing.predicates.atoms import Bound, Edge
from millstream.sharing.predicates.closure import NOTHING, Closure
from millstream.sharing.predicates.terms import ZERO, Sum, Term, Weight, exact

MOST_STEPS = 8
"""How far from the exact difference the last double below a sum is looked for."""


def shortest(number: float) -> Weight:
    """The shortest decimal that reads as this finite double."""
    return exact(Fraction(Decimal(repr(number))))


def sum_edges(closure: Closure) -> Iterator[Edge]:
    """What follows for the sums among the values of a closure."""
    sums = [(term, term.sum) for term in closure.terms.values() if term.sum is not None]
    for term, sum in sums:
        base, addend = sum.base, sum.addend
        if addend >= 0:
            yield base, term, NOTHING
        if addend <= 0:
            yield term, base, NOTHING
        yield from _constant_edges(closure, term, sum)
        for other, more in sums:
            if other != term and addend <= more.addend and _at_most(closure, base, more.base):
                yield term, other, NOTHING


def _at_most(closure: Closure, one: Term, other: Term) -> bool:
    return one == other or closure.within(one, other, NOTHING)


def _constant_edges(closure: Closure, term: Term, sum: Sum) -> Iterator[Edge]:
    """Bounds of the sum from those of its base, and the other way round."""
    base, addend = sum.base, sum.addend
    for source, target, bound in _outward(closure, base):
        limit = _signed(source, _rounded(_signed(source, bound), addend, above=target == ZERO))
        if limit is not None:
            yield (term if source == base else ZERO), (term if target == base else ZERO), (limit, 1)
    for source, target, bound in _outward(closure, term):
        limit = _signed(source, _undone(_signed(source, bound), addend, above=target == ZERO))
        if limit is not None:
            yield (base if source == term else ZERO), (base if target == term else ZERO), (limit, 1)


def _outward(closure: Closure, term: Term) -> Iterator[tuple[Term, Term, Weight]]:
    """The greatest and the least value of a term, as weights of edges."""
    for source, target in ((term, ZERO), (ZERO, term)):
        bound: Bound | None = closure.distance(source, target)
        if bound is not None:
            yield source, target, bound[0]


def _signed(source: Term, weight: Weight | None) -> Weight | None:
    """The constant of an edge's weight, or the weight of a constant: a lower bound is negated."""
    if weight is None:
        return None
    return -weight if source == ZERO else weight


def _rounded(constant: Weight | None, addend: Weight, above: bool) -> Weight | None:
    """The greatest (above) or least sum with a value at the constant."""
    assert constant is not None
    rounded = _double(constant) + _double(addend)
    if not isfinite(rounded):
        return None
    choose = max if above else min
    return choose(constant + addend, shortest(rounded))


def _undone(constant: Weight | None, addend: Weight, above: bool) -> Weight | None:
    """The greatest (above) or least value whose sum is within the constant."""
    assert constant is not None
    limit, step = _double(constant), _double(addend)
    value = limit - step
    if not (isfinite(value) and isfinite(limit)):
        return None
    outward = inf if above else -inf
    for _ in range(MOST_STEPS):
        beyond = nextafter(value, outward)
        if not isfinite(beyond):
            return None
        if (beyond + step > limit) if above else (beyond + step < limit):
            choose = max if above else min
            return choose(constant - addend, shortest(value))
        value = beyond
    return None


def _double(weight: Weight) -> float:
    try:
        return float(weight)
    except OverflowError:
        return inf if weight > 0 else -inf
