"""The smallest conditions that a predicate is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor

from millstream.algebra.expressions import Expression, Literal
from millstream.sharing.predicates.terms import ZERO, Term, Weight
from millstream.sharing.predicates.variables import Variable

Bound = tuple[Weight, int]
"""How far one value may lie above another, and 1 if it may lie just so far, 0 if less.

Of two bounds the tighter is the smaller.
"""

Edge = tuple[Term, Term, Bound]
"""source ≤ target + bound."""

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Relation:
    """left operator right + offset, with operator one of <= < = !=, of values that exist."""

    left: Term
    operator: str
    right: Term
    offset: Weight
    written: Literal | None = field(default=None, compare=False, repr=False)
    """The constant as the query wrote it, where a value is compared with one."""

    @property
    def unary(self) -> bool:
        """True if a value is compared with a constant."""
        return ZERO in (self.left, self.right)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The values it is about."""
        return tuple(each for each in (self.left, self.right) if each != ZERO)


@dataclass(frozen=True, slots=True)
class Some:
    """Some value of a repeated element is so related to a constant."""

    relation: Relation


@dataclass(frozen=True, slots=True)
class Opaque:
    """A condition of which nothing is known but that equal ones are equally true."""

    key: Expression
    """The condition in names that no query chose."""
    expression: Expression = field(compare=False, repr=False)
    variables: tuple[Variable, ...] = field(default=(), compare=False, repr=False)
    asks: str | None = None
    """The variable that it asks to exist, if this is all it does."""
    identity: object = None
    """Tells apart conditions on variables that cannot be compared between queries."""
    label: str = field(default="", compare=False, repr=False)
    """What people read."""


Fact = Relation | Some | Opaque


@dataclass(frozen=True, slots=True)
class Denied:
    """The condition does not hold: it may be otherwise, or what it is about may be absent."""

    fact: Fact


Atom = Fact | Denied

FALSE = Opaque(Literal(False), Literal(False), label="false()")


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one alternative holds; each is a conjunction."""

    alternatives: frozenset[frozenset[Atom]]
    written: tuple[tuple[Atom, ...], ...] = field(compare=False, repr=False)


Part = Atom | Clause
"""What a predicate demands: it holds if all its parts hold."""


def clause(alternatives: tuple[tuple[Atom, ...], ...]) -> Clause:
    """The clause of these alternatives."""
    return Clause(frozenset(frozenset(each) for each in alternatives), alternatives)


def related(
    left: Term, operator: str, right: Term, offset: Weight, written: Literal | None = None
) -> Relation:
    """The relation of left to right + offset, in the one form that it has."""
    backward = operator in (">", ">=")
    if operator in ("=", "!="):
        backward = left == ZERO or (right != ZERO and right.name < left.name)
    if backward:
        return Relation(right, MIRRORED[operator], left, -offset, written)
    return Relation(left, operator, right, offset, written)


def deny(atom: Atom) -> Atom:
    """The atom that holds where this one does not."""
    return atom.fact if isinstance(atom, Denied) else Denied(atom)


def edges(relation: Relation) -> tuple[Edge, ...]:
    """The edges of the graph that a relation stands for; none for !=."""
    left, right, offset = relation.left, relation.right, relation.offset
    match relation.operator:
        case "<=":
            return (tightened(left, right, (offset, 1)),)
        case "<":
            return (tightened(left, right, (offset, 0)),)
        case "=":
            forth = tightened(left, right, (offset, 1))
            return (forth, tightened(right, left, (-offset, 1)))
        case _:
            return ()


def tightened(left: Term, right: Term, bound: Bound) -> Edge:
    """The edge; between integers the bound is the greatest integer that it allows."""
    if not (left.integer and right.integer):
        return left, right, bound
    return left, right, whole(bound)


def whole(bound: Bound) -> Bound:
    """The greatest integer that a bound allows."""
    weight, included = bound
    greatest = floor(weight)
    return (greatest, 1) if included or greatest != weight else (greatest - 1, 1)


def reversed_edge(source: Term, target: Term, bound: Bound) -> Relation:
    """The relation that holds between existing values where an edge does not."""
    weight, included = bound
    return Relation(target, "<" if included else "<=", source, -weight)


def relations(atoms: tuple[Atom, ...]) -> tuple[Relation, ...]:
    """The relations that are demanded among some atoms."""
    return tuple(each for each in atoms if isinstance(each, Relation))


def mentioned(atom: Atom) -> tuple[Variable, ...]:
    """The variables that an atom speaks of."""
    match atom:
        case Denied(fact):
            return mentioned(fact)
        case Some(relation):
            return mentioned(relation)
        case Relation():
            return tuple(each for term in atom.terms for each in term.variables)
        case Opaque(variables=variables):
            return variables
