"""Constants of a subscription, taken out of its predicates so that they become data.

Two subscriptions that differ in constants only have the same generated SQL: their constants are
rows of one small table that the batch is joined to.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from millstream.algebra.expressions import And, Compare, Expression, Literal, Or, PathTo
from millstream.compiler.scope import Scope, ValueColumn
from millstream.model.schema import ValueType

Constant = int | float | str

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_SQL_TYPES = {ValueType.INTEGER: "BIGINT", ValueType.DOUBLE: "DOUBLE", ValueType.TEXT: "STRING"}


@dataclass(slots=True)
class Constants:
    """Collects the constants of one branch, in the order in which its predicates name them."""

    alias: str
    """The SQL name of the table whose row holds the constants."""
    typed: bool = False
    """True where several lists of constants share a table: a column's name then tells its type."""
    values: list[Constant] = field(default_factory=list)
    types: list[ValueType] = field(default_factory=list)

    def take_from(self, predicate: Expression) -> Expression:
        """The predicate in normal form, with its constants replaced by variables."""
        return self._replaced(ordered(predicate))

    def scope(self) -> Scope:
        """The variables that stand for the constants taken so far."""
        return {
            _variable(index): ValueColumn(f"{self.alias}.{self._name(index, type)}", type)
            for index, type in enumerate(self.types)
        }

    def columns(self) -> tuple[tuple[str, str], ...]:
        """Name and SQL type of each constant's column."""
        return tuple(
            (self._name(index, type), _SQL_TYPES[type]) for index, type in enumerate(self.types)
        )

    def _name(self, index: int, type: ValueType) -> str:
        return f"p{index}_{_SQL_TYPES[type].lower()}" if self.typed else f"p{index}"

    def _replaced(self, predicate: Expression) -> Expression:
        match predicate:
            case And(operands):
                return And(tuple(self._replaced(each) for each in operands))
            case Or(operands):
                return Or(tuple(self._replaced(each) for each in operands))
            case Compare(_, left, Literal(value)) if not isinstance(value, bool):
                if isinstance(left, Literal):
                    return predicate
                return replace(predicate, right=self._add(value))
            case _:
                return predicate

    def _add(self, value: int | Decimal | float | str) -> PathTo:
        constant, type = _typed(value)
        self.values.append(constant)
        self.types.append(type)
        return PathTo(_variable(len(self.values) - 1))


def _variable(index: int) -> str:
    return f"?{index}"


def constant_index(variable: str) -> int | None:
    """The number of the constant that a variable stands for, if it stands for one."""
    return int(variable[1:]) if variable.startswith("?") else None


def _typed(value: int | Decimal | float | str) -> tuple[Constant, ValueType]:
    if isinstance(value, str):
        return value, ValueType.TEXT
    if isinstance(value, int) and abs(value) < 2**63:
        return value, ValueType.INTEGER
    return float(value), ValueType.DOUBLE


def ordered(predicate: Expression) -> Expression:
    """The same predicate with constants on the right and operands in a fixed order.

    The order ignores the constants themselves, so that it is the same for all subscriptions of
    a signature; operands that differ in their constants only keep the order of the constants.
    """
    match predicate:
        case And(operands):
            return And(_sorted(operands))
        case Or(operands):
            return Or(_sorted(operands))
        case Compare(operator, Literal() as left, right) if not isinstance(right, Literal):
            return Compare(_MIRRORED[operator], right, left)
        case _:
            return predicate


def _sorted(operands: tuple[Expression, ...]) -> tuple[Expression, ...]:
    flat = [ordered(each) for each in operands]
    return tuple(sorted(flat, key=lambda each: (repr(_blank(each)), repr(each))))


def _blank(predicate: Expression) -> Expression:
    match predicate:
        case And(operands):
            return And(tuple(_blank(each) for each in operands))
        case Or(operands):
            return Or(tuple(_blank(each) for each in operands))
        case Compare(_, _, Literal(value)):
            return replace(predicate, right=Literal(type(value).__name__))
        case _:
            return predicate
