"""Whether one predicate implies another, and what of it is left to ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from millstream.sharing.predicates.atoms import Atom, Clause, Part, Relation, deny
from millstream.sharing.predicates.facts import Facts
from millstream.sharing.predicates.predicate import Predicate, conjunction
from millstream.sharing.predicates.reasons import reason

MOST_TRIALS = 256
"""How many ways to violate a clause are tried before it is not known whether it is implied."""


def _nothing() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Implication:
    """Whether a predicate implies another; if not, why."""

    holds: bool
    explain: Callable[[], tuple[str, ...]] = field(default=_nothing, compare=False, repr=False)

    @property
    def failed(self) -> tuple[str, ...]:
        """The conditions that are not implied, each with what holds instead."""
        return self.explain()

    def __bool__(self) -> bool:
        return self.holds


HOLDS = Implication(True)


def implies(stronger: Predicate, weaker: Predicate) -> Implication:
    """Whether every item that meets the one meets the other; 'no' may be 'not known'."""
    if all(ensures(stronger, part) for part in weaker.minimal):
        return HOLDS
    return Implication(False, lambda: _failures(stronger, weaker))


def equivalent(one: Predicate, other: Predicate) -> bool:
    """True if the two are known to hold for the same items."""
    return one == other or (implies(one, other).holds and implies(other, one).holds)


def residual(wanted: Predicate, given: Predicate) -> Predicate:
    """What is still to ask of items that meet one predicate so that they meet the other.

    Together with what is given it demands what is wanted, if that implies what is given.
    """
    left = tuple(part for part in wanted.minimal if not ensures(given, part))
    if len(left) < 2 or not _interact((*left, *given.minimal)):
        return Predicate(left)
    for part in left:
        others = tuple(each for each in left if each != part)
        if ensures(conjunction(given, Predicate(others)), part):
            left = others
    return Predicate(left)


def ensures(predicate: Predicate, part: Part) -> bool:
    """True if the part is known to hold wherever the predicate holds."""
    if not isinstance(part, Clause) and predicate.facts.entails(part):
        return True
    if not predicate.clauses:
        return isinstance(part, Clause) and _chosen(predicate.facts, part)
    if part in predicate.clauses:
        return True
    if isinstance(part, Clause):
        return all(_chosen(case, part) for case in predicate.cases)
    return all(case.entails(part) for case in predicate.cases)


def _chosen(facts: Facts, clause: Clause) -> bool:
    """True if the facts see to it that one of the alternatives holds."""
    if any(all(facts.entails(atom) for atom in each) for each in clause.written):
        return True
    return Refutation().unavoidable(facts, clause.written)


class Refutation:
    """Looks for a way to violate all alternatives, by violating an atom of each."""

    def __init__(self) -> None:
        self._trials = 0

    def unavoidable(self, facts: Facts, alternatives: tuple[tuple[Atom, ...], ...]) -> bool:
        """True if there is no way, False if there is one or too many were tried."""
        if facts.refuted():
            return True
        if not alternatives:
            return False
        for atom in alternatives[0]:
            self._trials += 1
            if self._trials > MOST_TRIALS:
                return False
            if not self.unavoidable(facts.extended((deny(atom),)), alternatives[1:]):
                return False
        return True


def _interact(parts: tuple[Part, ...]) -> bool:
    """True unless all parts compare values with constants, each by itself."""
    return not all(
        isinstance(each, Relation) and each.unary and each.operator != "!=" for each in parts
    )


def _failures(stronger: Predicate, weaker: Predicate) -> tuple[str, ...]:
    missing = (part for part in weaker.minimal if not ensures(stronger, part))
    return tuple(reason(part, stronger) for part in missing)
