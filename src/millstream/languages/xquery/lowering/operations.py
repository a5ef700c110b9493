"""Operators, conditions and sequences."""

from __future__ import annotations

from typing import cast

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Compare,
    Expression,
    If,
    Literal,
    Or,
    Sequence,
)
from millstream.errors import UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.places import Place
from millstream.languages.xquery.lowering.scope import Scope, Typed
from millstream.languages.xquery.lowering.values import ValueLowering
from millstream.model.schema import ValueType

COMPARISONS = {
    **{operator: operator for operator in ("=", "!=", "<", "<=", ">", ">=")},
    "eq": "=",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
ARITHMETIC = ("+", "-", "*", "div", "idiv", "mod")
LONGEST_RANGE = 1_000


class OperationLowering(ValueLowering):
    """Lowers what operators join."""

    def number(self, literal: syntax.NumberLiteral) -> Typed:
        value = literal.value
        kinds = {int: ValueType.INTEGER, float: ValueType.DOUBLE}
        return Typed(Literal(value), type=kinds.get(type(value), ValueType.DECIMAL))

    def sequence(self, sequence: syntax.Sequence, scope: Scope) -> Typed:
        items = [self.value(item, scope) for item in sequence.items]
        expressions = tuple(item.expression for item in items)
        return Typed(Sequence(expressions), *_common(items), many=len(items) > 1)

    def conditional(self, conditional: syntax.If, scope: Scope) -> Typed:
        condition = self.lowered(conditional.condition, scope)
        branches = [self.value(each, scope) for each in (conditional.then, conditional.otherwise)]
        then, otherwise = branches
        expression = If(condition, then.expression, otherwise.expression)
        return Typed(expression, *_common(branches), many=then.many or otherwise.many)

    def logical(self, logical: syntax.Logical, scope: Scope) -> Typed:
        operands = [self.lowered(each, scope) for each in logical.operands]
        joined = _conjunction(operands) if logical.operator == "and" else _disjunction(operands)
        return Typed(joined)

    def unary(self, unary: syntax.Unary, scope: Scope) -> Typed:
        operand = self.value(unary.operand, scope)
        match operand.expression:
            case Literal(value) if isinstance(unary.operand, syntax.NumberLiteral | syntax.Unary):
                number = cast(int, value)
                return Typed(
                    Literal(-number if unary.operator == "-" else number), None, operand.type
                )
        zero = Typed(Literal(0), type=ValueType.INTEGER)
        return _calculated(unary.operator, zero, operand)

    def binary(self, binary: syntax.Binary, scope: Scope) -> Typed:
        if binary.operator == "to":
            return self._range(binary)
        if binary.operator in COMPARISONS:
            left, right = self.lowered(binary.left, scope), self.lowered(binary.right, scope)
            return Typed(Compare(COMPARISONS[binary.operator], left, right))
        if binary.operator in ARITHMETIC:
            first, second = self.value(binary.left, scope), self.value(binary.right, scope)
            return _calculated(binary.operator, first, second)
        raise UnsupportedError(
            f"the operator '{binary.operator}' is not supported on streams",
            span=binary.span,
            help="compare values instead of nodes" if binary.operator != "|" else "use a comma",
        )

    def _range(self, binary: syntax.Binary) -> Typed:
        start, end = _whole(binary.left), _whole(binary.right)
        if start is not None and end is not None and end - start < LONGEST_RANGE:
            numbers = tuple(Literal(each) for each in range(start, end + 1))
            return Typed(Sequence(numbers), type=ValueType.INTEGER, many=True)
        raise UnsupportedError(
            f"only a range of up to {LONGEST_RANGE} whole numbers, both written out, is supported",
            span=binary.span,
        )


def _whole(expression: syntax.Expression) -> int | None:
    if not isinstance(expression, syntax.NumberLiteral) or not isinstance(expression.value, int):
        return None
    return expression.value


def _calculated(operator: str, left: Typed, right: Typed) -> Typed:
    whole = left.type is right.type is ValueType.INTEGER and operator != "div"
    kind = ValueType.INTEGER if whole or operator == "idiv" else ValueType.DOUBLE
    return Typed(Arithmetic(operator, left.expression, right.expression), type=kind)


def _conjunction(operands: list[Expression]) -> Expression:
    flat = [
        part for each in operands for part in (each.operands if isinstance(each, And) else (each,))
    ]
    return And(tuple(flat))


def _disjunction(operands: list[Expression]) -> Expression:
    flat = [
        part for each in operands for part in (each.operands if isinstance(each, Or) else (each,))
    ]
    return Or(tuple(flat))


def _common(parts: list[Typed]) -> tuple[Place | None, ValueType | None]:
    """The place and type that all parts share; the empty sequence goes with any."""
    known = [part for part in parts if part.expression != Sequence(())]
    place = known[0].place if known else None
    kind = known[0].type if known else None
    if any(part.place != place for part in known):
        return None, None
    return place, kind if all(part.type is kind for part in known) else None
