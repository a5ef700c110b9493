"""Constructors back to text."""

from __future__ import annotations

from collections.abc import Callable

from millstream.languages.xquery import syntax
from millstream.languages.xquery.unparsed_text import attribute_text, content_text

Printer = Callable[[syntax.Expression], str]
"""How expressions inside a constructor are printed."""


def direct_element(element: syntax.DirectElement, show: Printer) -> str:
    """A direct element constructor, with no white space of its own."""
    head = " ".join((element.name, *(_attribute(each, show) for each in element.attributes)))
    if not element.content:
        return f"<{head}/>"
    content = "".join(_part(each, show) for each in element.content)
    return f"<{head}>{content}</{element.name}>"


def computed_name(name: str | syntax.Expression, show: Printer) -> str:
    """The name of a computed constructor, in braces if it is computed too."""
    return name if isinstance(name, str) else f"{{ {show(name)} }}"


def _attribute(attribute: syntax.DirectAttribute, show: Printer) -> str:
    value = "".join(
        attribute_text(part.value) if isinstance(part, syntax.Text) else _enclosed(part, show)
        for part in attribute.parts
    )
    return f'{attribute.name}="{value}"'


def _part(part: syntax.Content, show: Printer) -> str:
    match part:
        case syntax.Text(value):
            return content_text(value)
        case syntax.Comment(value):
            return f"<!--{value}-->"
        case syntax.Enclosed():
            return _enclosed(part, show)
        case syntax.DirectElement():
            return direct_element(part, show)


def _enclosed(enclosed: syntax.Enclosed, show: Printer) -> str:
    return f"{{ {show(enclosed.expression)} }}"
