"""Items of XML with only what a narrower schema keeps, by means of their own."""

from __future__ import annotations

from lxml import etree

from millstream.model.schema import Content, Element, Schema


def narrow_item(text: str, schema: Schema) -> str:
    """The item without the elements and attributes that the schema lacks."""
    node = etree.fromstring(text)
    _narrow(node, schema.item)
    return etree.tostring(node, encoding="unicode")


def _narrow(node: etree._Element, element: Element) -> None:
    if element.content is Content.RAW:
        return
    for name in list(node.attrib):
        if element.attribute(str(name)) is None:
            del node.attrib[name]
    for child in list(node):
        known = element.child(str(child.tag))
        if known is None:
            node.remove(child)
        else:
            _narrow(child, known)
