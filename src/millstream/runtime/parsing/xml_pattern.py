"""The usual spelling of a schema's items as one regular expression.

An item that the expression matches is well-formed and fits the schema by construction: children
and attributes in schema order, values in double quotes, text without references, comments,
carriage returns or control characters. It captures, in this order for each element: attributes,
text, children; after an optional child an empty group that took part if the child did; of a
repeated child the whole run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto

from lxml import etree

from millstream.model.schema import Attribute, Content, Element, Occurs

# lxml refuses deeper nesting; far below its limit, matching means acceptance.
_MAX_DEPTH = 50
_MAX_ELEMENTS = 500

_WHITE = rb"[ \t\r\n]*+"
_TEXT = rb"[^<>&\x00-\x08\x0b-\x1f]*+"
_ATTRIBUTE_TEXT = rb'[^<>&"\x00-\x1f]*+'


def is_regular(item: Element, namespaces: Mapping[str, str]) -> bool:
    """True when an expression can tell that an item fits this schema."""
    elements = list(_elements(item, 1))
    if len(elements) > _MAX_ELEMENTS or max(depth for _, depth in elements) > _MAX_DEPTH:
        return False
    return all(_is_plain(element, namespaces) for element, _ in elements)


def items_pattern(item: Element) -> re.Pattern[bytes]:
    """The expression of an item and the white space that follows it."""
    return re.compile(_one(item, capture=True) + _WHITE)


class Group(Enum):
    """What a group of the expression captures."""

    ATTRIBUTE = auto()
    TEXT = auto()
    OTHER = auto()
    """That a child is there, or the whole run of a repeated one."""


def groups(element: Element) -> Iterator[Group]:
    """The groups of the expression, in their order."""
    yield from (Group.ATTRIBUTE for _ in element.attributes)
    if element.content is Content.LEAF:
        yield Group.TEXT
        return
    for child in element.children:
        if not child.repeated:
            yield from groups(child)
        if child.occurs is not Occurs.ONE:
            yield Group.OTHER


def occurrences_pattern(element: Element) -> re.Pattern[bytes]:
    """The expression that finds the occurrences of a repeated element in a captured run."""
    return re.compile(_one(element, capture=True))


def _elements(element: Element, depth: int) -> Iterator[tuple[Element, int]]:
    yield element, depth
    for child in element.children:
        yield from _elements(child, depth + 1)


def _is_plain(element: Element, namespaces: Mapping[str, str]) -> bool:
    if element.content is Content.RAW:
        return False
    prefix, colon, local = element.name.rpartition(":")
    if colon and (prefix == "xml" or prefix not in namespaces):
        return False
    return _is_xml_name(local) and all(
        each.name != "xmlns" and _is_xml_name(each.name) for each in element.attributes
    )


def _is_xml_name(name: str) -> bool:
    """True when lxml, the judge of what is well-formed, takes the name for a tag."""
    try:
        return etree.fromstring(f"<{name}/>".encode()).tag == name
    except etree.XMLSyntaxError:
        return False


def _one(element: Element, *, capture: bool) -> bytes:
    """One occurrence of an element."""
    name = re.escape(element.name.encode())
    opening = b"".join((b"<", name, *(_attribute(each, capture) for each in element.attributes)))
    closing = b"</" + name + b">"
    if element.content is Content.LEAF:
        return opening + rb"(?:>" + _group(_TEXT, capture) + closing + rb"|/>)"
    if not element.children:
        return opening + rb"(?:>" + _WHITE + closing + rb"|/>)"
    children = b"".join(_child(child, capture) for child in element.children)
    return opening + rb">" + _WHITE + children + closing


def _child(child: Element, capture: bool) -> bytes:
    """As many occurrences of a child as its parent may have."""
    if child.repeated:
        often = rb"+" if child.occurs is Occurs.SOME else rb"*"
        return _group(rb"(?:" + _one(child, capture=False) + _WHITE + rb")" + often, capture)
    once = _one(child, capture=capture)
    if child.occurs is Occurs.ONE:
        return once + _WHITE
    return rb"(?:" + once + _group(b"", capture) + _WHITE + rb")?"


def _attribute(attribute: Attribute, capture: bool) -> bytes:
    name = re.escape(attribute.name.encode())
    value = rb"[ \t\r\n]++" + name + rb'="' + _group(_ATTRIBUTE_TEXT, capture) + rb'"'
    return value if attribute.required else rb"(?:" + value + rb")?"


def _group(pattern: bytes, capture: bool) -> bytes:
    return rb"(" + pattern + rb")" if capture else pattern
