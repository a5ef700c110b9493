"""Where the items are in a sample: whole documents, single elements, JSON objects, table rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from millstream.errors import SchemaError, did_you_mean
from millstream.model.observation import (
    Observed,
    child_elements,
    element_name,
    observe_element,
    observe_object,
)

Sample = etree._Element | etree._ElementTree | Mapping[str, Any]
"""A document, an XML element (of an item, or the root of a document), or an object."""


@dataclass(frozen=True, slots=True)
class SampleItems:
    """The items of a sample, with the names of their element and of the root around them."""

    root: str
    name: str
    items: Sequence[etree._Element | Mapping[str, Any]]
    xml: bool

    def observe(self) -> Observed:
        """What the items show."""
        place = Observed()
        for each in self.items:
            if isinstance(each, Mapping):
                observe_object(place, each, self.name)
            else:
                observe_element(place, each)
        return place


def find_items(samples: Iterable[Sample], *, stream: str, item: str | None) -> SampleItems:
    """The items in a sample.

    A document's items are the elements called `item`. Without that name they are the root's most
    frequent children; but if the root has no children, or several that each stand once, every
    document is an item. An element that is still part of a document is an item itself.
    """
    given = list(samples)
    if not given:
        raise SchemaError("there is no sample to infer a schema from", help="pass a schema")
    objects = [each for each in given if isinstance(each, Mapping)]
    if len(objects) == len(given):
        return SampleItems(stream, item or "item", objects, xml=False)
    if objects:
        raise SchemaError("the sample mixes XML elements and objects")
    return _xml_items([each for each in given if not isinstance(each, Mapping)], stream, item)


def _xml_items(
    given: list[etree._Element | etree._ElementTree], stream: str, item: str | None
) -> SampleItems:
    if item is not None:
        return _named_items(given, stream, item)
    elements = [_element(each) for each in given]
    if all(element.getparent() is not None for element in elements):
        root = element_name(elements[0].getroottree().getroot())
        return SampleItems(root, _only_name(elements), elements, xml=True)
    root = _only_name(elements)
    child = _most_frequent_child(elements)
    if child is None:
        return SampleItems(root, root, elements, xml=True)
    return _named_items(given, stream, child)


def _named_items(
    given: list[etree._Element | etree._ElementTree], stream: str, item: str
) -> SampleItems:
    roots: Counter[str] = Counter()
    found: list[etree._Element] = []
    for each in given:
        top = _element(each)
        inside = _outermost(top, item)
        found += inside
        # An item that comes alone does not tell its root, which then has the stream's name.
        alone = inside == [top] and isinstance(each, etree._Element)
        roots[_outer_name(top) or stream if alone else element_name(top)] += 1
    if not found:
        names = {element_name(each) for top in given for each in _element(top).iter(etree.Element)}
        raise SchemaError(
            f"there is no element {item} in the sample", help=did_you_mean(item, names)
        )
    return SampleItems(roots.most_common(1)[0][0], item, found, xml=True)


def _outermost(element: etree._Element, name: str) -> list[etree._Element]:
    if element_name(element) == name:
        return [element]
    found: list[etree._Element] = []
    waiting = list(child_elements(element))[::-1]
    while waiting:
        each = waiting.pop()
        if element_name(each) == name:
            found.append(each)
        else:
            waiting += list(child_elements(each))[::-1]
    return found


def _outer_name(element: etree._Element) -> str | None:
    if element.getparent() is None:
        return None
    return element_name(element.getroottree().getroot())


def _most_frequent_child(roots: list[etree._Element]) -> str | None:
    total: Counter[str] = Counter()
    repeated = False
    for root in roots:
        names = Counter(element_name(child) for child in child_elements(root))
        repeated = repeated or any(count > 1 for count in names.values())
        total += names
    if not total or (len(total) > 1 and not repeated):
        return None
    return total.most_common(1)[0][0]


def _only_name(elements: list[etree._Element]) -> str:
    names = sorted({element_name(element) for element in elements})
    if len(names) > 1:
        raise SchemaError(
            f"the sample holds elements of different names: {', '.join(names[:5])}",
            help="pass item=… to say which are the items",
        )
    return names[0]


def _element(sample: etree._Element | etree._ElementTree) -> etree._Element:
    return sample if isinstance(sample, etree._Element) else sample.getroot()
