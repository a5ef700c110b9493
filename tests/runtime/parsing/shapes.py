"""Schemas, items and spellings that the parsing tests draw from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from millstream.model.schema import (
    TEXT_FIELD,
    Attribute,
    Content,
    Element,
    Occurs,
    Schema,
    ValueType,
)

NESTED = Content.NESTED
INTEGER, DECIMAL = ValueType.INTEGER, ValueType.DECIMAL


def leaf(name: str, type: ValueType = ValueType.TEXT, occurs: Occurs = Occurs.ONE) -> Element:
    return Element(name, occurs, type=type)


def nested(name: str, *children: Element, occurs: Occurs = Occurs.ONE) -> Element:
    return Element(name, occurs, NESTED, children)


PHOTONS = Schema(
    "photons",
    nested(
        "photon",
        nested(
            "coord",
            nested("cel", leaf("ra", DECIMAL), leaf("dec", DECIMAL)),
            nested("det", leaf("dx", INTEGER), leaf("dy", INTEGER), occurs=Occurs.OPTIONAL),
        ),
        leaf("phc", INTEGER, Occurs.OPTIONAL),
        leaf("en", DECIMAL),
        leaf("det_time", INTEGER),
    ),
)


def photon(en: str = "1.5", det_time: str = "7", more: str = "") -> bytes:
    return (
        "<photon><coord><cel><ra>130.5</ra><dec>-46.25</dec></cel></coord>"
        f"<en>{en}</en><det_time>{det_time}</det_time>{more}</photon>"
    ).encode()


# A tree of an item that a test can spell and spoil: what lxml would give, but of our own making.
@dataclass(frozen=True, slots=True)
class Node:
    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Node, ...] = ()
    text: str = ""


TEXTS = st.text(st.sampled_from("ab 7<&>\"'\n\t\r]é\u4e2d\ufffd"), max_size=6)
_SAMPLES = {
    ValueType.TEXT: TEXTS,
    ValueType.INTEGER: st.sampled_from(["1", "-7", " 42 ", "+3", "007", "", "9" * 18]),
    ValueType.DECIMAL: st.sampled_from(["1.5", "-0.25", " 3", ".5", "2.", "", "1" * 20, "+1"]),
    ValueType.DOUBLE: st.sampled_from(["1e3", "NaN", "-INF", "2.5", "1E-7", ""]),
    ValueType.TIME: st.sampled_from(
        ["2003-11-01", "2003-11-01T10:00:00", "2003-11-01T10:00:00.5Z", "2003-11-01 10:00+02:00"]
    ),
}
_OCCURS = st.sampled_from(list(Occurs))
_TYPES = st.sampled_from(list(ValueType))


@st.composite
def elements(draw: st.DrawFn, name: str, depth: int, raw: bool) -> Element:
    occurs = draw(_OCCURS)
    attributes = tuple(
        Attribute(each, draw(_TYPES), draw(st.booleans()))
        for each in draw(st.sampled_from([(), (), (), ("x",), ("x", "y-z")]))
    )
    kinds = [Content.LEAF, Content.LEAF, *([NESTED] * 2 if depth else []), *([Content.RAW] * raw)]
    kind = draw(st.sampled_from(kinds))
    if kind is Content.RAW:
        return Element(name, occurs, kind)
    if kind is Content.LEAF:
        return Element(name, occurs, kind, (), attributes, draw(_TYPES))
    return Element(name, occurs, kind, draw(_children(name, depth, raw)), attributes)


@st.composite
def _children(draw: st.DrawFn, name: str, depth: int, raw: bool) -> tuple[Element, ...]:
    count = draw(st.integers(0, 3))
    names = draw(st.permutations(["a", "b_1", "c.d", "é"]))[:count]
    return tuple(draw(elements(each, depth - 1, raw)) for each in names)


@st.composite
def schemas(draw: st.DrawFn, raw: bool = False) -> Schema:
    item = draw(elements("photon", 3, raw))
    return Schema("photons", replace(item, occurs=Occurs.ONE))


@st.composite
def nodes(draw: st.DrawFn, element: Element) -> Node:
    """An item, or a part of one, that fits the schema."""
    attributes = tuple(
        (each.name, draw(_SAMPLES[each.type]))
        for each in element.attributes
        if each.required or draw(st.booleans())
    )
    if element.content is Content.RAW:
        inner = Node("b", (), (), "t") if draw(st.booleans()) else Node(element.name)
        return Node(element.name, (("k", draw(TEXTS)),), (inner,), "mixed")
    if element.content is Content.LEAF:
        return Node(element.name, attributes, (), draw(_SAMPLES[element.type]))
    children: list[Node] = []
    for child in element.children:
        least = child.occurs in (Occurs.ONE, Occurs.SOME)
        count = draw(st.integers(least, 3 if child.repeated else 1))
        children += [draw(nodes(child)) for _ in range(count)]
    return Node(element.name, attributes, tuple(children))


def spelt(node: Node) -> str:
    """The usual spelling of a node."""
    attributes = "".join(f" {name}={_quoted(value)}" for name, value in node.attributes)
    inner = _escaped(node.text) + "".join(map(spelt, node.children))
    return f"<{node.name}{attributes}>{inner}</{node.name}>"


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def _quoted(text: str) -> str:
    return quoteattr(text, {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})


@st.composite
def spellings(draw: st.DrawFn, node: Node) -> str:
    """One of many ways to write a node, all of them the same item."""
    white = st.sampled_from(["", "", "", " ", "\n  ", "\r\n"])
    between = st.sampled_from(["", "", "", "", "<!-- a <photon> > -->", "<?pi </photon> ?>", "\t"])
    pairs = draw(st.permutations(node.attributes)) if draw(st.booleans()) else node.attributes
    attributes = "".join(
        f" {draw(white)}{name}{draw(st.sampled_from(['=', ' = ']))}{_quoted(value)}"
        if draw(st.integers(0, 3)) == 0
        else f" {name}={_quoted(value)}"
        for name, value in pairs
    )
    opening = f"<{node.name}{attributes}{draw(white)}"
    if not node.children and not node.text and draw(st.booleans()):
        return opening + "/>"
    text = draw(leaf_spellings(node.text))
    inner = "".join(draw(between) + draw(white) + draw(spellings(child)) for child in node.children)
    tail = draw(between) if node.children else ""
    return f"{opening}>{text}{inner}{tail}</{node.name}{draw(white)}>"


@st.composite
def leaf_spellings(draw: st.DrawFn, text: str) -> str:
    """Escaped text, sometimes with comments, sections or character references in it."""
    parts = []
    for character in text:
        ways = [_escaped(character), f"&#{ord(character)};"]
        if character not in "]\r":
            ways.append(f"<![CDATA[{character}]]>")
        ways.append("<!--c-->" + _escaped(character))
        parts.append(draw(st.sampled_from([ways[0]] * 6 + ways)))
    return "".join(parts)


def row_of(node: Node, element: Element) -> Any:
    """The row value of a node that fits its schema."""
    attributes = {f"@{a.name}": dict(node.attributes).get(a.name) for a in element.attributes}
    if element.plain_leaf:
        return node.text
    if element.content is Content.LEAF:
        return {TEXT_FIELD: node.text, **attributes}
    fields: dict[str, Any] = dict(attributes)
    for child in element.children:
        found = [row_of(each, child) for each in node.children if each.name == child.name]
        fields[child.name] = (found or None) if child.repeated else (found or [None])[0]
    return fields or {TEXT_FIELD: ""}
