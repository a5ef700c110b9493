"""Expressions that bind variables: FLWOR, some and every."""

from __future__ import annotations

from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.base import LoweringBase
from millstream.languages.xquery.core.scope import Lowered, Scope
from millstream.languages.xquery.translation.calls import is_atomic


class LoopLowering(LoweringBase):
    """Lowers loops."""

    def flwor(self, flwor: syntax.Flwor, scope: Scope) -> Lowered:
        clauses: list[core.For | core.Let] = []
        for clause in flwor.clauses:
            if isinstance(clause, syntax.For):
                loop, scope = self._for(clause, scope)
                clauses.append(loop)
                continue
            bound, scope = self._let(clause, scope)
            if bound is not None:
                clauses.append(bound)
        where = None if flwor.where is None else self.plain(flwor.where, scope)
        order = tuple(
            core.OrderKey(self.plain(each.key, scope), each.descending, each.empty == "greatest")
            for each in flwor.order
        )
        result = self.lowered(flwor.result, scope)
        if not clauses and where is None:
            return result
        loop_ = core.Loop(tuple(clauses), result.expression, where, order, span=flwor.span)
        return Lowered(loop_, result.places)

    def quantified(self, quantified: syntax.Quantified, scope: Scope) -> Lowered:
        bindings = []
        for each in quantified.bindings:
            clause = syntax.For(each.variable, each.source, each.type, span=each.span)
            loop, scope = self._for(clause, scope)
            bindings.append(loop)
        condition = self.plain(quantified.condition, scope)
        asked = core.Quantified(quantified.every, tuple(bindings), condition, span=quantified.span)
        return Lowered(asked)

    def _for(self, clause: syntax.For, scope: Scope) -> tuple[core.For, Scope]:
        source = self.lowered(clause.source, scope)
        expression = source.expression
        if is_atomic(clause.type):
            expression = core.Untranslated(clause.variable, "a variable of a declared type")
        name = self.names.fresh(clause.variable)
        scope = scope.bind(clause.variable, Lowered(core.Variable(name), source.places))
        position = None
        if clause.position is not None:
            position = self.names.fresh(clause.position)
            scope = scope.bind(clause.position, Lowered(core.Variable(position)))
        return core.For(name, expression, position, span=clause.span), scope

    def _let(self, clause: syntax.Let, scope: Scope) -> tuple[core.Let | None, Scope]:
        """A variable with a value; a path from a stream is written out wherever it is named."""
        value = self.lowered(clause.value, scope)
        if is_path_of_stream(value.expression):
            return None, scope.bind(clause.variable, value)
        expression = value.expression
        if clause.type is not None and is_atomic(clause.type):
            if clause.type.occurrence in ("*", "+"):
                expression = core.Untranslated(clause.variable, "a variable of a declared type")
            else:
                expression = core.Cast(clause.type.item, expression)
        name = self.names.fresh(clause.variable)
        scope = scope.bind(clause.variable, Lowered(core.Variable(name), value.places))
        return core.Let(name, expression, span=clause.span), scope


def is_path_of_stream(expression: core.Expression) -> bool:
    """True for a stream, or steps from one that ask nothing on the way."""
    match expression:
        case core.Stream():
            return True
        case core.Step(base, _, ()):
            return is_path_of_stream(base)
        case core.IntervalProjection(core.Stream(), begin, end):
            constant = (core.Instant, core.Now, core.Start)
            return isinstance(begin, constant) and isinstance(end, constant)
    return False
