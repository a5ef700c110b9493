"""Numbers that are computed from variables and constants, as sums of terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from millstream.algebra.expressions import Arithmetic, Call, Expression, Literal, PathTo
from millstream.algebra.functions import FUNCTIONS, Gives
from millstream.model.schema import ValueType
from millstream.sharing.predicates.constants import Number, decimal_of, is_faithful, number_weight
from millstream.sharing.predicates.naming import Naming
from millstream.sharing.predicates.terms import Sum, Term, Weight, size
from millstream.sharing.predicates.variables import Variable

COUNTED = ("count", "string-length")
"""The functions that give integers."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of terms, each once or taken away once, and a constant."""

    coefficients: Mapping[Term, int]
    constant: Weight = 0
    whole: bool = False
    """True if all of it are integers, which are added without loss."""
    faithful: bool = True
    """True if its constants stay what they are as doubles."""

    @property
    def lone(self) -> Term | None:
        """The term, if there is nothing else."""
        if self.constant or len(self.coefficients) != 1:
            return None
        ((term, coefficient),) = self.coefficients.items()
        return term if coefficient == 1 else None

    def joined(self, other: Linear, sign: int) -> Linear:
        """The sum with another, or (sign -1) the difference."""
        coefficients = dict(self.coefficients)
        for term, coefficient in other.coefficients.items():
            coefficients[term] = coefficients.get(term, 0) + sign * coefficient
        return Linear(
            {term: count for term, count in coefficients.items() if count},
            self.constant + sign * other.constant,
            self.whole and other.whole,
            self.faithful and other.faithful,
        )


@dataclass(frozen=True, slots=True)
class Numbers:
    """Reads expressions that give at most one number."""

    naming: Naming
    rounded: bool
    """True: other numbers than integers are added in doubles; False: without loss."""

    def read(self, expression: Expression) -> Linear | None:
        """The number as a sum; None if nothing is known of it."""
        match expression:
            case Literal(value) if not isinstance(value, bool | str):
                return constant(value)
            case PathTo():
                variable = self.naming.resolve(expression)
                if variable is None or not variable.single:
                    return None
                return _single(variable_term(variable, expression))
            case Arithmetic("+" | "-"):
                return self._added(expression)
            case Arithmetic() | Call():
                return self.whole_term(expression)
            case _:
                return None

    def whole_term(self, expression: Expression) -> Linear | None:
        """A number of which nothing is known but that it is the same wherever it is written."""
        if isinstance(expression, Literal) or not is_computed(expression):
            return None
        key = self.naming.key(expression)
        if key is None:
            return None
        integer = isinstance(expression, Call) and expression.function in COUNTED
        return _single(
            Term(
                repr(key),
                integer=integer,
                doubtful=not integer,
                expression=expression,
                variables=self.naming.variables(expression),
                label=self.naming.shown(expression),
            )
        )

    def _added(self, sum: Arithmetic) -> Linear | None:
        left, right = self.read(sum.left), self.read(sum.right)
        if left is None or right is None:
            return self.whole_term(sum)
        sign = 1 if sum.operator == "+" else -1
        if not self.rounded or (left.whole and right.whole) or _is_negation(left, right, sign):
            joined = left.joined(right, sign)
            # What cancels out must still exist.
            lost = {*left.coefficients, *right.coefficients} - {*joined.coefficients}
            return self.whole_term(sum) if lost else joined
        return self._rounded(sum, left, right, sign)

    def _rounded(self, sum: Arithmetic, left: Linear, right: Linear, sign: int) -> Linear | None:
        if not (left.faithful and right.faithful):
            return self.whole_term(sum)
        if not left.coefficients and not right.coefficients:
            total = float(left.constant) + sign * float(right.constant)
            return constant(total) or self.whole_term(sum)
        base, addend = left.lone, sign * right.constant
        if base is None and sign == 1:
            base, addend = right.lone, left.constant
            left, right = right, left
        if base is None or right.coefficients or base.sum is not None:
            return self.whole_term(sum)
        return _single(_sum_term(base, addend, sum))


def is_computed(expression: Expression) -> bool:
    """True if the expression gives a number that is no text of the data, or nothing."""
    match expression:
        case Literal(value):
            return not isinstance(value, bool | str)
        case Arithmetic():
            return True
        case Call(function):
            return function in FUNCTIONS and FUNCTIONS[function].gives is Gives.NUMBER
        case _:
            return False


def constant(value: Number) -> Linear | None:
    """A number of the query."""
    weight = number_weight(value)
    if weight is None:
        return None
    return Linear({}, weight, isinstance(value, int), is_faithful(weight))


def variable_term(variable: Variable, path: Expression) -> Term:
    """The number that a variable holds; that of a text is another value than the text."""
    return Term(
        variable.name if variable.type.numeric else f"number({variable.name})",
        integer=variable.type is ValueType.INTEGER,
        doubtful=variable.type not in (ValueType.INTEGER, ValueType.DECIMAL),
        expression=path,
        variables=(variable,),
        needed=(variable.name,),
    )


def _single(term: Term) -> Linear:
    return Linear({term: 1}, whole=term.integer)


def _is_negation(left: Linear, right: Linear, sign: int) -> bool:
    """True for 0 - value, which is never rounded."""
    nothing = not left.coefficients and left.constant == 0
    return nothing and sign == -1 and right.lone is not None


def _sum_term(base: Term, addend: Weight, expression: Expression) -> Term:
    sign = "-" if addend < 0 else "+"
    return Term(
        f"{base.name} {sign} {size(addend)}",
        doubtful=True,
        expression=expression,
        variables=base.variables,
        needed=base.needed,
        label=f"{base} {sign} {decimal_of(size(addend)):f}",
        sum=Sum(base, addend),
    )
