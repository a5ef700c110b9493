"""Any expression: the one place that knows which kind is translated where."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.errors import UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.calls import CallTranslation
from millstream.languages.xquery.translation.constructors import ConstructorTranslation
from millstream.languages.xquery.translation.loops import LoopTranslation
from millstream.languages.xquery.translation.operations import OperationTranslation
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import NUMBER, TEXT, Translated
from millstream.languages.xquery.translation.strategy import Strategy
from millstream.languages.xquery.translation.structures import Structures


class ExpressionTranslation(
    CallTranslation, LoopTranslation, ConstructorTranslation, OperationTranslation
):
    """Translates expressions of every kind."""

    def __init__(
        self,
        structures: Structures,
        strategy: Strategy,
        functions: Mapping[str, syntax.FunctionDeclaration],
        *,
        keeps_time: bool,
    ) -> None:
        super().__init__(structures, strategy, keeps_time=keeps_time)
        self.functions = functions

    def translated(self, expression: syntax.Expression, scope: Scope) -> Translated:
        match expression:
            case syntax.StringLiteral():
                return Translated(expression, TEXT)
            case syntax.NumberLiteral():
                return Translated(expression, NUMBER)
            case syntax.VariableReference():
                return Translated(expression, scope.lookup(expression).shape)
            case syntax.ContextItem():
                return Translated(expression, scope.context_shape(expression.span))
            case syntax.Path():
                return self.path(expression, scope)
            case syntax.Filter():
                return self.filter(expression, scope)
            case syntax.Root():
                return self.stream(expression)
            case syntax.FunctionCall():
                named = self.is_stream(expression, scope)
                return self.stream(expression) if named else self.call(expression, scope)
            case _:
                return self._compound(expression, scope)

    def _compound(self, expression: syntax.Expression, scope: Scope) -> Translated:
        match expression:
            case syntax.Sequence():
                return self.sequence(expression, scope)
            case syntax.Logical():
                return self.logical(expression, scope)
            case syntax.Binary():
                return self.binary(expression, scope)
            case syntax.Unary():
                return self.unary(expression, scope)
            case syntax.If():
                return self.conditional(expression, scope)
            case syntax.Flwor():
                return self.flwor(expression, scope)
            case syntax.Quantified():
                return self.quantified(expression, scope)
            case _:
                return self._in_time(expression, scope)

    def _in_time(self, expression: syntax.Expression, scope: Scope) -> Translated:
        match expression:
            case syntax.IntervalProjection():
                return self.interval_projection(expression, scope)
            case syntax.VersionProjection():
                return self.version_projection(expression, scope)
            case syntax.Interval():
                return self.interval(expression, scope)
            case syntax.TimeWord():
                return self.time_word(expression, scope)
            case syntax.TimeLiteral():
                return self.time_literal(expression)
            case syntax.DurationLiteral():
                return self.duration(expression)
            case _:
                return self._constructor(expression, scope)

    def _constructor(self, expression: syntax.Expression, scope: Scope) -> Translated:
        match expression:
            case syntax.DirectElement():
                return self.direct(expression, scope)
            case syntax.ComputedElement() | syntax.ComputedAttribute():
                return self.computed(expression, scope)
            case syntax.ComputedText():
                return self.computed_text(expression, scope)
        raise UnsupportedError("this is not supported here", span=expression.span)
