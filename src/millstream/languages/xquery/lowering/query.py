"""A whole query: the root of its result stream, and the loops inside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from millstream.algebra.operators import Construct, Query
from millstream.algebra.tagged_results import carrying_tags
from millstream.algebra.walk import transform_query
from millstream.errors import QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.cursor import too_deep
from millstream.languages.xquery.lowering.catalog import Catalog
from millstream.languages.xquery.lowering.constructors import (
    content_parts,
    direct_attributes,
    static_name,
)
from millstream.languages.xquery.lowering.expressions import Lowering
from millstream.languages.xquery.lowering.scope import Names, Scope
from millstream.languages.xquery.lowering.window_aggregates import WindowAggregates
from millstream.languages.xquery.lowering.xml_text import escaped, quoted_attribute


def lower(module: syntax.Module, catalog: Catalog) -> Query:
    """The algebra of a query over the streams of a catalog."""
    try:
        lowering = Lowering(catalog, _functions(module))
        scope = Scope()
        for declaration in module.declarations:
            if isinstance(declaration, syntax.VariableDeclaration):
                clause = syntax.Let(declaration.name, declaration.value, span=declaration.span)
                scope = lowering.let(clause, scope)
        lowering.variables = scope.variables
        query = _Roots(lowering).query(module.body, scope)
        return transform_query(query, carrying_tags) if module.with_tags else query
    except RecursionError:
        raise too_deep(module.span) from None


@dataclass(slots=True)
class _Roots:
    """Collects what stands around the loops of a query, and the loops themselves."""

    lowering: Lowering
    opening: list[str] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)
    branches: list[Construct] = field(default_factory=list)

    def query(self, body: syntax.Expression, scope: Scope) -> Query:
        self._expression(body, scope)
        if not self.branches:
            raise UnsupportedError(
                "this query reads no stream",
                code="no-stream",
                span=body.span,
                help='a subscription goes through a stream: for $p in stream("name")/…',
            )
        return Query(tuple(self.branches), "".join(self.opening), "".join(self.closing))

    def _expression(self, expression: syntax.Expression, scope: Scope) -> None:
        match expression:
            case syntax.DirectElement() | syntax.ComputedElement():
                self._root(expression, scope)
            case syntax.Sequence(items):
                for item in items:
                    self._expression(item, scope)
            case syntax.StringLiteral(text) | syntax.NumberLiteral(text):
                self._emit(escaped(text))
            case syntax.Flwor() if _only_lets(expression):
                for clause in expression.clauses:
                    assert isinstance(clause, syntax.Let), "only lets"
                    scope = self.lowering.let(clause, scope)
                self._expression(expression.result, scope)
            case syntax.Flwor():
                self._branch(expression, scope)
            case _:
                self._other(expression, scope)

    def _root(self, element: syntax.DirectElement | syntax.ComputedElement, scope: Scope) -> None:
        name = static_name(element)
        attributes = "".join(
            f" {each.name}={quoted_attribute(_static_value(each))}"
            for each in direct_attributes(element)
        )
        parts = tuple(content_parts(element))
        if not parts:
            self._emit(f"<{name}{attributes}/>")
            return
        self._emit(f"<{name}{attributes}>")
        for part in parts:
            self._part(part, scope)
        self._emit(f"</{name}>")

    def _part(self, part: syntax.Content | syntax.ComputedAttribute, scope: Scope) -> None:
        match part:
            case syntax.Text(value):
                self._emit(escaped(value))
            case syntax.DirectElement():
                self._root(part, scope)
            case syntax.Enclosed(expression):
                self._expression(expression, scope)
            case syntax.ComputedAttribute():
                raise _beside(part.span)

    def _other(self, expression: syntax.Expression, scope: Scope) -> None:
        """A path into a stream is the same as a loop that returns its variable."""
        if self.lowering.stream_path(expression, scope) is None:
            raise _beside(expression.span)
        clause = syntax.For("item", expression, span=expression.span)
        result = syntax.VariableReference("item", span=expression.span)
        self._branch(syntax.Flwor((clause,), result, span=expression.span), scope)

    def _branch(self, flwor: syntax.Flwor, scope: Scope) -> None:
        if self.closing:
            raise UnsupportedError(
                "content between two loops is not supported: the first may never end",
                span=flwor.span,
                help="put the loops side by side in one root, or make two subscriptions",
            )
        own = replace(scope, names=Names(), aggregates=WindowAggregates())
        self.branches.append(self.lowering.branch(flwor, own))

    def _emit(self, xml: str) -> None:
        (self.closing if self.branches else self.opening).append(xml)


def _functions(module: syntax.Module) -> dict[str, syntax.FunctionDeclaration]:
    functions: dict[str, syntax.FunctionDeclaration] = {}
    for each in module.declarations:
        if isinstance(each, syntax.FunctionDeclaration):
            if each.name in functions:
                raise QueryError(f"{each.name}() is declared twice", span=each.span)
            functions[each.name] = each
    return functions


def _only_lets(flwor: syntax.Flwor) -> bool:
    lets = all(isinstance(clause, syntax.Let) for clause in flwor.clauses)
    return lets and flwor.where is None and not flwor.order


def _static_value(attribute: syntax.DirectAttribute) -> str:
    values = []
    for part in attribute.parts:
        match part:
            case syntax.Text(value) | syntax.Enclosed(syntax.StringLiteral(value)):
                values.append(value)
            case _:
                raise _beside(part.span)
    return "".join(values)


def _beside(span: Span) -> UnsupportedError:
    return UnsupportedError(
        "beside the loops over streams, only literal content is supported",
        span=span,
        help='go through a stream: for $p in stream("name")/… return …',
    )
