"""Nodes of a row as XML text, in SQL."""

from __future__ import annotations

from millstream.compiler.columns import field, text_field
from millstream.compiler.names import string
from millstream.model.schema import Content, Element, ValueType


def escaped_text(sql: str, type: ValueType = ValueType.TEXT) -> str:
    """Text as it stands between tags; null stays null."""
    if type is not ValueType.TEXT:
        return sql  # numbers and times have nothing to escape
    return f"replace(replace(replace({sql}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"


def escaped_attribute(sql: str) -> str:
    """Text as it stands between the quotes of an attribute; null stays null."""
    return f"replace({escaped_text(sql)}, '\"', '&quot;')"


def attribute_xml(sql: str, name: str) -> str:
    """An attribute with a space before it; empty if absent."""
    opening = string(f' {name}="')
    return f"coalesce(concat({opening}, {escaped_attribute(sql)}, '\"'), '')"


def node_xml(sql: str, element: Element, depth: int = 0) -> str:
    """An element of a row as XML; null if absent."""
    if element.content is Content.RAW:
        return sql
    if element.plain_leaf:
        return _leaf_xml(sql, element)
    attributes = [
        attribute_xml(field(sql, f"@{each.name}"), each.name) for each in element.attributes
    ]
    opening = ", ".join([string(f"<{element.name}"), *attributes])
    xml = f"concat({opening}, {_rest(sql, element, depth)})"
    return f"if({sql} IS NULL, NULL, {xml})"


def _leaf_xml(sql: str, element: Element) -> str:
    name, text = element.name, escaped_text(sql, element.type)
    full = f"concat({string(f'<{name}>')}, {text}, {string(f'</{name}>')})"
    return f"if({sql} = '', {string(f'<{name}/>')}, {full})"


def _rest(sql: str, element: Element, depth: int) -> str:
    """What follows the attributes: the content and the closing tag, or the end of an empty tag."""
    closing = string(f"</{element.name}>")
    if element.content is Content.LEAF:
        text = text_field(sql, element)
        full = f"concat('>', {escaped_text(text, element.type)}, {closing})"
        return f"if({text} <> '', {full}, '/>')"
    if not element.children:
        return "'/>'"
    content = ", ".join(_child_xml(sql, child, depth) for child in element.children)
    empty = " AND ".join(_is_absent(sql, child) for child in element.children)
    return f"if({empty}, '/>', concat('>', {content}, {closing}))"


def _child_xml(sql: str, child: Element, depth: int) -> str:
    below = field(sql, child.name)
    if not child.repeated:
        return f"coalesce({node_xml(below, child, depth)}, '')"
    name = f"child_{depth}"
    each = node_xml(name, child, depth + 1)
    return f"coalesce(array_join(transform({below}, {name} -> {each}), ''), '')"


def _is_absent(sql: str, child: Element) -> str:
    below = field(sql, child.name)
    return f"coalesce(size({below}), 0) = 0" if child.repeated else f"{below} IS NULL"
