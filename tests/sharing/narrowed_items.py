"""What of the items of a stream goes on: the selected ones, without what was projected out."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from millstream.algebra.operators import Operator, Scan, Select
from millstream.model.schema import Content, Element, Path
from millstream.sharing.properties import ITEM, Input
from millstream.testing.reference.rows import Arrival, rows_of

Arrivals = list[tuple[str, str]]


def narrowed(arrivals: Arrivals, flow: Input) -> Arrivals:
    """The items of a stream of items; those of other streams stay as they are."""
    return list(_narrowed(arrivals, flow))


def _narrowed(arrivals: Arrivals, flow: Input) -> Iterator[tuple[str, str]]:
    kept: Operator = Scan(flow.stream, ITEM, flow.schema)
    condition = flow.selection.expression()
    if condition is not None:
        kept = Select(kept, condition)
    for index, (stream, xml) in enumerate(arrivals):
        if stream != flow.stream:
            yield stream, xml
        elif any(True for _ in rows_of(kept, Arrival(index, stream, xml))):
            item = etree.fromstring(xml)
            _project(item, flow.schema.item, (), flow.output)
            yield stream, etree.tostring(item, encoding="unicode")


def _project(xml: etree._Element, element: Element, path: Path, kept: frozenset[Path]) -> None:
    for attribute in element.attributes:
        if (*path, f"@{attribute.name}") not in kept:
            xml.attrib.pop(attribute.name, None)
    if element.content is Content.LEAF and path not in kept:
        xml.text = None
    for child in element.children:
        below = (*path, child.name)
        for each in list(xml.iterchildren(child.name)):
            if any(one[: len(below)] == below for one in kept):
                _project(each, child, below, kept)
            else:
                xml.remove(each)
