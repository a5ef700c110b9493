"""What every part of lowering may ask of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from millstream.algebra.expressions import Expression
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.catalog import Catalog
from millstream.languages.xquery.lowering.scope import Bound, Scope, StreamPath, Typed


class ValueLowering(ABC):
    """Lowers expressions; each kind of expression has a file of its own."""

    def __init__(
        self, catalog: Catalog, functions: Mapping[str, syntax.FunctionDeclaration]
    ) -> None:
        self.catalog = catalog
        self.functions = functions
        self.variables: Mapping[str, Bound] = {}
        """The variables that the query declares, once they are lowered."""

    @abstractmethod
    def value(self, expression: syntax.Expression, scope: Scope) -> Typed:
        """The expression in the algebra, with what is known of its value."""

    @abstractmethod
    def predicate(self, predicate: syntax.Expression, scope: Scope) -> Expression:
        """A predicate of a step, in the scope of its context item."""

    @abstractmethod
    def stream_path(self, expression: syntax.Expression, scope: Scope) -> StreamPath | None:
        """The stream and steps of an expression that reads a stream; None for others."""

    def lowered(self, expression: syntax.Expression, scope: Scope) -> Expression:
        """The expression in the algebra."""
        return self.value(expression, scope).expression

    @abstractmethod
    def named_call(self, call: syntax.FunctionCall, scope: Scope, name: str) -> Typed:
        """A call whose value has a name in the query."""
