"""Paths and predicates from variables and from the context item."""

from __future__ import annotations

from millstream.algebra.expressions import Each, Expression, Literal, PathTo, Step
from millstream.errors import QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.places import Place
from millstream.languages.xquery.lowering.scope import Scope, StreamPath, Typed
from millstream.languages.xquery.lowering.steps import Taken, Way, resolve
from millstream.languages.xquery.lowering.values import ValueLowering

SOURCES = ("stream", "doc", "collection", "document")
"""The functions that name a stream."""


_OF_TIME = (
    syntax.IntervalProjection,
    syntax.VersionProjection,
    syntax.Interval,
    syntax.TimeWord,
    syntax.TimeLiteral,
    syntax.DurationLiteral,
)


def refuse_time(expression: syntax.Expression) -> None:
    """An error for what only a history has."""
    if isinstance(expression, _OF_TIME):
        raise UnsupportedError(
            "times, intervals and projections are not supported on streams of items",
            span=expression.span,
            help="they are for histories, which are described by a tag structure",
        )


class PathLowering(ValueLowering):
    """Lowers paths, filters and predicates."""

    def path(self, path: syntax.Path, scope: Scope) -> Typed:
        """The nodes that a path reaches."""
        if path.origin is None:
            start = scope.context_item(path.span)
        else:
            self.refuse_stream(path, scope)
            start = self.value(path.origin, scope)
        return self._followed(start, path.steps, scope, path.span)

    def filter(self, filtered: syntax.Filter, scope: Scope) -> Typed:
        """The items of an expression that its predicates keep."""
        self.refuse_stream(filtered, scope)
        return self._filtered(self.value(filtered.base, scope), filtered.predicates, scope)

    def stream_path(self, expression: syntax.Expression, scope: Scope) -> StreamPath | None:
        match expression:
            case syntax.Root():
                return StreamPath(expression)
            case syntax.FunctionCall(name) if name.removeprefix("fn:") in SOURCES:
                return StreamPath(expression)
            case syntax.VariableReference(name) if name in scope.variables:
                found = scope.lookup(expression)
                return found if isinstance(found, StreamPath) else None
            case syntax.Path(origin, steps) if origin is not None:
                start = self.stream_path(origin, scope)
                return start and StreamPath(start.origin, start.steps + steps)
            case syntax.Filter(base, predicates):
                start = self.stream_path(base, scope)
                return start and _with_predicates(start, predicates, expression.span)
        refuse_time(expression)
        return None

    def refuse_stream(self, expression: syntax.Expression, scope: Scope) -> None:
        """An error if an expression reads a stream where only a value can stand."""
        if self.stream_path(expression, scope) is not None:
            raise UnsupportedError(
                "a stream cannot be read as one value",
                span=expression.span,
                help="go through it with an outer for clause, and use a window to aggregate",
            )

    def predicate(self, predicate: syntax.Expression, scope: Scope) -> Expression:
        position = literal_position(predicate)
        if position is not None:
            return Literal(position)
        condition = self.value(predicate, scope)
        if condition.value_only and condition.type is not None and condition.type.numeric:
            raise UnsupportedError(
                "a computed position is not supported",
                span=predicate.span,
                help="write the position as a number, or compare the value with something",
            )
        return condition.expression

    def steps(self, way: Way, scope: Scope) -> tuple[Step, ...]:
        """The steps of the algebra, with their predicates."""
        return tuple(self._step(taken, scope) for taken in way)

    def _step(self, taken: Taken, scope: Scope) -> Step:
        inner = scope.inside_predicate(taken.place)
        return Step(taken.name, tuple(self.predicate(each, inner) for each in taken.predicates))

    def _followed(
        self, start: Typed, steps: tuple[syntax.PathStep, ...], scope: Scope, span: Span
    ) -> Typed:
        """The nodes that steps reach; a step that is an expression is asked node by node."""
        plain = _leading(steps)
        reached = self._reached(start, plain, scope, span) if plain else start
        rest = steps[len(plain) :]
        if not rest:
            return reached
        step = rest[0]
        assert isinstance(step, syntax.ExpressionStep), "plain steps come first"
        found = self._asked(reached, step, scope)
        return self._followed(found, rest[1:], scope, span)

    def _asked(self, nodes: Typed, step: syntax.ExpressionStep, scope: Scope) -> Typed:
        if step.deep or step.predicates:
            raise UnsupportedError(
                "an expression as a step takes neither '//' nor predicates", span=step.span
            )
        if isinstance(nodes.expression, PathTo) and not nodes.expression.steps and not nodes.many:
            return self.value(step.expression, scope.with_context(nodes))
        variable = scope.names.new("node")
        context = Typed(PathTo(variable), nodes.place, nodes.type)
        result = self.value(step.expression, scope.with_context(context))
        each = Each(variable, nodes.expression, result.expression)
        return Typed(each, result.place, result.type, nodes.many or result.many)

    def _reached(
        self, start: Typed, steps: tuple[syntax.Step, ...], scope: Scope, span: Span
    ) -> Typed:
        start, steps = self._inside_window(start, steps, scope)
        if not steps:
            return start
        place = _starting_place(start, span)
        way = resolve(place, steps)
        lowered = self.steps(way, scope)
        end = way[-1].place if way else place
        many = start.many or any(taken.place.repeated for taken in way)
        return Typed(_path(start.expression, lowered, scope), end, end.type, many)

    def _inside_window(
        self, start: Typed, steps: tuple[syntax.Step, ...], scope: Scope
    ) -> tuple[Typed, tuple[syntax.Step, ...]]:
        """A path from a window may name the element that the window holds, or leave it out."""
        element = start.place.element if start.place else None
        first = steps[0]
        if not (_is_window(start, scope) and element and first == _naming(element.name, first)):
            return start, steps
        if element.child(first.test) is not None:
            return start, steps
        return self._filtered(start, first.predicates, scope), steps[1:]

    def _filtered(
        self, base: Typed, predicates: tuple[syntax.Expression, ...], scope: Scope
    ) -> Typed:
        for predicate in predicates:
            base = self._narrowed(base, predicate, scope)
        return base

    def _narrowed(self, base: Typed, predicate: syntax.Expression, scope: Scope) -> Typed:
        path = base.expression
        if isinstance(path, PathTo) and path.steps and not base.value_only:
            condition = self.predicate(predicate, scope.inside_predicate(base.place))
            if not _is_position(condition) or _alone(path, base, scope):
                return Typed(_with_condition(path, condition), base.place, base.type, base.many)
        if literal_position(predicate) is not None:
            raise UnsupportedError(
                "a position in a sequence from several places is not supported",
                span=predicate.span,
                help="put the position on a step: $p/a/b[1] counts among the b of one a",
            )
        variable = scope.names.new("each")
        context = Typed(PathTo(variable), base.place, base.type)
        kept = self.predicate(predicate, scope.with_context(context))
        each = Each(variable, path, PathTo(variable), kept)
        return Typed(each, base.place, base.type, base.many)


def literal_position(predicate: syntax.Expression) -> int | None:
    """The position that a predicate asks for, if it is written as a number."""
    match predicate:
        case syntax.Binary("=" | "eq", syntax.FunctionCall(name, ()), number):
            if name.removeprefix("fn:") != "position":
                return None
        case number:
            pass
    sign = 1
    if isinstance(number, syntax.Unary):
        sign, number = (-1 if number.operator == "-" else 1), number.operand
    if not isinstance(number, syntax.NumberLiteral):
        return None
    if not isinstance(number.value, int) or sign * number.value < 1:
        raise QueryError(
            "a position is a whole number, counted from 1",
            span=predicate.span,
            help="compare with something to select by value",
        )
    return number.value


def _with_predicates(
    path: StreamPath, predicates: tuple[syntax.Expression, ...], span: Span
) -> StreamPath:
    last = path.steps[-1] if path.steps else None
    if not isinstance(last, syntax.Step) or any(map(literal_position, predicates)):
        raise UnsupportedError(
            "a predicate on a whole stream is not supported",
            span=span,
            help="put it on the step that it is about, without parentheses",
        )
    step = syntax.Step(
        last.test, last.axis, last.predicates + predicates, last.deep, span=last.span
    )
    return StreamPath(path.origin, (*path.steps[:-1], step))


def _leading(steps: tuple[syntax.PathStep, ...]) -> tuple[syntax.Step, ...]:
    plain: list[syntax.Step] = []
    for step in steps:
        if not isinstance(step, syntax.Step):
            break
        plain.append(step)
    return tuple(plain)


def _starting_place(start: Typed, span: Span) -> Place:
    if start.place is not None:
        return start.place
    if start.value_only:
        raise QueryError("this is a value, which has no elements inside", span=span)
    raise UnsupportedError(
        "a path into constructed or mixed nodes is not supported",
        span=span,
        help="start the path from a variable of a for clause",
    )


def _path(start: Expression, steps: tuple[Step, ...], scope: Scope) -> Expression:
    if not steps:
        return start
    if isinstance(start, PathTo):
        return PathTo(start.variable, start.steps + steps)
    variable = scope.names.new("node")
    return Each(variable, start, PathTo(variable, steps))


def _is_window(start: Typed, scope: Scope) -> bool:
    path = start.expression
    return isinstance(path, PathTo) and not path.steps and path.variable in scope.aggregates.windows


def _naming(name: str, step: syntax.Step) -> syntax.Step:
    return syntax.Step(name, predicates=step.predicates)


def _is_position(condition: Expression) -> bool:
    return isinstance(condition, Literal) and type(condition.value) is int


def _alone(path: PathTo, base: Typed, scope: Scope) -> bool:
    """True if all nodes of a path have one parent, so that a position means the same to both."""
    if path.variable in scope.aggregates.windows:
        return False
    above = base.place.parent if base.place else None
    for _ in path.steps[1:]:
        if above is None or above.repeated:
            return False
        above = above.parent
    return True


def _with_condition(path: PathTo, condition: Expression) -> PathTo:
    last = path.steps[-1]
    step = Step(last.name, (*last.predicates, condition))
    return PathTo(path.variable, (*path.steps[:-1], step))
