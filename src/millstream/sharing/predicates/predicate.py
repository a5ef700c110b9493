"""Predicates in normal form, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from millstream.algebra.expressions import Expression
from millstream.algebra.scopes import free_variables, rename
from millstream.sharing.predicates.atoms import (
    FALSE,
    Atom,
    Clause,
    Part,
    Relation,
    mentioned,
)
from millstream.sharing.predicates.facts import Facts
from millstream.sharing.predicates.graph import Bounds, PredicateGraph, graph_of
from millstream.sharing.predicates.minimal import irredundant, simplified
from millstream.sharing.predicates.normal_form import NormalForm
from millstream.sharing.predicates.rendering import expression_of, joined_text
from millstream.sharing.predicates.terms import ZERO, Kind
from millstream.sharing.predicates.variables import Resolve, Variable

MOST_CASES = 64
"""How many combinations of alternatives are looked at; further clauses are left out of account."""


@dataclass(frozen=True, eq=False, repr=False)
class Predicate:
    """Atoms and clauses that must all hold; true if there are none.

    Two are equal if they are seen to demand the same, whatever their queries called the item.
    """

    parts: tuple[Part, ...]

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The variables it speaks of, in order of writing."""
        atoms = (atom for part in self.parts for atom in _atoms_in(part))
        return tuple(dict.fromkeys(each for atom in atoms for each in mentioned(atom)))

    @cached_property
    def minimal(self) -> tuple[Part, ...]:
        """Its parts without redundant ones."""
        return simplified(self.parts)

    @cached_property
    def facts(self) -> Facts:
        """What holds whenever it holds, its clauses aside."""
        return Facts(self.atoms)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms that it demands in any case."""
        return tuple(each for each in self.minimal if not isinstance(each, Clause))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its alternatives."""
        return tuple(each for each in self.minimal if isinstance(each, Clause))

    @cached_property
    def cases(self) -> tuple[Facts, ...]:
        """What holds in each case in which it may hold: one of them is so whenever it holds."""
        cases: tuple[Facts, ...] = () if self.facts.refuted() else (self.facts,)
        for clause in self.clauses:
            if len(cases) * len(clause.written) <= MOST_CASES:
                found = (case.extended(each) for case in cases for each in clause.written)
                cases = tuple(case for case in found if not case.refuted())
        return cases

    @property
    def satisfiable(self) -> bool:
        """False if it is known that it can never hold."""
        return bool(self.cases)

    @cached_property
    def contradiction(self) -> str | None:
        """Why it can never hold: 'en >= 2 and en < 1'."""
        if self.satisfiable:
            return None
        atoms = tuple(each for each in self.parts if not isinstance(each, Clause))
        if Facts(atoms).refuted():
            return joined_text(_conflict(atoms))
        return joined_text(_conflict_of_parts(self.parts))

    def expression(self, variable: str | None = None) -> Expression | None:
        """The minimal predicate over the paths of its query, or of another item variable.

        None if it is always true.
        """
        found = expression_of(self.minimal)
        if found is None or variable is None:
            return found
        return rename(found, dict.fromkeys(free_variables(found), variable))

    def bounds(self, variable_name: str) -> Bounds | None:
        """Between which numbers a variable lies in all cases; None if it is not bounded."""
        found = [_bounds(case, variable_name) for case in self.cases]
        lows = [low for low, _ in found if low is not None]
        highs = [high for _, high in found if high is not None]
        low = min(lows) if lows and len(lows) == len(found) else None
        high = max(highs) if highs and len(highs) == len(found) else None
        return None if low is None and high is None else Bounds(low, high)

    def graphs(self) -> tuple[PredicateGraph, ...]:
        """The predicate graph of each case, minimal."""
        return tuple(graph_of(irredundant(case.atoms)) for case in self.cases)

    @cached_property
    def _key(self) -> object:
        if not self.satisfiable:
            return FALSE
        rows = self.facts.closure.rows.items()
        bounds = frozenset((source, each) for source, row in rows for each in row.items())
        others = frozenset(each for each in self.minimal if not _is_edge(each))
        return bounds, others

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Predicate) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return joined_text(self.minimal) or "true"

    def __repr__(self) -> str:
        return f"Predicate({self})"


TRUE = Predicate(())


def predicate_of(
    expression: Expression | None, resolve: Resolve, *, rounded: bool = True
) -> Predicate:
    """The predicate that an expression states; true for None.

    With `rounded`, numbers other than integers are taken to be added in doubles, as they are when
    the expression is evaluated; without it, to be added without loss.
    """
    if expression is None:
        return TRUE
    return Predicate(tuple(dict.fromkeys(NormalForm(resolve, rounded).parts(expression))))


def conjunction(*predicates: Predicate) -> Predicate:
    """The predicate that holds where all of these hold."""
    return Predicate(tuple(dict.fromkeys(part for each in predicates for part in each.parts)))


def _atoms_in(part: Part) -> tuple[Atom, ...]:
    if isinstance(part, Clause):
        return tuple(atom for each in part.written for atom in each)
    return (part,)


def _is_edge(part: Part) -> bool:
    return isinstance(part, Relation) and part.operator != "!="


def _bounds(case: Facts, name: str) -> tuple[Fraction | None, Fraction | None]:
    term = case.closure.terms.get(name)
    if term is None or term.kind is not Kind.NUMBER:
        return None, None
    high, low = case.closure.distance(term, ZERO), case.closure.distance(ZERO, term)
    return (
        None if low is None else Fraction(-low[0]),
        None if high is None else Fraction(high[0]),
    )


def _conflict(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Atoms that cannot hold together, though any fewer of them could."""
    for atom in atoms:
        others = tuple(each for each in atoms if each != atom)
        if Facts(others).refuted():
            atoms = others
    return atoms


def _conflict_of_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    for part in parts:
        others = tuple(each for each in parts if each != part)
        if not Predicate(others).satisfiable:
            parts = others
    return parts
