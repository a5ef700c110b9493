"""All that follows from atoms that hold together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from millstream.sharing.predicates.atoms import (
    FALSE,
    Atom,
    Denied,
    Fact,
    Opaque,
    Relation,
    Some,
    edges,
    reversed_edge,
    tightened,
)
from millstream.sharing.predicates.closure import Closure
from millstream.sharing.predicates.rounding import sum_edges
from millstream.sharing.predicates.terms import ZERO, Term

MOST_ROUNDS = 16
"""How often conclusions are drawn from conclusions; what was found by then is sound."""
MOST_SPLITS = 64
"""How many cases are looked at where integers must differ."""


class Facts:
    """What is known if some atoms hold.

    A value is in the closure if it exists and is a number other than NaN (or a time, or a text):
    only then is one of <, = and > true of it, so only then does a denied atom say what holds
    instead.
    """

    def __init__(self, atoms: Iterable[Atom] = ()) -> None:
        self.atoms: tuple[Atom, ...] = ()
        self.closure = Closure()
        self.existing: set[str] = {ZERO.name}
        """The terms that have a value."""
        self.present: set[str] = set()
        """The variables that occur."""
        self.unequal: dict[Relation, None] = {}
        self.denied: tuple[Fact, ...] = ()
        self.mixed = False
        """True if an integer is related to a number that need not be one."""
        self._sums = False
        self._add(tuple(atoms))

    def extended(self, atoms: Iterable[Atom]) -> Facts:
        """What is known if these atoms hold as well."""
        other = Facts.__new__(Facts)
        other.atoms, other.closure = self.atoms, self.closure.copy()
        other.existing, other.present = set(self.existing), set(self.present)
        other.unequal = dict(self.unequal)
        other.denied, other.mixed, other._sums = self.denied, self.mixed, self._sums
        other._add(tuple(atoms))
        return other

    @property
    def contradictory(self) -> bool:
        """True if the atoms are known not to hold together."""
        return self.closure.contradictory

    @property
    def plain(self) -> bool:
        """True if the bounds of the closure are all that there is to know."""
        return not (self.unequal or self.denied or self.mixed or self._sums)

    def refuted(self, splits: int = MOST_SPLITS) -> bool:
        """True if the atoms cannot hold together, looking at integers that must differ."""
        if self.contradictory:
            return True
        relation = next((each for each in self.unequal if self._may_be_equal(each)), None)
        if relation is None or splits < 2:
            return False
        left, right, offset = relation.left, relation.right, relation.offset
        sides = Relation(left, "<", right, offset), Relation(right, "<", left, -offset)
        return all(self.extended((side,)).refuted(splits // 2) for side in sides)

    def entails(self, atom: Atom) -> bool:
        """True if the atom is known to hold."""
        if self.contradictory:
            return True
        match atom:
            case Relation(operator="!="):
                return self._exist(atom) and self.extended(_equality(atom)).refuted()
            case Relation():
                return self._entails_edges(atom)
            case Some() | Opaque():
                return self._is_known(atom)
            case Denied(fact):
                return fact in self.denied or self.extended((fact,)).refuted()

    def _entails_edges(self, relation: Relation) -> bool:
        facts = self._knowing(relation)
        found = edges(relation)
        if all(facts.closure.within(*edge) for edge in found):
            return True
        if not facts._comparable(relation) or not facts._is_intricate:
            return False
        return all(facts.extended((reversed_edge(*edge),)).refuted() for edge in found)

    def _knowing(self, relation: Relation) -> Facts:
        """These facts with the sums that a relation speaks of."""
        news = [
            term
            for term in (relation.left, relation.right)
            if term.sum and term not in self.closure and term.sum.base in self.closure
        ]
        if not news:
            return self
        other = self.extended(())
        for term in news:
            other._exists(term)
            other.closure.ensure(term)
        other._sums = True
        other._settle()
        return other

    @property
    def _is_intricate(self) -> bool:
        return self.mixed or any(self._may_be_equal(each) for each in self.unequal)

    def _add(self, atoms: tuple[Atom, ...]) -> None:
        self.atoms += atoms
        for atom in atoms:
            match atom:
                case Denied(fact):
                    self.denied += (fact,)
                case Relation():
                    self._relate(atom)
                case Some(relation):
                    self._exists(*relation.terms)
                    self._contradict(_alone(relation).contradictory)
                case Opaque(asks=asks):
                    self._contradict(atom == FALSE)
                    if asks is not None:
                        self.present.add(asks)
        self._settle()

    def _relate(self, relation: Relation) -> None:
        left, right = relation.left, relation.right
        self._exists(left, right)
        if relation.operator == "!=":
            self.unequal[relation] = None
            for term in (left, right):
                if not (left.doubtful or right.doubtful):
                    self.closure.ensure(term)
            return
        self.mixed |= not relation.unary and left.integer is not right.integer
        self._sums |= left.sum is not None or right.sum is not None
        for edge in edges(relation):
            self.closure.add(*edge)

    def _exists(self, *terms: Term) -> None:
        for term in terms:
            self.existing.add(term.name)
            self.present.update(term.needed)

    def _contradict(self, known: bool) -> None:
        self.closure.contradictory |= known

    def _settle(self) -> None:
        """Draw conclusions from conclusions."""
        for _ in range(MOST_ROUNDS):
            if self.contradictory or not self._concluded():
                break
        for fact in self.denied:
            self._contradict(self._is_known(fact))

    def _concluded(self) -> bool:
        """Draw what conclusions there are; True if there were any."""
        before = len(self.unequal)
        news = [self._activated(fact) for fact in self.denied if isinstance(fact, Relation)]
        news += [self._parted(relation) for relation in tuple(self.unequal)]
        if self._sums:
            news += [self.closure.add(*edge) for edge in tuple(sum_edges(self.closure))]
        return any(news) or len(self.unequal) > before

    def _activated(self, relation: Relation) -> bool:
        """Take in the opposite of a denied relation, if its values exist."""
        match relation.operator:
            case "!=":
                opposite = _equality(relation) if self._exist(relation) else ()
                known = [self.closure.add(*edge) for each in opposite for edge in edges(each)]
                return any(known)
            case "=":
                if self._comparable(relation):
                    apart = Relation(relation.left, "!=", relation.right, relation.offset)
                    self.unequal.setdefault(apart)
                return False
            case _:
                if not self._comparable(relation):
                    return False
                (edge,) = edges(relation)
                return any(self.closure.add(*each) for each in edges(reversed_edge(*edge)))

    def _parted(self, relation: Relation) -> bool:
        """Make strict the bounds that two different values would reach only if they were equal."""
        left, right, offset = relation.left, relation.right, relation.offset
        if not self._comparable(relation):
            return False
        news = False
        for source, target, weight in ((left, right, offset), (right, left, -offset)):
            if self.closure.distance(source, target) == (weight, 1):
                news |= self.closure.add(*tightened(source, target, (weight, 0)))
        return news

    def _may_be_equal(self, relation: Relation) -> bool:
        """True for integers that must differ, within bounds that do not see to it."""
        left, right = relation.left, relation.right
        if not (left.integer and right.integer):
            return False
        above, below = self.closure.distance(left, right), self.closure.distance(right, left)
        if above is None or below is None:
            return False
        return above > (relation.offset, 1) and below > (-relation.offset, 1)

    def _is_known(self, fact: Fact) -> bool:
        """True if a denied condition that is no relation is demanded too."""
        match fact:
            case Some(relation):
                return any(_alone(each).entails(relation) for each in self._somes())
            case Opaque(asks=asks):
                return fact in self.atoms or asks in self.present
            case Relation():
                return fact in self.atoms

    def _somes(self) -> list[Relation]:
        return [each.relation for each in self.atoms if isinstance(each, Some)]

    def _comparable(self, relation: Relation) -> bool:
        return relation.left in self.closure and relation.right in self.closure

    def _exist(self, relation: Relation) -> bool:
        return relation.left.name in self.existing and relation.right.name in self.existing


def _equality(relation: Relation) -> tuple[Relation, ...]:
    return (Relation(relation.left, "=", relation.right, relation.offset),)


@lru_cache(maxsize=4096)
def _alone(relation: Relation) -> Facts:
    """What is known of one value of a repeated element."""
    return Facts((relation,))
