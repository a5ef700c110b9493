"""Random conditions on things, in pairs of which many imply one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    Literal,
    Or,
    PathTo,
)
from millstream.model.schema import ValueType
from tests.sharing.predicates.things import REPEATED, TYPES, path

ORDER = ("<", "<=", ">", ">=")
OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "="}
NUMERIC = tuple(name for name, type in TYPES.items() if type.numeric)
INTEGERS = tuple(name for name, type in TYPES.items() if type is ValueType.INTEGER)
DECIMALS = tuple(name for name, type in TYPES.items() if type is ValueType.DECIMAL)
TEXTS = ("a", "b", "c")
TIMES = ("2003-11-01", "2003-11-01T12:00:00Z", "2003-11-02", "2003-11-03T06:00:00+02:00")

Pair = tuple[Expression, Expression]


@dataclass(frozen=True, slots=True)
class Conditions:
    """Draws conditions of one kind."""

    random: Random
    names: tuple[str, ...] = NUMERIC
    """The numeric leaves that are compared."""
    offsets: Callable[[str, str], bool] = lambda one, other: True
    """Between which leaves a constant may be added."""
    fractions: bool = True
    """True: what is added to integers may be a fraction."""
    alternatives: bool = False
    """True: with or, not and !=."""
    texts: bool = False
    """True: with texts, times and repeated elements."""

    def pair(self) -> Pair:
        """Two conditions, the second often made from the first."""
        stronger = self.conjunction()
        if self.random.random() < 0.35:
            return stronger, self.conjunction()
        return stronger, self.weakened(stronger)

    def conjunction(self) -> Expression:
        parts = [self.part() for _ in range(self.random.choice((1, 2, 2, 3, 3, 4, 5)))]
        return _joined(parts)

    def part(self) -> Expression:
        chance = self.random.random()
        if self.alternatives and chance < 0.2:
            return Or(tuple(self.atom() for _ in range(self.random.choice((2, 2, 3)))))
        if self.alternatives and chance < 0.25:
            return Or((And((self.atom(), self.atom())), self.atom()))
        if self.alternatives and chance < 0.35:
            return Call("not", (self.part(),))
        return self.atom()

    def atom(self) -> Expression:
        chance = self.random.random()
        if self.texts and chance < 0.3:
            return self.other_atom()
        if len(self.names) < 2 or chance < 0.65:
            return self.bound(self.random.choice(self.names))
        return self.difference()

    def bound(self, name: str) -> Expression:
        left, right = path(name), self.constant(name)
        chance = self.random.random()
        if self.offsets(name, name) and chance < 0.1:
            left_side = Arithmetic(self.random.choice("+-"), left, self.addend(name))
            return Compare(self.operator(), left_side, right)
        if chance < 0.25:
            return Compare(self.operator(), right, left)
        return Compare(self.operator(), left, right)

    def difference(self) -> Expression:
        one, other = self.random.sample(self.names, 2)
        if not self.offsets(one, other) or self.random.random() < 0.3:
            return Compare(self.operator(), path(one), path(other))
        if self.random.random() < 0.25:
            left = Arithmetic("-", path(one), path(other))
            return Compare(self.operator(), left, self.constant(one, other))
        right = Arithmetic(self.random.choice("+-"), path(other), self.addend(one, other))
        return Compare(self.operator(), path(one), right)

    def operator(self) -> str:
        if self.random.random() < 0.15:
            return "="
        if self.alternatives and self.random.random() < 0.15:
            return "!="
        return self.random.choice(ORDER)

    def constant(self, *names: str) -> Literal:
        """A number of few digits, so that some are equal and sums of some are."""
        whole = all(TYPES.get(name, REPEATED.get(name)) is ValueType.INTEGER for name in names)
        if whole and self.random.random() < 0.9:
            return Literal(self.random.randint(-3, 5))
        if self.random.random() < 0.3:
            return Literal(self.random.randint(-3, 5))
        number = Decimal(self.random.randint(-20, 40)) / 10
        return Literal(float(number) if self.random.random() < 0.1 else number)

    def addend(self, *names: str) -> Literal:
        found = self.constant(*names)
        return found if self.fractions else Literal(int(found.value))

    def other_atom(self) -> Expression:
        choice = self.random.randrange(5)
        if choice == 0:
            name = self.random.choice(tuple(REPEATED))
            if REPEATED[name] is ValueType.TEXT:
                return Compare(self.equality(), path(name), self.text())
            return Compare(self.operator(), path(name), self.constant(name))
        if choice == 1:
            right = path("by") if self.random.random() < 0.3 else self.time()
            return Compare(self.operator(), path("at"), right)
        if choice == 2 and self.random.random() < 0.5:
            return Compare(self.equality(), path("s"), path("t"))
        return Compare(self.equality(), path(self.random.choice("st")), self.text())

    def equality(self) -> str:
        return "!=" if self.alternatives and self.random.random() < 0.4 else "="

    def text(self) -> Literal:
        return Literal(self.random.choice(TEXTS))

    def time(self) -> Literal:
        return Literal(self.random.choice(TIMES))

    def weakened(self, expression: Expression) -> Expression:
        """A condition that often follows from another, and sometimes just does not."""
        operands = expression.operands if isinstance(expression, And) else (expression,)
        parts = [self.loosened(each) for each in operands if self.random.random() < 0.7]
        chained = self.chained(operands)
        if chained is not None and self.random.random() < 0.6:
            parts.append(chained)
        return _joined(parts or [operands[0]])

    def loosened(self, part: Expression) -> Expression:
        if self.alternatives and self.random.random() < 0.2:
            return self.turned(part)
        if self.alternatives and self.random.random() < 0.2:
            return Or((part, self.atom()) if self.random.random() < 0.5 else (self.atom(), part))
        match part:
            case Compare(operator, left, Literal(value) as right) if not isinstance(value, str):
                step = self.random.choice((0, 0, 1, Decimal("0.5"), Decimal("0.1"), -1))
                if step == 0:
                    return replace(part, operator=self.similar(operator))
                sign = -1 if operator in (">", ">=") else 1
                moved = Decimal(str(right.value)) + sign * Decimal(step)
                whole = moved == moved.to_integral_value() and isinstance(value, int)
                return Compare(operator, left, Literal(int(moved) if whole else moved))
            case Compare(operator):
                return replace(part, operator=self.similar(operator))
            case _:
                return part

    def turned(self, part: Expression) -> Expression:
        """What a condition, its denial and its opposite make of one another.

        An element that is absent meets neither a comparison nor its opposite.
        """
        match part:
            case Call("not", (Compare() as denied,)):
                return _opposite(denied)
            case Compare() if self.random.random() < 0.5:
                return Call("not", (_opposite(part),))
            case _:
                known = self.atom()
                return Or((known, _opposite(known)))

    def similar(self, operator: str) -> str:
        """The operator, or one that is wider."""
        wider = {"<": "<=", ">": ">=", "=": self.random.choice(("<=", ">="))}
        return wider.get(operator, operator) if self.random.random() < 0.3 else operator

    def chained(self, parts: tuple[Expression, ...]) -> Expression | None:
        """What two comparisons with one leaf in common may amount to."""
        known = [each for each in parts if _is_difference(each)]
        if len(known) < 2:
            return None
        one, other = self.random.sample(known, 2)
        names = [name for each in (one, other) for name in _numbers_in(each)]
        if len(names) < 2:
            return None
        left, right = self.random.sample(names, 2)
        if left == right or not self.offsets(left, right):
            return self.bound(left)
        right_side = Arithmetic("+", path(right), self.addend(left, right))
        return Compare(self.random.choice(ORDER), path(left), right_side)


def _opposite(comparison: Expression) -> Expression:
    assert isinstance(comparison, Compare)
    return replace(comparison, operator=OPPOSITE[comparison.operator])


def _joined(parts: list[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _is_difference(part: Expression) -> bool:
    return isinstance(part, Compare) and bool(_numbers_in(part))


def _numbers_in(expression: Expression) -> tuple[str, ...]:
    match expression:
        case Compare(_, left, right) | Arithmetic(_, left, right):
            return _numbers_in(left) + _numbers_in(right)
        case PathTo(_, steps) if steps[0].name in NUMERIC:
            return (steps[0].name,)
        case _:
            return ()
