"""A schema as an indented tree, for people."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.model.schema import Attribute, Content, Element, Schema

_OCCURRENCE = {"?": "optional", "*": "any number", "+": "one or more"}


def describe(schema: Schema) -> str:
    """The elements and attributes of a schema, one a line, with occurrence and type."""
    rows = list(_rows(schema.item, 1))
    if schema.root != schema.item.name:
        rows.insert(0, (schema.root, ""))
    else:
        rows = list(_rows(schema.item, 0))
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"{label:{width}}  {what}".rstrip() for label, what in rows)


def _rows(element: Element, depth: int) -> Iterator[tuple[str, str]]:
    yield "  " * depth + element.name, _element_words(element)
    for attribute in element.attributes:
        yield "  " * (depth + 1) + f"@{attribute.name}", _attribute_words(attribute)
    for child in element.children:
        yield from _rows(child, depth + 1)


def _element_words(element: Element) -> str:
    kind = {Content.LEAF: element.type.value, Content.RAW: "xml text", Content.NESTED: ""}
    words = (kind[element.content], _OCCURRENCE.get(element.occurs.value, ""))
    return ", ".join(filter(None, words))


def _attribute_words(attribute: Attribute) -> str:
    return attribute.type.value + ("" if attribute.required else ", optional")
