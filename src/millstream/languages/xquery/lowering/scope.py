"""What names mean at a place in a query, and what is known of a value before it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from millstream.algebra.expressions import CONTEXT, Expression, PathTo
from millstream.algebra.scopes import fresh_name
from millstream.errors import QueryError, Span, UnsupportedError, did_you_mean
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.places import Place
from millstream.languages.xquery.lowering.size import Measures
from millstream.languages.xquery.lowering.window_aggregates import WindowAggregates
from millstream.model.schema import ValueType


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression with what is known of it: the place of its nodes, the type of its values."""

    expression: Expression
    place: Place | None = None
    type: ValueType | None = None
    many: bool = False
    """True if it may hold more than one item."""

    @property
    def value_only(self) -> bool:
        """True if it surely holds atomic values, no nodes."""
        return self.place is None and self.type is not None


@dataclass(frozen=True, slots=True)
class StreamPath:
    """A path that starts at a stream: it can be gone through, but is no value."""

    origin: syntax.FunctionCall | syntax.Root
    steps: tuple[syntax.PathStep, ...] = ()


class Names:
    """Gives each variable of a branch a name of its own, the user's where it is free."""

    def __init__(self) -> None:
        self._taken: set[str] = {CONTEXT}

    def new(self, name: str) -> str:
        """The name, or one like it that is not yet taken."""
        free = fresh_name(name, frozenset(self._taken))
        self._taken.add(free)
        return free


@dataclass(frozen=True, slots=True)
class Bound:
    """What a variable stands for."""

    value: Typed | StreamPath
    level: int | None
    """The nesting of predicates in which its use of the context item has its meaning."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables and the context item that an expression sees."""

    variables: Mapping[str, Bound] = field(default_factory=dict)
    context: Typed | None = None
    level: int = 0
    names: Names = field(default_factory=Names)
    aggregates: WindowAggregates = field(default_factory=WindowAggregates)
    measures: Measures = field(default_factory=Measures)
    calls: tuple[str, ...] = ()
    """The declared functions whose bodies surround the expression."""

    def bind(self, variable: str, value: Typed | StreamPath, span: Span) -> Scope:
        """This scope with one more variable."""
        level = None
        if isinstance(value, Typed):
            measure = self.measures.checked(value.expression, span)
            level = self.level if measure.asks_context else None
        return replace(self, variables={**self.variables, variable: Bound(value, level)})

    def bind_node(
        self, variable: str, name: str, place: Place | None, kind: ValueType | None = None
    ) -> Scope:
        """This scope with a variable of a loop, by its name in the algebra."""
        bound = Bound(Typed(PathTo(name), place, kind if place is None else place.type), None)
        return replace(self, variables={**self.variables, variable: bound})

    def inside_predicate(self, place: Place | None) -> Scope:
        """The scope of a predicate on the nodes at a place."""
        kind = None if place is None else place.type
        context = Typed(PathTo(CONTEXT), place, kind)
        return replace(self, context=context, level=self.level + 1)

    def with_context(self, context: Typed) -> Scope:
        """The scope in which the context item is a variable of the algebra."""
        return replace(self, context=context)

    def lookup(self, reference: syntax.VariableReference) -> Typed | StreamPath:
        """What a variable stands for."""
        bound = self.variables.get(reference.name)
        if bound is None:
            raise QueryError(
                f"no variable ${reference.name} is known here",
                code="unknown-variable",
                span=reference.span,
                help=did_you_mean(f"${reference.name}", (f"${name}" for name in self.variables)),
            )
        if bound.level not in (None, self.level):
            raise UnsupportedError(
                f"${reference.name} depends on the context item of an outer predicate",
                span=reference.span,
                help="bind the outer node with a for clause and start from its variable",
            )
        return bound.value

    def context_item(self, span: Span) -> Typed:
        """The node that a predicate asks about."""
        if self.context is None:
            raise QueryError(
                "there is no context item here",
                code="no-context",
                span=span,
                help="start the path from a variable, like $p/en",
            )
        return self.context
