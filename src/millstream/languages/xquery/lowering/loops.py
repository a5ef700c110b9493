"""FLWOR and quantified expressions inside one item or window."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import EMPTY, Each, Expression, If, Quantified
from millstream.errors import UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.scope import Scope, Typed
from millstream.languages.xquery.lowering.values import ValueLowering


@dataclass(frozen=True, slots=True)
class Loop:
    """A variable of the algebra and what it goes through."""

    variable: str
    source: Typed


class LoopLowering(ValueLowering):
    """Lowers loops over nodes of what is bound outside them."""

    def loop(self, flwor: syntax.Flwor, scope: Scope) -> Typed:
        """What a nested FLWOR gives: loops inside one another, the condition in the innermost."""
        refuse_order(flwor)
        loops: list[Loop] = []
        for clause in flwor.clauses:
            if isinstance(clause, syntax.Let):
                scope = self.let(clause, scope)
                continue
            loop = self._source(clause, scope)
            loops.append(loop)
            scope = _inside(clause.variable, loop, scope)
        condition = None if flwor.where is None else self.lowered(flwor.where, scope)
        result = self.value(flwor.result, scope)
        many = result.many or any(loop.source.many for loop in loops)
        nested = _nested(loops, condition, result.expression)
        return Typed(nested, result.place, result.type, many)

    def let(self, clause: syntax.Let, scope: Scope) -> Scope:
        """The scope in which a let's variable stands for its value."""
        path = self.stream_path(clause.value, scope)
        if path is not None:
            return scope.bind(clause.variable, path, clause.span)
        if isinstance(clause.value, syntax.FunctionCall):
            value = self.named_call(clause.value, scope, clause.variable)
        else:
            value = self.value(clause.value, scope)
        return scope.bind(clause.variable, value, clause.value.span)

    def quantified(self, quantified: syntax.Quantified, scope: Scope) -> Typed:
        """some or every, one quantifier inside the other."""
        loops: list[Loop] = []
        for binding in quantified.bindings:
            source = self.value(binding.source, scope)
            loop = Loop(scope.names.new(binding.variable), source)
            loops.append(loop)
            scope = _inside(binding.variable, loop, scope)
        condition = self.lowered(quantified.condition, scope)
        for loop in reversed(loops):
            source_expression = loop.source.expression
            condition = Quantified(quantified.every, loop.variable, source_expression, condition)
        return Typed(condition)

    def _source(self, clause: syntax.For, scope: Scope) -> Loop:
        refuse_position(clause)
        if self.stream_path(clause.source, scope) is not None:
            raise UnsupportedError(
                "a loop over a stream inside another is not supported",
                span=clause.source.span,
                help="make it a second for clause of the outer loop, and join with where",
            )
        if clause.window is not None:
            raise UnsupportedError(
                "a window inside an item is not supported",
                span=clause.window.span,
                help="windows are over the items of a stream",
            )
        return Loop(scope.names.new(clause.variable), self.value(clause.source, scope))


def refuse_order(flwor: syntax.Flwor) -> None:
    """An error if a FLWOR orders what it returns."""
    if flwor.order:
        raise UnsupportedError(
            "order by is not supported: results come in the order of the stream",
            span=flwor.order[0].span,
            help="leave it out, and sort what you read",
        )


def refuse_position(clause: syntax.For) -> None:
    """An error if a for clause counts."""
    if clause.position is not None:
        raise UnsupportedError(
            f"'at ${clause.position}' is not supported: a stream has no first item to count from",
            span=clause.span,
            help="ask for positions inside an item by a predicate, as in $p/obs[1]",
        )


def _inside(variable: str, loop: Loop, scope: Scope) -> Scope:
    return scope.bind_node(variable, loop.variable, loop.source.place, loop.source.type)


def _nested(loops: list[Loop], condition: Expression | None, result: Expression) -> Expression:
    if not loops:
        return result if condition is None else If(condition, result, EMPTY)
    for loop in reversed(loops):
        result = Each(loop.variable, loop.source.expression, result, condition)
        condition = None
    return result
