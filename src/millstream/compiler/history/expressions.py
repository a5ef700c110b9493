"""Expressions of every kind."""

from __future__ import annotations

from decimal import Decimal

from millstream.algebra.xcql import expressions as core
from millstream.compiler.history.allen import AllenCompiler
from millstream.compiler.history.calculating import calculated, negative
from millstream.compiler.history.calls import CallCompiler
from millstream.compiler.history.comparing import compared
from millstream.compiler.history.construction import ConstructionCompiler
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.lifespans import OPEN_SQL, START_SQL
from millstream.compiler.history.loops import LoopCompiler
from millstream.compiler.history.ranges import starts_at_stream
from millstream.compiler.history.sequences import Atoms, Chain, Made, Nodes, Sequence, Type, when
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.compiler.history.user_calls import UserCallCompiler
from millstream.compiler.names import double, integer, string

NOW_SQL = ":now"
_NODE_ORDER = {"<<": "<", ">>": ">", "is": "="}


class ExpressionCompiler(
    LoopCompiler, AllenCompiler, CallCompiler, UserCallCompiler, ConstructionCompiler
):
    """Compiles expressions of every kind."""

    def compiled(self, expression: core.Expression, environment: Environment) -> Sequence:
        try:
            return self._compiled(expression, environment)
        except Untranslatable as problem:
            if problem.span.end == 0:
                problem.span = expression.span
            raise

    def _compiled(self, expression: core.Expression, environment: Environment) -> Sequence:
        if starts_at_stream(expression):
            return self._whole_path(expression, environment)
        match expression:
            case core.Literal(value):
                return _literal(value)
            case core.Variable(name):
                return environment.variables[name]
            case core.Context() if environment.context is not None:
                return environment.context
            case core.Step():
                return self.step(expression, environment)
            case core.Loop():
                return self.loop(expression, environment)
            case core.Quantified():
                return self.quantified(expression, environment)
            case core.Call():
                return self.call(expression, environment)
            case core.MadeElement():
                return self.element(expression, environment)
            case _:
                return self._operation(expression, environment)

    def _operation(self, expression: core.Expression, environment: Environment) -> Sequence:
        match expression:
            case core.Compare(operator, left, right):
                return self._comparison(operator, left, right, environment)
            case core.Calculate(operator, left, right):
                sides = self.atoms(left, environment), self.atoms(right, environment)
                return calculated(self.reader, operator, *sides)
            case core.Negative(operand):
                return negative(self.reader, self.atoms(operand, environment))
            case core.Logical(operator, operands):
                tests = [f"coalesce({self.truth(each, environment)}, false)" for each in operands]
                return Atoms(f"({f' {operator.upper()} '.join(tests)})", Type.TRUTH)
            case core.If(condition, then, otherwise):
                return self._conditional(condition, then, otherwise, environment)
            case core.Sequence(items):
                return Chain(tuple(self.compiled(each, environment) for each in items))
            case core.Attribute():
                return self.attribute(expression, environment)
            case core.TextNodes():
                return self.text_nodes(expression, environment)
            case core.Filter():
                return self.filter(expression, environment)
            case core.Untranslated(_, reason):
                raise Untranslatable(reason, expression.span)
            case _:
                return self._in_time(expression, environment)

    def _in_time(self, expression: core.Expression, environment: Environment) -> Sequence:
        match expression:
            case core.Cast():
                return self.cast(expression, environment)
            case core.UserCall():
                return self.user_call(expression, environment)
            case core.IntervalProjection():
                return self.interval_projection(expression, environment)
            case core.VersionProjection():
                return self.version_projection(expression, environment)
            case core.Related():
                return self.related(expression, environment)
            case core.Now():
                return Atoms(NOW_SQL, Type.TIME)
            case core.Start():
                return Atoms(START_SQL, Type.TIME)
            case core.Instant(microseconds):
                return Atoms(f"({microseconds}L)", Type.TIME)
            case core.Duration(0, microseconds):
                return Atoms(f"({microseconds}L)", Type.DURATION)
            case core.LastVersion() if environment.versions is not None:
                return Atoms(environment.versions, Type.INTEGER)
        raise Untranslatable(_words(expression), expression.span)

    def _whole_path(self, expression: core.Expression, environment: Environment) -> Sequence:
        """A path from a stream, by itself: a loop over what it leads to."""
        name = f"path {len(environment.frame.answered)} {id(expression)}"
        loop = core.Loop((core.For(name, expression),), core.Variable(name), span=expression.span)
        return self._joined(loop, environment)

    def _conditional(
        self,
        condition: core.Expression,
        then: core.Expression,
        otherwise: core.Expression,
        environment: Environment,
    ) -> Sequence:
        test = f"coalesce({self.truth(condition, environment)}, false)"
        one, other = self.compiled(then, environment), self.compiled(otherwise, environment)
        match one, other:
            case Atoms(a, type, True), Atoms(b, same, True) if type is same:
                return Atoms(f"if({test}, {a}, {b})", type)
            case Made(a, True), Made(b, True):
                return Made(f"if({test}, {a}, {b})")
        return Chain((when(test, one), when(f"NOT {test}", other)))

    def _comparison(
        self, operator: str, left: core.Expression, right: core.Expression, environment: Environment
    ) -> Sequence:
        if operator in _NODE_ORDER:
            return self._node_comparison(operator, left, right, environment)
        for one, other in ((left, right), (right, left)):
            if isinstance(other, core.Now) and operator in ("=", "eq", "!=", "ne"):
                return self._with_now(one, operator in ("=", "eq"), environment)
        sides = [self.atoms(each, environment, ordered=False) for each in (left, right)]
        return Atoms(compared(self.reader, operator, *sides), Type.TRUTH)

    def _with_now(self, one: core.Expression, equal: bool, environment: Environment) -> Sequence:
        """Whether times are now: an open end is, one that is not included is not."""
        match one:
            case core.Call("vtTo", (nodes,)):
                found = self.compiled(nodes, environment)
            case _:
                raise Untranslatable("a time compared with now")
        if not isinstance(found, Nodes) or found.array is not None:
            raise Untranslatable("the ends of several elements compared with now")
        life = self.covers.lifespan(found.spot)
        lasts = f"({life.end} = {OPEN_SQL} OR ({life.end} = {NOW_SQL} AND {life.closed}))"
        test = lasts if equal else f"NOT {lasts}"
        return Atoms(test if found.present is None else f"({found.present} AND {test})", Type.TRUTH)

    def _node_comparison(
        self, operator: str, left: core.Expression, right: core.Expression, environment: Environment
    ) -> Sequence:
        found = [self.compiled(each, environment) for each in (left, right)]
        if any(isinstance(each, Chain) and not each.parts for each in found):
            return Atoms("CAST(NULL AS BOOLEAN)", Type.TRUTH)
        nodes = [each for each in found if isinstance(each, Nodes)]
        spots = [each.make(f"get({each.array}, 0)") for each in nodes]
        if len(spots) < len(found) or any(spot.window is not None for spot in spots):
            raise Untranslatable("the order of what is not stored, or seen through windows")
        if len({spot.source.stream for spot in spots}) > 1:
            raise Untranslatable("the order of nodes of several streams")
        if len({(spot.places, spot.path) for spot in spots}) > 1:
            for spot in spots:
                spot.source.order_by_way()
        one, other = (self._place(each, spot) for each, spot in zip(nodes, spots, strict=True))
        return Atoms(f"{one} {_NODE_ORDER[operator]} {other}", Type.TRUTH)

    def _place(self, nodes: Nodes, spot: Spot) -> str:
        """Where the only one of some nodes stands; null if there is none."""
        if nodes.array is None:
            return (
                spot.order if nodes.present is None else f"if({nodes.present}, {spot.order}, NULL)"
            )
        several = "CAST(raise_error('several nodes where one is asked for') AS ARRAY<BIGINT>)"
        return (
            f"CASE WHEN size({nodes.array}) > 1 THEN {several} "
            f"WHEN size({nodes.array}) = 1 THEN {spot.order} END"
        )


def _literal(value: str | int | Decimal | float | bool) -> Atoms:
    if isinstance(value, bool):
        return Atoms("true" if value else "false", Type.TRUTH)
    if isinstance(value, str):
        return Atoms(string(value), Type.TEXT)
    if isinstance(value, int):
        return Atoms(integer(value), Type.INTEGER)
    if isinstance(value, Decimal):
        return Atoms(f"{value:f}BD", Type.DECIMAL)
    return Atoms(double(value), Type.DOUBLE)


def _words(expression: core.Expression) -> str:
    return f"an expression of the kind {type(expression).__name__}"
