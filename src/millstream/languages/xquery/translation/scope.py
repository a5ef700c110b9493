"""What names mean at a place in a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from millstream.errors import QueryError, Span, did_you_mean
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.shape import Shape


@dataclass(frozen=True, slots=True)
class Bound:
    """What a variable stands for."""

    shape: Shape
    path: syntax.Path | None = None
    """The path from a stream, without predicates, that it is another name of."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables and the context item that an expression sees."""

    variables: Mapping[str, Bound] = field(default_factory=dict)
    context: Shape | None = None
    last: syntax.Expression | None = None
    """What 'last' means: in the brackets of a version projection, how many versions there are."""

    def bind(self, name: str, shape: Shape, path: syntax.Path | None = None) -> Scope:
        """This scope with one more variable."""
        return replace(self, variables={**self.variables, name: Bound(shape, path)})

    def within(self, context: Shape) -> Scope:
        """The scope of a predicate or step on items of a shape."""
        return replace(self, context=context, last=None)

    def lookup(self, reference: syntax.VariableReference) -> Bound:
        """What a variable stands for."""
        if reference.name not in self.variables:
            known = (f"${name}" for name in self.variables)
            raise QueryError(
                f"no variable ${reference.name} is known here",
                code="unknown-variable",
                span=reference.span,
                help=did_you_mean(f"${reference.name}", known),
            )
        return self.variables[reference.name]

    def context_shape(self, span: Span) -> Shape:
        """The shape of the context item."""
        if self.context is None:
            raise QueryError(
                "there is no context item here",
                code="no-context",
                span=span,
                help="start the path from a variable, like $a/amount",
            )
        return self.context
