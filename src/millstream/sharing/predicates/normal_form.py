"""Expressions as parts: atoms that must all hold, and clauses of alternatives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from millstream.algebra.expressions import And, Call, Compare, Expression, Literal, Or, PathTo
from millstream.sharing.predicates.atoms import FALSE, Atom, Clause, Part, clause, deny
from millstream.sharing.predicates.comparisons import Comparisons
from millstream.sharing.predicates.naming import Naming
from millstream.sharing.predicates.numbers import Numbers
from millstream.sharing.predicates.variables import Resolve

MOST_ALTERNATIVES = 64
"""How many alternatives a clause may have; a condition with more is opaque."""

Alternative = tuple[Atom, ...]


class NormalForm:
    """Reads conditions over the variables that a resolver knows."""

    def __init__(self, resolve: Resolve, rounded: bool) -> None:
        self._naming = Naming(resolve)
        self._comparisons = Comparisons(self._naming, Numbers(self._naming, rounded))

    def parts(self, expression: Expression, holds: bool = True) -> tuple[Part, ...]:
        """What must hold for the expression to be true, or (holds False) to be false."""
        match expression:
            case And(operands) | Or(operands):
                if isinstance(expression, And) is holds:
                    return tuple(part for each in operands for part in self.parts(each, holds))
                return self._either(expression, operands, holds)
            case Call("not", (argument,)):
                return self.parts(argument, not holds)
            case Literal(bool(value)):
                return () if value is holds else (FALSE,)
            case Compare():
                return self._comparison(expression, holds)
            case PathTo() | Call("exists" | "empty"):
                return (self._existence(expression, holds),)
            case _:
                return (_signed(self._naming.opaque(expression), holds),)

    def _comparison(self, comparison: Compare, holds: bool) -> tuple[Part, ...]:
        truth = self._comparisons.truth(comparison)
        if truth is not None:
            return () if truth is holds else (FALSE,)
        return (_signed(self._comparisons.read(comparison), holds),)

    def _existence(self, expression: PathTo | Call, holds: bool) -> Atom:
        """A condition that asks whether a path reaches something."""
        match expression:
            case PathTo() as path if path.steps:
                pass
            case Call(function, (PathTo() as path,)) if path.steps:
                holds = holds is (function == "exists")
            case _:
                return _signed(self._naming.opaque(expression), holds)
        asked = self._naming.resolve(path)
        return _signed(self._naming.opaque(Call("exists", (path,)), asked), holds)

    def _either(
        self, expression: Expression, operands: Iterable[Expression], holds: bool
    ) -> tuple[Part, ...]:
        found: list[Alternative] = []
        for operand in operands:
            found += islice(_alternatives(self.parts(operand, holds)), MOST_ALTERNATIVES + 1)
        alternatives = tuple(dict.fromkeys(each for each in found if FALSE not in each))
        if len(alternatives) > MOST_ALTERNATIVES:
            return (_signed(self._naming.opaque(expression), holds),)
        return disjunction(alternatives)


def disjunction(alternatives: tuple[Alternative, ...]) -> tuple[Part, ...]:
    """The parts that demand one of some alternatives."""
    if () in alternatives:
        return ()
    if len(alternatives) > 1:
        return (clause(alternatives),)
    return alternatives[0] if alternatives else (FALSE,)


def _alternatives(parts: tuple[Part, ...]) -> Iterator[Alternative]:
    """The ways in which all parts can hold, each a conjunction."""
    choices = [each.written if isinstance(each, Clause) else ((each,),) for each in parts]
    for case in product(*choices):
        yield tuple(dict.fromkeys(atom for atoms in case for atom in atoms))


def _signed(atom: Atom, holds: bool) -> Atom:
    return atom if holds else deny(atom)
