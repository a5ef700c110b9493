"""Element constructors inside results."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from millstream.algebra.expressions import (
    Expression,
    NewAttribute,
    NewElement,
    PathTo,
    Step,
    Text,
)
from millstream.errors import QueryError, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering import places
from millstream.languages.xquery.lowering.scope import Scope, Typed
from millstream.languages.xquery.lowering.values import ValueLowering

Part = syntax.Content | syntax.ComputedAttribute


class ConstructorLowering(ValueLowering):
    """Lowers constructors."""

    def element(
        self, element: syntax.DirectElement | syntax.ComputedElement, scope: Scope
    ) -> Typed:
        """A constructed element: computed attributes that come first are attributes of it."""
        attributes = [self._attribute(each, scope) for each in direct_attributes(element)]
        content: list[Expression] = []
        for part in content_parts(element):
            if not isinstance(part, syntax.ComputedAttribute):
                content += self._part(part, scope)
            elif content:
                raise QueryError("an attribute must come before other content", span=part.span)
            else:
                attributes.append(self._computed_attribute(part, scope))
        _check_distinct(attributes, element)
        name = static_name(element)
        return Typed(NewElement(name, tuple(attributes), tuple(content)))

    def text(self, text: syntax.ComputedText, scope: Scope) -> Typed:
        """A computed text: of a literal, or of one leaf."""
        if isinstance(text.content, syntax.StringLiteral):
            return Typed(Text(text.content.value))
        content = self.value(text.content, scope)
        leaf = content.place is not None and places.text(content.place) is not None
        if content.many or not leaf or not isinstance(content.expression, PathTo):
            raise UnsupportedError(
                "a computed text is supported for strings and for single leaves only",
                span=text.span,
                help="put the expression in braces inside the element",
            )
        path = content.expression
        return Typed(PathTo(path.variable, (*path.steps, Step("text()"))))

    def refuse_attribute(self, attribute: syntax.ComputedAttribute) -> Typed:
        raise UnsupportedError(
            "a computed attribute is supported at the beginning of an element only",
            span=attribute.span,
        )

    def _attribute(self, attribute: syntax.DirectAttribute, scope: Scope) -> NewAttribute:
        parts = tuple(
            Text(part.value)
            if isinstance(part, syntax.Text)
            else self.lowered(part.expression, scope)
            for part in attribute.parts
        )
        return NewAttribute(attribute.name, parts)

    def _computed_attribute(
        self, attribute: syntax.ComputedAttribute, scope: Scope
    ) -> NewAttribute:
        return NewAttribute(static_name(attribute), (self.lowered(attribute.content, scope),))

    def _part(self, part: syntax.Content, scope: Scope) -> Iterator[Expression]:
        match part:
            case syntax.Text(value):
                yield Text(value)
            case syntax.DirectElement():
                yield self.element(part, scope).expression
            case syntax.Enclosed(expression):
                yield self.lowered(expression, scope)
            case syntax.Comment():
                return


def static_name(
    node: syntax.DirectElement | syntax.ComputedElement | syntax.ComputedAttribute,
) -> str:
    """The name of a constructed node, which must not depend on data."""
    name = node.name.value if isinstance(node.name, syntax.StringLiteral) else node.name
    if isinstance(name, str):
        return name
    raise UnsupportedError(
        "a computed name is not supported", span=name.span, help="write the name itself"
    )


def direct_attributes(
    element: syntax.DirectElement | syntax.ComputedElement,
) -> tuple[syntax.DirectAttribute, ...]:
    """The attributes written in the tag."""
    return element.attributes if isinstance(element, syntax.DirectElement) else ()


def content_parts(
    element: syntax.DirectElement | syntax.ComputedElement,
) -> Iterator[Part]:
    """The content part by part, with computed attributes apart from what they stand before."""
    if isinstance(element, syntax.ComputedElement):
        yield from _enclosed_parts(syntax.Enclosed(element.content, span=element.content.span))
        return
    for part in element.content:
        if isinstance(part, syntax.Enclosed):
            yield from _enclosed_parts(part)
        else:
            yield part


def _enclosed_parts(part: syntax.Enclosed) -> Iterator[Part]:
    items: tuple[syntax.Expression, ...] = (part.expression,)
    if isinstance(part.expression, syntax.Sequence):
        items = part.expression.items
    leading = tuple(takewhile(_is_attribute, items))
    yield from (each for each in leading if isinstance(each, syntax.ComputedAttribute))
    rest = items[len(leading) :]
    if len(rest) == 1:
        yield syntax.Enclosed(rest[0], span=part.span)
    elif rest:
        yield syntax.Enclosed(syntax.Sequence(rest, span=part.expression.span), span=part.span)


def _is_attribute(expression: syntax.Expression) -> bool:
    return isinstance(expression, syntax.ComputedAttribute)


def _check_distinct(
    attributes: list[NewAttribute], element: syntax.DirectElement | syntax.ComputedElement
) -> None:
    names = [attribute.name for attribute in attributes]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise QueryError(f"attribute {twice[0]} occurs twice", span=element.span)
