"""Operators: comparisons of trimmed text and of times, arithmetic with times."""

from __future__ import annotations

from millstream.languages.xquery import syntax
from millstream.languages.xquery.operations import ALLEN, COMPARISONS
from millstream.languages.xquery.translation.naming import call, number, text
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import (
    ANYTHING,
    DURATION,
    NUMBER,
    TIME,
    TRUTH,
    Kind,
    Shape,
    Translated,
    union,
)
from millstream.languages.xquery.translation.times import NOW, OPEN, TimeTranslation

NODE_COMPARISONS = ("is", "<<", ">>")
NODE_OPERATORS = ("|", "intersect", "except")
_NOT_TEXT = (Kind.NUMBER, Kind.TRUTH, Kind.DURATION)


class OperationTranslation(TimeTranslation):
    """Translates what operators join."""

    def binary(self, binary: syntax.Binary, scope: Scope) -> Translated:
        operator = binary.operator
        if operator in ALLEN:
            return self.allen(binary, scope)
        if operator in NODE_COMPARISONS:
            return Translated(self._nodes(binary, scope).expression, TRUTH)
        if operator in NODE_OPERATORS:
            return self._nodes(binary, scope)
        if operator in COMPARISONS:
            return self._comparison(binary, scope)
        return self._arithmetic(binary, scope)

    def _nodes(self, binary: syntax.Binary, scope: Scope) -> Translated:
        left, right = self.translated(binary.left, scope), self.translated(binary.right, scope)
        joined = syntax.Binary(binary.operator, left.expression, right.expression)
        shape = left.shape | right.shape if binary.operator == "|" else left.shape
        return Translated(joined, shape)

    def _comparison(self, binary: syntax.Binary, scope: Scope) -> Translated:
        left, right = self.value(binary.left, scope), self.value(binary.right, scope)
        if binary.operator in ("=", "eq", "!=", "ne"):
            for one, other in ((left, right), (right, left)):
                if other.expression == NOW:
                    return Translated(_with_now(one, binary.operator in ("=", "eq")), TRUTH)
        compared = syntax.Binary(binary.operator, _as(left, right), _as(right, left))
        return Translated(compared, TRUTH)

    def _arithmetic(self, binary: syntax.Binary, scope: Scope) -> Translated:
        left, right = self.value(binary.left, scope), self.value(binary.right, scope)
        shape = _calculated(binary.operator, left.shape, right.shape)
        timed = (left.shape | right.shape).may_be(Kind.TIME, Kind.DURATION, Kind.ANY)
        if binary.operator in ("+", "-") and timed:
            name = "plus" if binary.operator == "+" else "minus"
            return Translated(call(name, left.expression, right.expression), shape)
        plain = syntax.Binary(binary.operator, left.expression, right.expression)
        return Translated(plain, shape)

    def unary(self, unary: syntax.Unary, scope: Scope) -> Translated:
        operand = self.value(unary.operand, scope)
        if not operand.shape.may_be(Kind.DURATION):
            return Translated(syntax.Unary(unary.operator, operand.expression), NUMBER)
        if unary.operator == "+":
            return operand
        match operand.expression:
            case syntax.FunctionCall(name, (syntax.StringLiteral(length),)):
                return Translated(syntax.FunctionCall(name, (text(f"-{length}"),)), DURATION)
        negative = syntax.Binary("*", operand.expression, syntax.Unary("-", number(1)))
        return Translated(negative, DURATION)

    def logical(self, logical: syntax.Logical, scope: Scope) -> Translated:
        operands = tuple(self.plain(each, scope) for each in logical.operands)
        return Translated(syntax.Logical(logical.operator, operands), TRUTH)

    def conditional(self, conditional: syntax.If, scope: Scope) -> Translated:
        condition = self.plain(conditional.condition, scope)
        then, other = (
            self.translated(each, scope) for each in (conditional.then, conditional.otherwise)
        )
        chosen = syntax.If(condition, then.expression, other.expression)
        return Translated(chosen, then.shape | other.shape)

    def sequence(self, sequence: syntax.Sequence, scope: Scope) -> Translated:
        items = [self.translated(each, scope) for each in sequence.items]
        expressions = tuple(each.expression for each in items)
        return Translated(syntax.Sequence(expressions), union(each.shape for each in items))


def _as(one: Translated, other: Translated) -> syntax.Expression:
    """An operand as it compares with another: as times, as trimmed text, or as it is."""
    if other.shape.may_be(Kind.TIME) and not one.shape.only(Kind.TIME):
        return call("times", one.expression)
    if other.shape.kinds and other.shape.only(*_NOT_TEXT):
        return one.expression
    text_inside = one.shape.has_elements or one.shape.may_be(Kind.TEXT_NODE)
    if text_inside and not one.shape.may_be(Kind.TIME):
        return call("trimmed", one.expression)
    return one.expression


def _with_now(one: Translated, equal: bool) -> syntax.Expression:
    """Whether times are now: an open end is, one that is not included is not."""
    match one.expression:
        case syntax.FunctionCall("xcql:vtTo", (nodes,)):
            return call("lasts" if equal else "passes", nodes)
        case syntax.FunctionCall("xcql:attribute", (nodes, syntax.StringLiteral("vtTo"))):
            return call("lasts" if equal else "passes", call("living", nodes))
    times = one.expression if one.shape.only(Kind.TIME) else call("times", one.expression)
    both = syntax.Sequence((NOW, OPEN))
    if equal:
        return syntax.Binary("=", times, both)
    denied = syntax.FunctionCall("not", (syntax.Binary("=", syntax.ContextItem(), both),))
    return syntax.FunctionCall("exists", (syntax.Filter(times, (denied,)),))


def _calculated(operator: str, left: Shape, right: Shape) -> Shape:
    timed = [shape.may_be(Kind.TIME) for shape in (left, right)]
    if operator in ("+", "-") and any(timed):
        return DURATION if all(timed) else TIME
    if (left | right).may_be(Kind.DURATION):
        return DURATION | NUMBER if operator == "div" else DURATION
    if operator in ("+", "-") and (left | right).may_be(Kind.ANY):
        return ANYTHING
    return NUMBER
