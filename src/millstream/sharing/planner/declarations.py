"""The DTD of what flows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from millstream.algebra.expressions import NewElement
from millstream.algebra.operators import Query
from millstream.model.schema import Content, Element, Schema
from millstream.sharing.properties import Input
from millstream.sharing.rewriting.projection import projected
from millstream.sharing.rewriting.window_items import WindowItems


def flow_schema(content: Input) -> Schema:
    """The schema of a flow: that of its stream without some elements, or that of aggregates."""
    if content.aggregated and content.window is not None:
        return WindowItems.of(content.window, content.schema).schema
    return projected(content.schema, content.output)


def declarations(schema: Schema) -> str:
    """A schema as DTD, one declaration a line; of elements of one name the first is declared."""
    lines = {schema.root: f"<!ELEMENT {schema.root} ({schema.item.name})*>"}
    for element in _elements(schema.item):
        lines.setdefault(element.name, _declaration(element))
    return "\n".join(lines.values())


def result_declarations(query: Query | None, content: Input) -> str:
    """The DTD of a subscription's result: its root and items; items as they come if unknown."""
    if query is None:
        return declarations(flow_schema(content))
    root = re.match(r"<([^\s/>]+)", query.opening)
    templates = (branch.template for branch in query.branches)
    names = dict.fromkeys(each.name for each in templates if isinstance(each, NewElement))
    lines = [f"<!ELEMENT {each} ANY>" for each in names]
    if root is not None:
        items = f"({' | '.join(names)})*" if len(names) == len(query.branches) else "ANY"
        lines.insert(0, f"<!ELEMENT {root[1]} {items}>")
    return "\n".join(lines)


def _elements(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from _elements(child)


def _declaration(element: Element) -> str:
    lines = [f"<!ELEMENT {element.name} {_model(element)}>"]
    for attribute in element.attributes:
        needed = "#REQUIRED" if attribute.required else "#IMPLIED"
        lines.append(f"<!ATTLIST {element.name} {attribute.name} CDATA {needed}>")
    return "\n".join(lines)


def _model(element: Element) -> str:
    match element.content:
        case Content.LEAF:
            return "(#PCDATA)"
        case Content.RAW:
            return "ANY"
        case Content.NESTED:
            children = ", ".join(f"{each.name}{each.occurs.value}" for each in element.children)
            return f"({children})" if children else "EMPTY"
