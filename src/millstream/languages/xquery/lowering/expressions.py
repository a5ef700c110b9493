"""Any expression: the one place that knows which kind is lowered where."""

from __future__ import annotations

from millstream.algebra.expressions import Literal
from millstream.errors import UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.branch import BranchLowering
from millstream.languages.xquery.lowering.calls import CallLowering
from millstream.languages.xquery.lowering.constructors import ConstructorLowering
from millstream.languages.xquery.lowering.operations import OperationLowering
from millstream.languages.xquery.lowering.paths import refuse_time
from millstream.languages.xquery.lowering.scope import Scope, StreamPath, Typed
from millstream.model.schema import ValueType


class Lowering(BranchLowering, CallLowering, ConstructorLowering, OperationLowering):
    """Lowers expressions of every kind."""

    def value(self, expression: syntax.Expression, scope: Scope) -> Typed:
        match expression:
            case syntax.StringLiteral(value):
                return Typed(Literal(value), type=ValueType.TEXT)
            case syntax.NumberLiteral():
                return self.number(expression)
            case syntax.VariableReference():
                return self._variable(expression, scope)
            case syntax.ContextItem():
                return scope.context_item(expression.span)
            case syntax.Path():
                return self.path(expression, scope)
            case syntax.Filter():
                return self.filter(expression, scope)
            case syntax.FunctionCall():
                self.refuse_stream(expression, scope)
                return self.call(expression, scope)
            case _:
                return self._compound(expression, scope)

    def _compound(self, expression: syntax.Expression, scope: Scope) -> Typed:
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
                return self.loop(expression, scope)
            case syntax.Quantified():
                return self.quantified(expression, scope)
            case _:
                return self._constructor(expression, scope)

    def _constructor(self, expression: syntax.Expression, scope: Scope) -> Typed:
        match expression:
            case syntax.DirectElement() | syntax.ComputedElement():
                return self.element(expression, scope)
            case syntax.ComputedText():
                return self.text(expression, scope)
            case syntax.ComputedAttribute():
                return self.refuse_attribute(expression)
        refuse_time(expression)
        raise UnsupportedError("this is not supported here", span=expression.span)

    def _variable(self, reference: syntax.VariableReference, scope: Scope) -> Typed:
        self.refuse_stream(reference, scope)
        found = scope.lookup(reference)
        assert not isinstance(found, StreamPath), "streams are refused above"
        return found
