"""What can be told of a selection at a glance: bounds, fixed values, and unknown conditions.

One selection can imply another only if it is at least as tight in every bound. So the bounds are
kept apart from the selection, as numbers that many can be compared with at once.

    ra >= 120 and ra <= 138 and dx <= dy + 5      (ra, 0): 138   (0, ra): -120   (dx, dy): 5
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from millstream.sharing.predicates import Predicate
from millstream.sharing.predicates.atoms import Opaque, Some, edges
from millstream.sharing.predicates.facts import Facts
from millstream.sharing.predicates.predicate import MOST_CASES
from millstream.sharing.predicates.terms import ZERO, Weight

Pair = tuple[str, str]
"""Two values of an item, or a value and nought: the bound is how far the first is above at most.

Of a repeated element some value has the bound; its name begins with SOME.
"""

SOME = "some "
NOUGHT = ZERO.name
WORD = 64


@dataclass(frozen=True, slots=True)
class SelectionHull:
    """Bounds that hold in all cases in which a selection holds."""

    bounds: Mapping[Pair, float]
    """Those that do not follow from others."""
    reach: Mapping[Pair, float]
    """All of them."""
    pins: Mapping[str, int]
    """For values that are fixed, such as texts, a number that tells different ones apart."""
    unknown: int
    """A bit for each condition of which nothing is known; different ones may have the same."""


def hull_of(selection: Predicate) -> SelectionHull | None:
    """The hull of a selection; None if it has more cases than are looked at."""
    if math.prod(len(each.written) for each in selection.clauses) > MOST_CASES:
        return None
    tables = [_bounds(case) for case in selection.cases]
    if not tables:
        return None
    shared = set(tables[0]).intersection(*tables[1:])
    exact = {pair: max(table[pair] for table in tables) for pair in shared}
    return SelectionHull(
        {pair: _number(weight) for pair, weight in exact.items() if not _follows(pair, exact)},
        {pair: _number(weight) for pair, weight in exact.items()},
        {name: _pin(low) for (name, other), low in exact.items() if _fixed(name, other, exact)},
        _unknown(selection),
    )


def _bounds(case: Facts) -> dict[Pair, Weight]:
    """How far each value is at most above another, in one case."""
    found: dict[Pair, Weight] = {
        (source, target): weight
        for source, row in case.closure.rows.items()
        for target, (weight, _) in row.items()
        if source != target
    }
    for atom in case.atoms:
        if isinstance(atom, Some):
            for source, target, (weight, _) in edges(atom.relation):
                pair = (_named(source.name), _named(target.name))
                found[pair] = min(weight, found.get(pair, weight))
    return found


def _named(term: str) -> str:
    return term if term == NOUGHT else SOME + term


def _follows(pair: Pair, bounds: Mapping[Pair, Weight]) -> bool:
    """True for a bound between two values that says no more than the bounds of each."""
    source, target = pair
    if NOUGHT in pair:
        return False
    high, low = bounds.get((source, NOUGHT)), bounds.get((NOUGHT, target))
    return high is not None and low is not None and high + low <= bounds[pair]


def _fixed(name: str, other: str, bounds: Mapping[Pair, Weight]) -> bool:
    if other != NOUGHT or name.startswith(SOME):
        return False
    return bounds[name, other] == -bounds.get((other, name), math.inf)


def _pin(value: Weight) -> int:
    """A number other than 0 that different values hardly share."""
    return (hash((value,)) & 0x7FFF_FFFF_FFFF_FFFF) or 1


def _number(weight: Weight) -> float:
    """The bound as a double: of two bounds the tighter is never the greater."""
    try:
        return float(weight)
    except OverflowError:
        return math.inf if weight > 0 else -math.inf


def _unknown(selection: Predicate) -> int:
    """The unknown conditions that are demanded, whatever the case."""
    bits = 0
    for atom in selection.atoms:
        if isinstance(atom, Opaque) and atom.asks is None:
            bits |= 1 << hash(atom) % WORD
    return bits
