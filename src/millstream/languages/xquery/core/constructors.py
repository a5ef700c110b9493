"""Constructors: elements and attributes that a query makes."""

from __future__ import annotations

from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.base import LoweringBase
from millstream.languages.xquery.core.scope import Lowered, Scope


class ConstructorLowering(LoweringBase):
    """Lowers constructors."""

    def direct(self, element: syntax.DirectElement, scope: Scope) -> Lowered:
        attributes = [self._made_attribute(each, scope) for each in element.attributes]
        content: list[core.Expression] = []
        for part in element.content:
            match part:
                case syntax.Text(value):
                    content.append(core.MadeText(value))
                case syntax.Enclosed(expression):
                    more, rest = self._enclosed(expression, scope, first=not content)
                    attributes += more
                    content += rest
                case syntax.DirectElement():
                    content.append(self.direct(part, scope).expression)
                case _:
                    return self.untranslated(element, "a comment in a constructor")
        made = core.MadeElement(element.name, tuple(attributes), tuple(content), span=element.span)
        return Lowered(made)

    def computed(self, made: syntax.ComputedElement, scope: Scope) -> Lowered:
        if not isinstance(made.name, str):
            return self.untranslated(made, "an element whose name is computed")
        attributes, content = self._enclosed(made.content, scope, first=True)
        return Lowered(
            core.MadeElement(made.name, tuple(attributes), tuple(content), span=made.span)
        )

    def _enclosed(
        self, expression: syntax.Expression, scope: Scope, *, first: bool
    ) -> tuple[list[core.MadeAttribute], list[core.Expression]]:
        """The attributes that come first, and what else is enclosed."""
        items = list(expression.items) if isinstance(expression, syntax.Sequence) else [expression]
        attributes: list[core.MadeAttribute] = []
        while first and items and isinstance(items[0], syntax.ComputedAttribute):
            name = items[0].name
            if not isinstance(name, str):
                break
            value = self.plain(items[0].content, scope)
            attributes.append(core.MadeAttribute(name, (value,), span=items[0].span))
            items.pop(0)
        if not items:
            return attributes, []
        rest = items[0] if len(items) == 1 else syntax.Sequence(tuple(items), span=expression.span)
        return attributes, [self.plain(rest, scope)]

    def _made_attribute(
        self, attribute: syntax.DirectAttribute, scope: Scope
    ) -> core.MadeAttribute:
        parts = tuple(
            core.Literal(part.value)
            if isinstance(part, syntax.Text)
            else self.plain(part.expression, scope)
            for part in attribute.parts
        )
        return core.MadeAttribute(attribute.name, parts, span=attribute.span)
