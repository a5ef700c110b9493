"""Values of TAG-QL as expressions of the algebra, with their types."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from millstream.algebra.expressions import (
    EMPTY,
    Arithmetic,
    Call,
    Compare,
    Expression,
    If,
    Literal,
    PathTo,
)
from millstream.errors import UnsupportedError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.lowering.naming import Naming
from millstream.languages.tagql.words import FUNCTIONS
from millstream.model.schema import ValueType
from millstream.model.tags.duration import SECOND


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of one value at most; without a type it is a point or nothing at all."""

    expression: Expression
    type: ValueType | None

    @property
    def numeric(self) -> bool:
        return self.type is not None and self.type.numeric


NOTHING = Typed(EMPTY, None)
TEXT = ValueType.TEXT


def lower_value(value: syntax.Value, naming: Naming) -> Typed:
    """A value in the algebra."""
    match value:
        case syntax.StringLiteral(text):
            return Typed(Literal(text), ValueType.TEXT)
        case syntax.NumberLiteral():
            return number(value.value)
        case syntax.DurationLiteral(microseconds):
            return number(Decimal(microseconds) / SECOND)
        case syntax.Name():
            return Typed(*naming.attribute(value))
        case syntax.TagReference():
            return Typed(*naming.field(value))
        case syntax.Star():
            return number(Decimal(1))
        case syntax.Negative(operand):
            return _calculated("-", number(Decimal(0)), lower_value(operand, naming), value)
        case syntax.Arithmetic(operator, left, right):
            sides = lower_value(left, naming), lower_value(right, naming)
            return _calculated(operator, *sides, value)
        case syntax.Call(function, arguments):
            return _call(function, [lower_value(each, naming) for each in arguments])


def number(value: Decimal) -> Typed:
    """A number as the algebra writes it: whole ones are integers."""
    if value == value.to_integral_value():
        return Typed(Literal(int(value)), ValueType.INTEGER)
    return Typed(Literal(value), ValueType.DECIMAL)


def is_point(value: Typed) -> bool:
    """True for what may name a place."""
    return value.type is ValueType.TEXT or isinstance(value.expression, Call)


def _calculated(operator: str, left: Typed, right: Typed, node: syntax.Node) -> Typed:
    if ValueType.TIME in (left.type, right.type):
        return _moved(operator, left, right, node)
    if not (left.numeric and right.numeric):
        return NOTHING
    if operator == "/":
        # There is no quotient by 0.
        quotient = Arithmetic("div", left.expression, right.expression)
        zero = Compare("=", right.expression, Literal(0))
        return Typed(If(zero, EMPTY, quotient), ValueType.DOUBLE)
    integers = left.type is right.type is ValueType.INTEGER
    type = ValueType.INTEGER if integers else ValueType.DOUBLE
    return Typed(Arithmetic(operator, left.expression, right.expression), type)


def _moved(operator: str, left: Typed, right: Typed, node: syntax.Node) -> Typed:
    """The seconds between two times; a time that is moved by seconds."""
    if left.type is ValueType.TIME and right.type is ValueType.TIME and operator == "-":
        return Typed(Call("tag:seconds", (left.expression, right.expression)), ValueType.DOUBLE)
    if left.type is ValueType.TIME and right.numeric and operator in "+-":
        sign = Literal(1 if operator == "+" else -1)
        shift = Arithmetic("*", sign, right.expression)
        return Typed(Call("tag:moved", (left.expression, shift)), ValueType.TIME)
    if left.type is not None and right.type is not None:
        raise UnsupportedError(f"times cannot be calculated with '{operator}'", span=node.span)
    return NOTHING


def _call(function: str, arguments: list[Typed]) -> Typed:
    given = tuple(each.expression for each in arguments)
    match function:
        case "POINT" if all(each.numeric for each in arguments):
            return Typed(Call("tag:point", given), None)
        case "DIST" if all(is_point(each) for each in arguments):
            return Typed(Call("tag:distance", given), ValueType.DOUBLE)
        case "ABS" if arguments[0].numeric:
            return Typed(Call("abs", given), arguments[0].type)
        case "LOWER" | "UPPER" if arguments[0].type is ValueType.TEXT:
            plain = "lower-case" if function == "LOWER" else "upper-case"
            return Typed(present(given[0], Call(plain, given)), ValueType.TEXT)
        case _ if function not in FUNCTIONS and all(each.type is TEXT for each in arguments):
            return Typed(Call("tag:user", (Literal(function), *given)), ValueType.DOUBLE)
    return NOTHING


def present(condition: Expression, value: Expression) -> Expression:
    """A value where another is there, else nothing."""
    return If(Call("exists", (condition,)), value, EMPTY)


def sources_of(value: syntax.Value, naming: Naming) -> tuple[tuple[str, str], ...]:
    """The attributes that a value is made of."""
    names = (each for each in syntax.walk(value) if isinstance(each, syntax.Name))
    found = dict.fromkeys(naming.scope.attribute(each) for each in names)
    return tuple((each.source, each.attribute) for each in found)


def path_of(value: Typed) -> PathTo:
    """The path that a value is."""
    assert isinstance(value.expression, PathTo), "an attribute is a path"
    return value.expression
