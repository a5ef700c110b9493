"""Comparisons as atoms, by the same rules by which they are evaluated.

A number that the query computes makes both sides numbers; a leaf of type time is compared with a
constant text or another time as an instant; two texts are compared as texts; two leaves are
numbers only if both are. Whatever else may be compared stays opaque.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from millstream.algebra.expressions import Compare, Expression, Literal, PathTo
from millstream.model.schema import ValueType
from millstream.sharing.predicates.atoms import MIRRORED, Fact, Relation, Some, related
from millstream.sharing.predicates.constants import instant_weight, text_weight
from millstream.sharing.predicates.naming import Naming
from millstream.sharing.predicates.numbers import Linear, Numbers, is_computed
from millstream.sharing.predicates.terms import ZERO, Kind, Term, Weight, size
from millstream.sharing.predicates.variables import Variable

LARGEST_WHOLE = 2**63
"""Integers from here on are compared as doubles."""
LARGEST_EXACT = 2**53
"""Up to here doubles hold every integer."""

_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "=": python.eq,
    "!=": python.ne,
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
}


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Reads comparisons."""

    naming: Naming
    numbers: Numbers

    def read(self, comparison: Compare) -> Fact:
        """The comparison as an atom."""
        return self._relation(comparison) or self.naming.opaque(comparison)

    def truth(self, comparison: Compare) -> bool | None:
        """Whether a comparison of constants holds; None if it is not one of numbers."""
        if not (is_computed(comparison.left) and is_computed(comparison.right)):
            return None
        left, right = self.numbers.read(comparison.left), self.numbers.read(comparison.right)
        if left is None or right is None or left.coefficients or right.coefficients:
            return None
        if not _is_safe(left, right, 0):
            return None
        return _HOLDS[comparison.operator](left.constant, right.constant)

    def _relation(self, comparison: Compare) -> Relation | Some | None:
        left, operator, right = comparison.left, comparison.operator, comparison.right
        if isinstance(left, Literal):
            left, operator, right = right, MIRRORED[operator], left
        if not self._is_single(left):
            return self._some(left, operator, right)
        if not self._is_single(right):
            return None
        match self._kind(left, right):
            case Kind.NUMBER:
                return self._of_numbers(left, operator, right)
            case Kind.TIME:
                return self._of_terms(left, operator, right, Kind.TIME)
            case Kind.TEXT if operator in ("=", "!="):
                return self._of_terms(left, operator, right, Kind.TEXT)
            case _:
                return None

    def _some(self, left: Expression, operator: str, right: Expression) -> Some | None:
        """A comparison of a repeated element with a constant, made as if it were single."""
        variable = self._variable(left)
        if variable is None or not isinstance(right, Literal):
            return None
        alone = Naming(lambda path: replace(variable, single=True) if path == left else None)
        numbers = replace(self.numbers, naming=alone)
        relation = Comparisons(alone, numbers)._relation(Compare(operator, left, right))
        if not isinstance(relation, Relation):
            return None
        one, other = _repeated(relation.left, variable), _repeated(relation.right, variable)
        return Some(replace(relation, left=one, right=other))

    def _is_single(self, side: Expression) -> bool:
        variable = self._variable(side)
        return variable is None or variable.single

    def _variable(self, side: Expression) -> Variable | None:
        return self.naming.resolve(side) if isinstance(side, PathTo) else None

    def _kind(self, left: Expression, right: Expression) -> Kind | None:
        """As what two sides are compared; None if it cannot be said."""
        types = {self._type(left), self._type(right)}
        if None in types or types == {str}:
            return None
        if is_computed(left) or is_computed(right):
            return None if types & {ValueType.TIME, str} else Kind.NUMBER
        if types <= {ValueType.TIME, str}:
            return Kind.TIME
        if types <= {ValueType.TEXT, str}:
            return Kind.TEXT
        numeric = all(isinstance(each, ValueType) and each.numeric for each in types)
        return Kind.NUMBER if numeric else None

    def _type(self, side: Expression) -> ValueType | type[str] | None:
        """The type of a side: str for a constant text, None for what is not known."""
        if is_computed(side):
            return ValueType.DOUBLE
        if isinstance(side, Literal):
            return str if isinstance(side.value, str) else None
        variable = self._variable(side)
        return variable.type if variable else None

    def _of_numbers(self, left: Expression, operator: str, right: Expression) -> Relation | None:
        one, other = self.numbers.read(left), self.numbers.read(right)
        if one is None or other is None:
            return None
        written = right if isinstance(right, Literal) and one.lone is not None else None
        found = _linear(one, operator, other, written)
        if found is not None:
            return found
        # No difference of two values: each side as a whole is a value.
        one, other = self.numbers.whole_term(left) or one, self.numbers.whole_term(right) or other
        return _linear(one, operator, other, None)

    def _of_terms(
        self, left: Expression, operator: str, right: Expression, kind: Kind
    ) -> Relation | None:
        """A comparison of texts or of instants."""
        term = self._plain_term(left, kind)
        if term is None:
            return None
        if isinstance(right, Literal):
            weight = _weight(str(right.value), kind)
            return None if weight is None else related(term, operator, ZERO, weight, right)
        other = self._plain_term(right, kind)
        if other is None or (other == term and operator == "!="):
            return None
        return related(term, operator, other, 0)

    def _plain_term(self, side: Expression, kind: Kind) -> Term | None:
        variable = self._variable(side)
        if variable is None:
            return None
        return Term(
            variable.name,
            kind,
            expression=side,
            variables=(variable,),
            needed=(variable.name,),
        )


def _weight(text: str, kind: Kind) -> Weight | None:
    return instant_weight(text) if kind is Kind.TIME else text_weight(text)


def _repeated(term: Term, variable: Variable) -> Term:
    return term if term == ZERO else replace(term, variables=(variable,))


def _linear(left: Linear, operator: str, right: Linear, written: Literal | None) -> Relation | None:
    """The relation of two sums, if it is one between two values or a value and a constant."""
    same = left.lone
    if same is not None and same == right.lone:
        return related(same, operator, same, 0) if operator != "!=" else None
    offset = right.constant - left.constant
    coefficients = left.joined(right, -1).coefficients
    if len(coefficients) != len(left.coefficients) + len(right.coefficients):
        return None
    if not _is_safe(left, right, offset):
        return None
    positive = [term for term, count in coefficients.items() if count == 1]
    negative = [term for term, count in coefficients.items() if count == -1]
    if len(positive) > 1 or len(negative) > 1 or len(positive + negative) != len(coefficients):
        return None
    if not coefficients:
        return None
    high = positive[0] if positive else ZERO
    return related(high, operator, negative[0] if negative else ZERO, offset, written)


def _is_safe(left: Linear, right: Linear, offset: Weight) -> bool:
    """True if comparing in doubles, where it is done, gives what comparing without loss gives."""
    if left.whole and right.whole:
        return size(offset) < LARGEST_WHOLE
    if not (left.faithful and right.faithful):
        return False
    terms = (*left.coefficients, *right.coefficients)
    return size(offset) < LARGEST_EXACT or not any(term.integer for term in terms)
