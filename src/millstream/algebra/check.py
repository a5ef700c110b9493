"""Conditions that no item can meet.

Only comparisons of single values with constants are decided; whatever else a condition says is
taken to be possible. Numbers may be compared exactly or as doubles, so a contradiction must be
one both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product
from math import ceil, floor, isfinite

from millstream.algebra.expressions import Compare, Expression, Literal, Or, PathTo
from millstream.algebra.leaves import single_type
from millstream.algebra.operators import Binding
from millstream.algebra.show import show
from millstream.algebra.walk import conjuncts
from millstream.model.schema import ValueType

MOST_CASES = 256
"""How many combinations of alternatives are looked at before giving up."""

MOST_COMPARISONS = 50_000

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠"}
Number = int | Decimal | float


@dataclass(frozen=True, slots=True)
class Atom:
    """A comparison of a single value with a constant."""

    path: PathTo
    type: ValueType
    operator: str
    value: Number | str

    @property
    def exact(self) -> Fraction:
        """The constant of a comparison of numbers."""
        return Fraction(self.value)

    def __str__(self) -> str:
        return f"{SIGNS.get(self.operator, self.operator)} {show(Literal(self.value))}"


def contradiction(predicate: Expression, bindings: Iterable[Binding] = ()) -> str | None:
    """Why no row with these bindings meets the predicate, or None if one may."""
    known = tuple(bindings)
    alternatives = [tuple(_alternatives(each)) for each in conjuncts(predicate)]
    cases = tuple(islice(product(*alternatives), MOST_CASES + 1))
    if len(cases) > MOST_CASES or len(cases) * len(alternatives) > MOST_COMPARISONS:
        return None
    reasons = []
    for case in cases:
        reason = _conflict(tuple(part for parts in case for part in parts), known)
        if reason is None:
            return None
        reasons.append(reason)
    return "; and ".join(dict.fromkeys(reasons)) or None


def _alternatives(predicate: Expression) -> Iterator[tuple[Expression, ...]]:
    """The ways in which a condition can be met, each a conjunction."""
    if not isinstance(predicate, Or):
        yield (predicate,)
        return
    for operand in predicate.operands:
        choices = [tuple(_alternatives(each)) for each in conjuncts(operand)]
        for case in islice(product(*choices), MOST_CASES + 1):
            yield tuple(part for parts in case for part in parts)


def _conflict(parts: tuple[Expression, ...], bindings: tuple[Binding, ...]) -> str | None:
    if Literal(False) in parts:
        return "one of its parts is false"
    atoms: dict[PathTo, list[Atom]] = {}
    for part in parts:
        atom = _atom(part, bindings)
        if atom is not None:
            atoms.setdefault(atom.path, []).append(atom)
    for path, found in atoms.items():
        pair = _clash(found)
        if pair is not None:
            written = sorted(dict.fromkeys(pair), key=found.index)
            listed = " and ".join(str(each) for each in written)
            return f"no value of {show(path)} is {listed}"
    return None


def _atom(part: Expression, bindings: tuple[Binding, ...]) -> Atom | None:
    match part:
        case Compare(operator, PathTo() as path, Literal(value)):
            return _typed_atom(path, operator, value, bindings)
        case Compare(operator, Literal(value), PathTo() as path):
            return _typed_atom(path, MIRRORED[operator], value, bindings)
        case _:
            return None


def _typed_atom(
    path: PathTo, operator: str, value: Number | str | bool, bindings: tuple[Binding, ...]
) -> Atom | None:
    """The comparison, if the constant is of the kind that the path holds."""
    kind = single_type(path, bindings)
    if kind is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return Atom(path, kind, operator, value) if kind is ValueType.TEXT else None
    return Atom(path, kind, operator, value) if kind.numeric and _in_range(value) else None


def _in_range(value: Number) -> bool:
    """True for a number that is a finite double, however it is held."""
    finite = not isinstance(value, float) or isfinite(value)
    return finite and abs(Fraction(value)) < 10**300


def _clash(atoms: list[Atom]) -> tuple[Atom, ...] | None:
    """Atoms about one value that cannot hold, alone or together."""
    if isinstance(atoms[0].value, str):
        return _text_clash(atoms)
    for atom in atoms:
        if _no_integer(atom):
            return (atom,)
    excluded = {atom.exact: atom for atom in atoms if atom.operator == "!="}
    for atom in atoms:
        if atom.operator == "=" and atom.exact in excluded:
            return (atom, excluded[atom.exact])
    return _bounds_clash(atoms)


def _text_clash(atoms: list[Atom]) -> tuple[Atom, ...] | None:
    """Two texts that one value would have to be, or one that it must and must not be."""
    equal = [atom for atom in atoms if atom.operator == "="]
    excluded = {atom.value: atom for atom in atoms if atom.operator == "!="}
    for atom in equal:
        if atom.value in excluded:
            return (atom, excluded[atom.value])
        if str(atom.value).strip() != str(equal[0].value).strip():
            return (equal[0], atom)
    return None


def _bounds_clash(atoms: list[Atom]) -> tuple[Atom, ...] | None:
    """The greatest lower and the least upper bound, if nothing lies between them."""
    lower = [atom for atom in atoms if atom.operator in (">", ">=", "=")]
    upper = [atom for atom in atoms if atom.operator in ("<", "<=", "=")]
    if not lower or not upper:
        return None
    low = max(lower, key=lambda atom: (atom.exact, atom.operator == ">"))
    high = min(upper, key=lambda atom: (atom.exact, atom.operator != "<"))
    return (low, high) if _leaves_nothing(low, high) else None


def _no_integer(atom: Atom) -> bool:
    """True if an integer would have to be equal to a fraction."""
    return atom.operator == "=" and _small_integers(atom) and atom.exact.denominator != 1


def _leaves_nothing(low: Atom, high: Atom) -> bool:
    """True if nothing is at or above the one and at or below the other."""
    if _small_integers(low) and _small_integers(high):
        return _least_integer(low) > _greatest_integer(high)
    strict = low.operator == ">" or high.operator == "<"
    exact = _empty(low.exact, high.exact, strict)
    return exact and _empty(float(low.exact), float(high.exact), strict)


def _empty(bottom: Fraction | float, top: Fraction | float, strict: bool) -> bool:
    return bottom > top or (strict and bottom == top)


def _small_integers(atom: Atom) -> bool:
    """True for a comparison of integers that doubles hold without loss."""
    return atom.type is ValueType.INTEGER and abs(atom.exact) < 2**53


def _least_integer(atom: Atom) -> int:
    return floor(atom.exact) + 1 if atom.operator == ">" else ceil(atom.exact)


def _greatest_integer(atom: Atom) -> int:
    return ceil(atom.exact) - 1 if atom.operator == "<" else floor(atom.exact)
