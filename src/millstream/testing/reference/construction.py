"""Constructed elements: how sequences become content, and results become text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.errors import QueryError
from millstream.testing.reference.nodes import (
    AttributeNode,
    ElementNode,
    Node,
    TextNode,
    escape_text,
    serialize,
)
from millstream.testing.reference.values import Values, as_text, atomize, is_node


def new_element(
    name: str, attributes: Iterable[AttributeNode], parts: Iterable[Values]
) -> ElementNode:
    """The element with these attributes, and those that its content begins with."""
    own: list[AttributeNode] = list(attributes)
    children: list[ElementNode | TextNode] = []
    for node in (node for part in parts for node in content_nodes(part)):
        if not isinstance(node, AttributeNode):
            children.append(node)
        elif children:
            raise QueryError(f"attribute {node.name} stands after other content of <{name}>")
        else:
            own.append(node)
    _check_distinct(name, own)
    return ElementNode(name, tuple(own), tuple(children))


def new_attribute(name: str, parts: Iterable[Values]) -> AttributeNode:
    """The attribute whose value joins its parts, each with spaces between its values."""
    return AttributeNode(name, "".join(joined(part) for part in parts))


def joined(values: Values) -> str:
    """The values as one text, with a space between neighbours."""
    return " ".join(as_text(value) for value in atomize(values))


def printed(values: Values) -> str:
    """A result item as text: the XML of nodes, the text of atomic values."""
    return "".join(
        escape_text(node.text) if isinstance(node, AttributeNode) else serialize(node)
        for node in content_nodes(values)
    )


def content_nodes(values: Values) -> Iterator[Node]:
    """The values as nodes: each run of atomic values becomes one text with spaces between."""
    run: list[str] = []
    for value in values:
        if not is_node(value):
            run += (as_text(atom) for atom in atomize((value,)))
            continue
        yield from _text(run)
        run = []
        assert isinstance(value, ElementNode | AttributeNode | TextNode)
        yield value
    yield from _text(run)


def _text(run: list[str]) -> Iterator[TextNode]:
    text = " ".join(run)
    if text:
        yield TextNode(text)


def _check_distinct(element: str, attributes: list[AttributeNode]) -> None:
    names = [attribute.name for attribute in attributes]
    for name in names:
        if names.count(name) > 1:
            raise QueryError(f"attribute {name} occurs twice in <{element}>")
