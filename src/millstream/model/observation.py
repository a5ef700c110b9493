"""What a sample of items shows: names, how often they stand, and the values of their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from typing import Any

from lxml import etree

from millstream.errors import SchemaError
from millstream.model.limits import check_depth
from millstream.model.names import is_name
from millstream.model.schema import ValueType
from millstream.model.values import XML_SPACE, is_number, recognise, wider


@dataclass(slots=True)
class Tally:
    """The values seen at one leaf or attribute."""

    seen: int = 0
    counts: Counter[ValueType] = field(default_factory=Counter)
    """How many values are of each type; an empty value is of none."""
    examples: dict[ValueType, str] = field(default_factory=dict)
    numbers: bool = True
    """True while every value reads as a number, even one that is recognised as text."""

    @property
    def filled(self) -> int:
        return self.counts.total()

    def add(self, text: str) -> None:
        self.seen += 1
        type = recognise(text)
        if type is not None:
            self.counts[type] += 1
            self.examples.setdefault(type, text.strip(XML_SPACE))
            self.numbers = self.numbers and (type.numeric or is_number(text))

    def type(self, tolerance: float = 0.0) -> ValueType:
        """The narrowest type that fits all values, but for a tolerated share of strangers."""
        kinds = ((ValueType.TIME,), tuple(type for type in ValueType if type.numeric))
        for kind in kinds:
            fitting = [type for type in kind if self.counts[type]]
            strangers = self.filled - sum(self.counts[type] for type in fitting)
            if fitting and strangers <= tolerance * self.filled:
                return reduce(wider, fitting)
        return ValueType.TEXT


@dataclass(slots=True)
class Observed:
    """What was seen of all elements at one place."""

    seen: int = 0
    parents: int = 0
    """In how many of the parents it stood."""
    most: int = 0
    """How often it stood in one parent, at most."""
    listed: bool = False
    """True when it came as a JSON array."""
    with_text: int = 0
    with_children: int = 0
    values: Tally = field(default_factory=Tally)
    attributes: dict[str, Tally] = field(default_factory=dict)
    children: dict[str, Observed] = field(default_factory=dict)
    runs: dict[tuple[str, ...], None] = field(default_factory=dict)
    """The orders in which children stood, a repeated name once for each run."""

    def child(self, name: str) -> Observed:
        found = self.children.get(name)
        if found is None:
            found = self.children[name] = Observed()
        return found

    def attribute(self, name: str) -> Tally:
        found = self.attributes.get(name)
        if found is None:
            found = self.attributes[name] = Tally()
        return found

    def add_text(self, text: str) -> None:
        self.with_text += bool(text.strip(XML_SPACE))
        self.values.add(text)

    def add_count(self, count: int) -> None:
        """Stood this often in one more parent."""
        self.parents += count > 0
        self.most = max(self.most, count)


def observe_element(place: Observed, element: etree._Element, depth: int = 1) -> None:
    """Add an XML element, with all that stands inside it, to what was seen at its place."""
    check_depth(depth)
    place.seen += 1
    for name, value in _attributes(element):
        place.attribute(name).add(value)
    children = [(element_name(child), child) for child in child_elements(element)]
    place.with_children += bool(children)
    text = own_text(element)
    if not children or text.strip(XML_SPACE):
        place.add_text(text)
    place.runs[tuple(name for name, _ in groupby(name for name, _ in children))] = None
    for name, count in Counter(name for name, _ in children).items():
        place.child(name).add_count(count)
    for name, child in children:
        observe_element(place.child(name), child, depth + 1)


def observe_object(place: Observed, item: Mapping[Any, Any], path: str, depth: int = 1) -> None:
    """Add a JSON object or a row of a table to what was seen at its place."""
    check_depth(depth)
    place.seen += 1
    place.with_children += 1
    for name, value in item.items():
        if not isinstance(name, str) or not is_name(name):
            raise SchemaError(
                f"{path}: {name!r} cannot be the name of an element",
                help="rename the field or column; names are letters, digits, '_', '-' and '.'",
            )
        _observe_member(place.child(name), value, f"{path}/{name}", depth)


def _observe_member(place: Observed, value: Any, path: str, depth: int) -> None:
    place.listed = place.listed or isinstance(value, list | tuple)
    members = value if isinstance(value, list | tuple) else (value,)
    present = [member for member in members if member is not None]
    place.add_count(len(present))
    for member in present:
        if isinstance(member, list | tuple):
            raise SchemaError(f"{path}: an array of arrays has no element for the inner ones")
        if isinstance(member, Mapping):
            observe_object(place, member, path, depth + 1)
        else:
            place.seen += 1
            place.add_text(_scalar_text(member))
    if place.with_children and place.values.seen:
        raise SchemaError(f"{path} is an object in some items and a value in others")


def _scalar_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(repr(value), repr(value))
    return str(value)


def child_elements(element: etree._Element) -> Iterator[etree._Element]:
    """The child elements, without comments and processing instructions."""
    return (child for child in element if isinstance(child.tag, str))


def own_text(element: etree._Element) -> str:
    """The text that stands directly inside an element."""
    return (element.text or "") + "".join(_tails(element))


def element_name(element: etree._Element) -> str:
    """The name as it is written, with its prefix."""
    if not element.tag.startswith("{"):
        return element.tag
    local = etree.QName(element).localname
    return f"{element.prefix}:{local}" if element.prefix else local


def _tails(element: Iterable[etree._Element]) -> Iterator[str]:
    for child in element:
        if child.tag is etree.Entity:
            yield child.text or ""
        yield child.tail or ""


def _attributes(element: etree._Element) -> Iterator[tuple[str, str]]:
    if not element.attrib:
        return
    prefixes = {uri: prefix for prefix, uri in element.nsmap.items() if prefix}
    prefixes["http://www.w3.org/XML/1998/namespace"] = "xml"
    for key, value in element.attrib.items():
        name = etree.QName(key)
        prefix = prefixes.get(name.namespace or "")
        yield (f"{prefix}:{name.localname}" if prefix else name.localname), str(value)
