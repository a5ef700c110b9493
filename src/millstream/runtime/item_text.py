"""An item of a log as XML text again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from millstream.model.schema import TEXT_FIELD, Content, Element


def item_text(value: Any, element: Element) -> str:
    """The XML of one occurrence of an element, given its field in a row."""
    if element.content is Content.RAW:
        return str(value)
    if element.plain_leaf:
        return f"<{element.name}>{escape(value)}</{element.name}>"
    attributes = "".join(_attributes(value, element))
    content = "".join(_content(value, element))
    return f"<{element.name}{attributes}>{content}</{element.name}>"


def plain_item(element: Element) -> str:
    """An item as a schema lets one expect it, when none has been seen."""
    return item_text(_expected(element), element)


def _attributes(value: Mapping[str, Any], element: Element) -> Iterator[str]:
    for attribute in element.attributes:
        text = value.get(f"@{attribute.name}")
        if text is not None:
            yield f" {attribute.name}={quoteattr(text)}"


def _content(value: Mapping[str, Any], element: Element) -> Iterator[str]:
    if element.content is Content.LEAF:
        yield escape(value.get(TEXT_FIELD) or "")
    for child in element.children:
        found = value.get(child.name)
        if found is not None:
            for each in found if child.repeated else (found,):
                yield item_text(each, child)


_UNKNOWN = "0.000000"
"""Stands for text of which nothing is known but that it will be there."""


def _expected(element: Element) -> Any:
    if element.content is Content.RAW:
        return f"<{element.name}>{_UNKNOWN}</{element.name}>"
    if element.plain_leaf:
        return _UNKNOWN
    fields: dict[str, Any] = {f"@{each.name}": _UNKNOWN for each in element.attributes}
    fields[TEXT_FIELD] = _UNKNOWN
    for child in element.children:
        one = _expected(child)
        fields[child.name] = [one] if child.repeated else one
    return fields
