"""Paths and filters: from a stream, a variable, the context item or anything else."""

from __future__ import annotations

from millstream.errors import QueryError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.projections import DURATION
from millstream.languages.xquery.translation.naming import call, text
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import Place, Shape, Translated
from millstream.languages.xquery.translation.starts import Start, beginning, is_by_name, start_of
from millstream.languages.xquery.translation.steps import StepTranslation
from millstream.languages.xquery.translation.strategy import Strategy
from millstream.languages.xquery.translation.way import Way

SOURCES = ("stream", "doc", "collection", "document")
"""The functions that name a stream."""

Source = syntax.FunctionCall | syntax.Root
_TIME_WORDS = ("now", "start")


class PathTranslation(StepTranslation):
    """Translates paths and filters."""

    def path(self, path: syntax.Path, scope: Scope) -> Translated:
        """The nodes that a path leads to."""
        time = self._time_constant(path, scope)
        if time is not None:
            return self.translated(time, scope)
        way, steps = self._start(path, scope)
        for step in steps:
            way = self.step(way, step, scope)
        way = way.once()
        return Translated(way.expression, way.shape)

    def filter(self, filtered: syntax.Filter, scope: Scope) -> Translated:
        """The items of an expression that its predicates keep."""
        base = self.translated(filtered.base, scope)
        predicates = self.predicates(filtered.predicates, base.shape, scope)
        return Translated(syntax.Filter(base.expression, predicates), base.shape)

    def source(self, expression: syntax.Expression, scope: Scope) -> Source | None:
        """The whole stream that an expression stands for, if it does."""
        match self.stream_path(expression, scope):
            case syntax.Path(syntax.FunctionCall() | syntax.Root() as source, ()):
                return source
        return None

    def stream_path(self, expression: syntax.Expression, scope: Scope) -> syntax.Path | None:
        """The names from a stream down that an expression goes along, if it does nothing else."""
        match expression:
            case syntax.Root():
                return syntax.Path(expression, ())
            case syntax.FunctionCall(name) if name.removeprefix("fn:") in SOURCES:
                return syntax.Path(expression, ())
            case syntax.VariableReference(name) if name in scope.variables:
                return scope.variables[name].path
            case syntax.Path(origin, steps) if origin is not None and all(map(is_by_name, steps)):
                start = self.stream_path(origin, scope)
                plain = all(not step.predicates for step in steps)
                return syntax.Path(start.origin, start.steps + steps) if start and plain else None
        return None

    def is_stream(self, expression: syntax.Expression, scope: Scope) -> bool:
        """True for an expression that stands for a whole stream."""
        return self.source(expression, scope) is not None

    def stream(self, source: Source) -> Translated:
        """A whole stream: the fillers of its root, or its temporal view."""
        document = self._document(source)
        name = text(document.stream)
        if self.strategy is Strategy.CAQ:
            return Translated(call("view", name), Shape(copied=frozenset({document})))
        return Translated(call("stream", name), Shape(stored=frozenset({document})))

    def _document(self, source: Source) -> Place:
        match source:
            case syntax.FunctionCall(_, (syntax.StringLiteral(name),)):
                return self.structures.document(name, source.span)
            case syntax.FunctionCall(_, ()) | syntax.Root():
                return self.structures.document(None, source.span)
        assert isinstance(source, syntax.FunctionCall), "a root has no arguments"
        raise QueryError(
            f"{source.name}() takes the name of a stream as a string",
            span=source.span,
            help=f'write {source.name}("name")',
        )

    def _start(self, path: syntax.Path, scope: Scope) -> tuple[Way, tuple[syntax.PathStep, ...]]:
        """Where a path starts, and the steps that are left to take."""
        if path.origin is None:
            return Way(None, scope.context_shape(path.span)), path.steps
        if self.strategy is Strategy.QAC_PLUS:
            further = self._further(path.origin, path.steps, scope)
            if further is not None:
                return further
        return Way.at(*self.translated(path.origin, scope)), path.steps

    def _further(
        self, origin: syntax.Expression, steps: tuple[syntax.PathStep, ...], scope: Scope
    ) -> tuple[Way, tuple[syntax.PathStep, ...]] | None:
        """The start of a path from a stream at the fillers of the tag that it leads to."""
        above = self.stream_path(origin, scope)
        if above is None:
            return None
        assert isinstance(above.origin, syntax.FunctionCall | syntax.Root), "it is a stream"
        everything = above.steps + steps
        start = start_of(self.structures, self._document(above.origin), everything)
        if start is None or start.steps < len(above.steps):
            return None
        way = self._beginning(start, scope)
        return None if way is None else (way, everything[start.steps :])

    def _beginning(self, start: Start, scope: Scope) -> Way | None:
        shape = Shape(stored=start.places)
        predicates = self.predicates(start.predicates, shape, scope)
        expression = beginning(self.structures, start, predicates)
        return None if expression is None else Way.at(expression, shape)

    def _time_constant(self, path: syntax.Path, scope: Scope) -> syntax.Expression | None:
        """The time or duration that a lone name stands for, unless it is that of an element."""
        match path:
            case syntax.Path(None, (syntax.Step(name, "child", (), False),)):
                if scope.context is not None and self._has_child(scope.context, name):
                    return None
            case _:
                return None
        if name in _TIME_WORDS:
            return syntax.TimeWord(name, span=path.span)
        if DURATION.fullmatch(name):
            return syntax.DurationLiteral(name, span=path.span)
        if name.startswith(tuple(f"{word}-" for word in _TIME_WORDS)) and scope.context is None:
            raise QueryError(
                f"'{name}' is a name here",
                span=path.span,
                help="outside brackets, put spaces around the minus sign: now - PT1H",
            )
        return None

    def _has_child(self, shape: Shape, name: str) -> bool:
        return any(
            tag.name == name for place in shape.places for tag in self.structures.children(place)
        )
