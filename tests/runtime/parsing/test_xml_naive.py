"""Careful reading against a naive one, on items that were spoilt as trees."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.model.schema import TEXT_FIELD, Content, Element, Occurs, ValueType
from millstream.model.values import parse_value
from millstream.runtime.parsing.parser import parser_for
from tests.runtime.parsing.shapes import Node, nodes, schemas, spelt


@st.composite
def spoilt(draw: st.DrawFn, node: Node) -> Node:
    """A node in which a part is lost, doubled, moved, added or spoilt, here or further down."""
    if node.children and draw(st.booleans()):
        place = draw(st.integers(0, len(node.children) - 1))
        child = draw(spoilt(node.children[place]))
        return replace(node, children=(*node.children[:place], child, *node.children[place + 1 :]))
    place = draw(st.integers(0, max(0, len(node.children) - 1)))
    part = node.children[place : place + 1]
    ways = [
        replace(node, children=node.children[:place] + node.children[place + 1 :]),
        replace(node, children=node.children + part),
        replace(node, children=(*node.children[:place], *part, *part, *node.children[place + 1 :])),
        replace(node, children=tuple(draw(st.permutations(node.children)))),
        replace(node, children=(*node.children, Node("zz"))),
        replace(node, attributes=node.attributes[1:]),
        replace(node, attributes=(*node.attributes, ("zz", "1"))),
        replace(node, text="stray"),
        replace(node, text=""),
    ]
    return draw(st.sampled_from(ways))


class Misfit(Exception):
    """The item does not fit."""


def naive(node: etree._Element, element: Element) -> Any:
    """The row of an item, by the plainest reading of the rules."""
    attributes = dict(node.attrib)
    _need({attribute.name for attribute in element.attributes} >= set(attributes))
    for attribute in element.attributes:
        _need(not attribute.required or attribute.name in attributes)
        _value(attributes.get(attribute.name), attribute.type)
    fields: dict[str, Any] = {f"@{a.name}": attributes.get(a.name) for a in element.attributes}
    if element.content is Content.LEAF:
        _need(not len(node))
        _value(node.text, element.type)
        return {TEXT_FIELD: node.text or "", **fields} if fields else node.text or ""
    _need(not "".join([node.text or "", *(child.tail or "" for child in node)]).strip())
    runs = [name for name, _ in groupby(child.tag for child in node)]
    _need(len(runs) == len(set(runs)) and set(runs) <= {c.name for c in element.children})
    for child in element.children:
        found = [naive(each, child) for each in node if each.tag == child.name]
        least, most = child.occurs in (Occurs.ONE, Occurs.SOME), 99 if child.repeated else 1
        _need(least <= len(found) <= most)
        fields[child.name] = (found or None) if child.repeated else (found or [None])[0]
    return fields or {TEXT_FIELD: ""}


def _need(holds: bool) -> None:
    if not holds:
        raise Misfit


def _value(text: str | None, type: ValueType) -> None:
    if text is not None and text.strip(" \t\r\n"):
        try:
            parse_value(text, type)
        except ValueError:
            raise Misfit from None


def outcome(text: str, element: Element) -> Any:
    try:
        return naive(etree.fromstring(text), element)
    except Misfit:
        return "misfit"


@given(st.data())
@settings(max_examples=300)
def test_careful_reading_equals_naive_reading(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    made = data.draw(st.lists(nodes(schema.item), min_size=1, max_size=3))
    written = [
        spelt(data.draw(spoilt(node)) if data.draw(st.booleans()) else node) for node in made
    ]
    chunk = parser_for("xml", schema).parse("".join(written).encode())
    expected = [outcome(text, schema.item) for text in written]
    assert chunk.rows.column("item").to_pylist() == [row for row in expected if row != "misfit"]
    bad = [text.encode() for text, row in zip(written, expected, strict=True) if row == "misfit"]
    assert [each.raw for each in chunk.rejected] == bad
