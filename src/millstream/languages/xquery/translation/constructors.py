"""Constructors: what is put into an element takes its lifespan along."""

from __future__ import annotations

from millstream.errors import QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import call
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import Kind, Shape, Translated
from millstream.languages.xquery.translation.translation_base import TranslationBase

MADE = Shape.of(Kind.MADE)


class ConstructorTranslation(TranslationBase):
    """Translates constructors."""

    def direct(self, element: syntax.DirectElement, scope: Scope) -> Translated:
        _check_name(element.name, element.span)
        attributes = tuple(self._direct_attribute(each, scope) for each in element.attributes)
        content = tuple(self._part(each, scope) for each in element.content)
        return Translated(syntax.DirectElement(element.name, attributes, content), MADE)

    def computed(
        self, made: syntax.ComputedElement | syntax.ComputedAttribute, scope: Scope
    ) -> Translated:
        name = made.name
        if isinstance(name, str):
            _check_name(name, made.span)
        else:
            name = self.text(name, scope).expression
        if isinstance(made, syntax.ComputedElement):
            content = self._content(made.content, scope)
            return Translated(syntax.ComputedElement(name, content), MADE)
        value = self.text(made.content, scope).expression
        return Translated(syntax.ComputedAttribute(name, value), Shape.of(Kind.ATTRIBUTE))

    def computed_text(self, made: syntax.ComputedText, scope: Scope) -> Translated:
        value = self.text(made.content, scope).expression
        return Translated(syntax.ComputedText(value), Shape.of(Kind.TEXT_NODE))

    def _direct_attribute(
        self, attribute: syntax.DirectAttribute, scope: Scope
    ) -> syntax.DirectAttribute:
        if attribute.name == "xmlns" or attribute.name.startswith("xmlns:"):
            raise UnsupportedError("namespaces are not supported", span=attribute.span)
        _check_name(attribute.name, attribute.span)
        parts = tuple(
            syntax.Enclosed(self.text(part.expression, scope).expression)
            if isinstance(part, syntax.Enclosed)
            else part
            for part in attribute.parts
        )
        return syntax.DirectAttribute(attribute.name, parts)

    def _part(self, part: syntax.Content, scope: Scope) -> syntax.Content:
        match part:
            case syntax.Enclosed(expression):
                return syntax.Enclosed(self._content(expression, scope))
            case syntax.DirectElement():
                inner = self.direct(part, scope).expression
                assert isinstance(inner, syntax.DirectElement), "a constructor stays one"
                return inner
        return part

    def _content(self, expression: syntax.Expression, scope: Scope) -> syntax.Expression:
        """What is put into an element: nodes whole and with their lifespans, times as shown."""
        if isinstance(expression, syntax.Sequence):
            return syntax.Sequence(tuple(self._content(each, scope) for each in expression.items))
        found = self.translated(expression, scope)
        if found.shape.may_be(Kind.INTERVAL):
            raise QueryError("an interval is no content", code="type", span=expression.span)
        content = self.whole(found)
        if content is found.expression and self._takes_time_along(found.shape):
            content = call("temporalize", content)
        return call("shown", content) if found.shape.may_be(Kind.TIME, Kind.ANY) else content

    def _takes_time_along(self, shape: Shape) -> bool:
        return self.keeps_time and any(map(self.structures.has_filler, shape.stored))


def _check_name(name: str, span: Span) -> None:
    prefix, colon, _ = name.partition(":")
    if colon and prefix != "xml":
        raise UnsupportedError("a name with a prefix is not supported here", span=span)
