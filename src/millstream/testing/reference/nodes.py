"""Items as small immutable trees: what a schema says of them, and how they print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from millstream.errors import ItemError
from millstream.model.schema import Content, Element, ValueType

XML_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True, eq=False)
class TextNode:
    """A run of text inside an element, with the type that the schema gives to it."""

    text: str
    type: ValueType = ValueType.TEXT


@dataclass(frozen=True, slots=True, eq=False)
class AttributeNode:
    """An attribute, with the type that the schema gives to its value."""

    name: str
    text: str
    type: ValueType = ValueType.TEXT


@dataclass(frozen=True, slots=True, eq=False)
class ElementNode:
    """An element, read from an item or constructed."""

    name: str
    attributes: tuple[AttributeNode, ...] = ()
    children: tuple[ElementNode | TextNode, ...] = ()
    type: ValueType = ValueType.TEXT


Node = ElementNode | AttributeNode | TextNode


def read_item(xml: str, element: Element) -> ElementNode:
    """The item as a tree: typed by its schema, children of nested elements in schema order."""
    parser = etree.XMLParser(remove_comments=True, remove_pis=True, resolve_entities=False)
    try:
        root = etree.fromstring(xml.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise ItemError(f"an item is not well-formed XML: {error}") from error
    return _typed(root, element)


def string_value(node: Node) -> str:
    """All text inside a node, as in XQuery."""
    if isinstance(node, ElementNode):
        return "".join(string_value(child) for child in node.children)
    return node.text


def serialize(node: Node) -> str:
    """The XML of an element; the bare value of an attribute or text."""
    if not isinstance(node, ElementNode):
        return escape_text(node.text)
    attributes = "".join(
        f' {each.name}="{escape_attribute(each.text)}"' for each in node.attributes
    )
    content = "".join(serialize(child) for child in node.children)
    start = f"<{node.name}{attributes}"
    return f"{start}>{content}</{node.name}>" if content else f"{start}/>"


def escape_text(text: str) -> str:
    """Text as it stands between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_attribute(text: str) -> str:
    """Text as it stands between the quotes of an attribute."""
    return escape_text(text).replace('"', "&quot;")


def _typed(xml: etree._Element, element: Element) -> ElementNode:
    attributes = tuple(
        AttributeNode(each.name, value, each.type)
        for each in element.attributes
        if (value := xml.get(each.name)) is not None
    )
    match element.content:
        case Content.LEAF:
            children: tuple[ElementNode | TextNode, ...] = _leaf_text(xml, element.type)
        case Content.NESTED:
            children = tuple(_in_schema_order(xml, element))
        case Content.RAW:
            return _untyped(xml)
    return ElementNode(element.name, attributes, children, element.type)


def _leaf_text(xml: etree._Element, value_type: ValueType) -> tuple[TextNode, ...]:
    text = "".join(str(each) for each in xml.itertext())
    return (TextNode(text, value_type),) if text else ()


def _in_schema_order(xml: etree._Element, element: Element) -> Iterator[ElementNode]:
    for child in element.children:
        for each in xml.iterchildren(child.name):
            yield _typed(each, child)


def _untyped(xml: etree._Element) -> ElementNode:
    attributes = tuple(AttributeNode(_name(name), str(value)) for name, value in xml.attrib.items())
    return ElementNode(_name(xml.tag), attributes, tuple(_mixed(xml)))


def _mixed(xml: etree._Element) -> Iterator[ElementNode | TextNode]:
    if xml.text:
        yield TextNode(xml.text)
    for child in xml:
        yield _untyped(child)
        if child.tail:
            yield TextNode(child.tail)


def _name(name: object) -> str:
    return str(etree.QName(str(name)).localname)
