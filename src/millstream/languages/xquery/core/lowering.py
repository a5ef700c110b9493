"""Expressions of every kind."""

from __future__ import annotations

from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.calls import CallLowering
from millstream.languages.xquery.core.constructors import ConstructorLowering
from millstream.languages.xquery.core.durations import months_and_microseconds
from millstream.languages.xquery.core.loops import LoopLowering
from millstream.languages.xquery.core.paths import SOURCES, PathLowering
from millstream.languages.xquery.core.scope import Lowered, Scope
from millstream.languages.xquery.operations import ALLEN, COMPARISONS
from millstream.model.filler_layout import microseconds
from millstream.model.values import parse_instant

_NODE_COMPARISONS = ("is", "<<", ">>")
_SETS = {"|": "union", "union": "union", "intersect": "intersect", "except": "except"}
_ARITHMETIC = ("+", "-", "*", "div", "idiv", "mod")


class Lowering(PathLowering, CallLowering, ConstructorLowering, LoopLowering):
    """Lowers expressions of every kind."""

    def lowered(self, expression: syntax.Expression, scope: Scope) -> Lowered:
        match expression:
            case syntax.StringLiteral(value):
                return Lowered(core.Literal(value, span=expression.span))
            case syntax.NumberLiteral():
                return Lowered(core.Literal(expression.value, span=expression.span))
            case syntax.VariableReference(name):
                return scope.variables[name]
            case syntax.ContextItem() if scope.context is not None:
                return scope.context
            case syntax.Path():
                return self.path(expression, scope)
            case syntax.Filter():
                return self.filter(expression, scope)
            case syntax.Root():
                return self.stream(expression)
            case syntax.FunctionCall(name) if name.removeprefix("fn:") in SOURCES:
                return self.stream(expression)
            case syntax.FunctionCall():
                return self.call(expression, scope)
            case syntax.Flwor():
                return self.flwor(expression, scope)
            case syntax.Quantified():
                return self.quantified(expression, scope)
            case _:
                return self._operation(expression, scope)

    def _operation(self, expression: syntax.Expression, scope: Scope) -> Lowered:
        span = expression.span
        match expression:
            case syntax.Sequence(items):
                found = [self.lowered(each, scope) for each in items]
                if any(each.places for each in found):
                    # Steps from here would have to put several sequences into one order.
                    return Lowered(core.Sequence(tuple(each.expression for each in found)))
                return Lowered(core.Sequence(tuple(each.expression for each in found), span=span))
            case syntax.Logical(operator, operands):
                lowered = tuple(self.plain(each, scope) for each in operands)
                return Lowered(core.Logical(operator, lowered, span=span))
            case syntax.Binary():
                return self._binary(expression, scope)
            case syntax.Unary("-", operand):
                return Lowered(core.Negative(self.plain(operand, scope), span=span))
            case syntax.Unary(_, operand):
                return self.lowered(operand, scope)
            case syntax.If(condition, then, otherwise):
                chosen = [self.lowered(each, scope) for each in (then, otherwise)]
                asked = self.plain(condition, scope)
                return Lowered(
                    core.If(asked, *(each.expression for each in chosen), span=span),
                    chosen[0].places | chosen[1].places,
                )
            case syntax.DirectElement():
                return self.direct(expression, scope)
            case syntax.ComputedElement():
                return self.computed(expression, scope)
            case _:
                return self._in_time(expression, scope)

    def _in_time(self, expression: syntax.Expression, scope: Scope) -> Lowered:
        span = expression.span
        match expression:
            case syntax.IntervalProjection(base, begin, end):
                found = self.lowered(base, scope)
                if not found.places:
                    return self.untranslated(expression, "a projection of what is constructed")
                first = self.plain(begin, scope)
                last = first if end is None else self.plain(end, scope)
                return Lowered(
                    core.IntervalProjection(found.expression, first, last, span=span), found.places
                )
            case syntax.VersionProjection(base, begin, end):
                found = self.lowered(base, scope)
                if not found.places:
                    return self.untranslated(expression, "a projection of what is constructed")
                inner = Scope(scope.variables, scope.context, True, scope.calls)
                first = self.plain(begin, inner)
                last = first if end is None else self.plain(end, inner)
                return Lowered(
                    core.VersionProjection(found.expression, first, last, span=span), found.places
                )
            case syntax.Interval(begin, end):
                first = self.plain(begin, scope)
                last = first if end is None else self.plain(end, scope)
                return Lowered(core.Interval(first, last, span=span))
            case syntax.TimeWord("now"):
                return Lowered(core.Now(span=span))
            case syntax.TimeWord("start"):
                return Lowered(core.Start(span=span))
            case syntax.TimeWord("last") if scope.counts_versions:
                return Lowered(core.LastVersion(span=span))
            case syntax.TimeLiteral(text):
                return Lowered(core.Instant(microseconds(parse_instant(text)), span=span))
            case syntax.DurationLiteral(text) if length := months_and_microseconds(text):
                return Lowered(core.Duration(*length, span=span))
        return self.untranslated(expression, "this kind of expression")

    def _binary(self, binary: syntax.Binary, scope: Scope) -> Lowered:
        left, right = self.lowered(binary.left, scope), self.lowered(binary.right, scope)
        operator, one, other = binary.operator, left.expression, right.expression
        if operator in ALLEN:
            return Lowered(core.Related(operator, one, other, span=binary.span))
        if operator in COMPARISONS or operator in _NODE_COMPARISONS:
            return Lowered(core.Compare(operator, one, other, span=binary.span))
        if operator in _ARITHMETIC:
            return Lowered(core.Calculate(operator, one, other, span=binary.span))
        if operator in _SETS and left.places and right.places:
            places = left.places | right.places
            combined = core.Combined(_SETS[operator], one, other, places, span=binary.span)
            return Lowered(combined, places)
        return self.untranslated(binary, f"the operator '{operator}'")
