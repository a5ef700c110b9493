"""What every part of the translation may ask of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod

from millstream.errors import QueryError, Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import call
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import Kind, Shape, Translated
from millstream.languages.xquery.translation.strategy import Strategy
from millstream.languages.xquery.translation.structures import Structures


class TranslationBase(ABC):
    """Translates expressions; each kind of expression has a file of its own."""

    def __init__(self, structures: Structures, strategy: Strategy, *, keeps_time: bool) -> None:
        self.structures = structures
        self.strategy = strategy
        self.keeps_time = keeps_time
        """True if what is constructed may be asked for its lifespan."""
        self.projections: dict[syntax.Expression, str] = {}
        """The projections of whole streams, with the names of variables that hold them."""

    @abstractmethod
    def translated(self, expression: syntax.Expression, scope: Scope) -> Translated:
        """The expression in plain XQuery, with the shape of its value."""

    def plain(self, expression: syntax.Expression, scope: Scope) -> syntax.Expression:
        """The expression in plain XQuery; nodes keep their identity."""
        return self.translated(expression, scope).expression

    def predicates(
        self, predicates: tuple[syntax.Expression, ...], shape: Shape, scope: Scope
    ) -> tuple[syntax.Expression, ...]:
        """Predicates on items of a shape."""
        return tuple(self.plain(each, scope.within(shape)) for each in predicates)

    def value(self, expression: syntax.Expression, scope: Scope) -> Translated:
        """An expression whose text or number counts: what is in holes belongs to it."""
        found = self.translated(expression, scope)
        _refuse_interval(found.shape, expression.span)
        return Translated(self.whole(found), found.shape)

    def text(self, expression: syntax.Expression, scope: Scope) -> Translated:
        """An expression whose value is written out."""
        found = self.value(expression, scope)
        if found.shape.may_be(Kind.TIME, Kind.ANY):
            return Translated(call("shown", found.expression), found.shape)
        return found

    def whole(self, found: Translated) -> syntax.Expression:
        """Nodes with their holes filled, if they may have some."""
        holed = any(self.structures.has_holes(place) for place in found.shape.stored)
        unknown = found.shape.may_be(Kind.ANY) and self.strategy is not Strategy.CAQ
        return call("temporalize", found.expression) if holed or unknown else found.expression


def _refuse_interval(shape: Shape, span: Span) -> None:
    if shape.may_be(Kind.INTERVAL):
        raise QueryError(
            "an interval is no value",
            code="type",
            span=span,
            help="intervals stand beside words such as before or during; times in ?[ ]",
        )
