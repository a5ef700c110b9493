"""Whether a source holds tags, and what its tuples look like by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from lxml import etree

from millstream.errors import UnsupportedError
from millstream.model.observation import Tally, child_elements, element_name
from millstream.model.sample import Sample
from millstream.model.schema import Attribute, Content, Schema, ValueType
from millstream.model.tags.stream_shape import WIRE_ID, WIRE_TIME
from millstream.runtime.intake.listing import AUTO
from millstream.runtime.tags.intake.xml_parser import BESIDE

TAGGED: Final = "tagged"
"""The format of a source with tags; also tagged-json and tagged-xml."""
TUPLE: Final = "tuple"
"""What the element of a tuple is called unless something else is said."""
_TOLERATED_DIRT = 0.02
_OWN = {name.removeprefix("@") for (name,) in (WIRE_ID, WIRE_TIME)}


def plain_format(format: str | None) -> tuple[str, bool]:
    """The format of the files themselves, and whether they are said to hold tags."""
    if format is None or not format.startswith(TAGGED):
        return format or AUTO, False
    inner = format.removeprefix(TAGGED).removeprefix("-") or AUTO
    if inner not in (AUTO, "json", "xml"):
        raise UnsupportedError(
            f"no reader for format '{format}'", help="known: tagged, tagged-json, tagged-xml"
        )
    return inner, True


def holds_tags(samples: Sequence[Sample], item: str | None) -> bool:
    """True when a sample shows tuples as they travel with tags."""
    objects = [each for each in samples if isinstance(each, Mapping)]
    if objects:
        return all(map(_is_element, objects)) and any(map(_is_tuple, objects))
    roots = [each for each in samples if not isinstance(each, Mapping)]
    return bool(roots) and all(_is_tagged_document(each, item or TUPLE) for each in roots)


def tuples_only(samples: Sequence[Sample]) -> list[Sample]:
    """A sample of tagged streams as one of items."""
    found: list[Sample] = []
    for each in samples:
        if not isinstance(each, Mapping):
            found.append(_without_tags(each))
        elif _is_tuple(each):
            attributes = each[TUPLE].get("attributes")
            found.append(attributes if isinstance(attributes, Mapping) else {})
    return found


def time_type(samples: Sequence[Sample], item: str | None) -> ValueType:
    """What the times of tuples are: numbers of seconds, or instants."""
    tally = Tally()
    for each in samples:
        if not isinstance(each, Mapping):
            root = each if isinstance(each, etree._Element) else each.getroot()
            for element in root.iter(item or TUPLE):
                tally.add(element.get("time", ""))
        elif _is_tuple(each):
            tally.add(str(each[TUPLE]["time"]))
    found = tally.type(_TOLERATED_DIRT)
    return ValueType.DECIMAL if found in (ValueType.TEXT, ValueType.INTEGER) else found


def around(samples: Sequence[Sample], otherwise: str) -> str:
    """The name of the element around all others, as far as a sample shows one."""
    for each in samples:
        if not isinstance(each, Mapping):
            return element_name(each if isinstance(each, etree._Element) else each.getroot())
    return otherwise


def with_wire_fields(schema: Schema, time: ValueType) -> Schema:
    """A schema whose items have the id and the time that tuples have on the wire."""
    own = (Attribute("id", required=True), Attribute("time", time, required=True))
    others = tuple(each for each in schema.item.attributes if each.name not in _OWN)
    # Even a tuple without any attribute is one.
    content = schema.item.content if schema.item.children else Content.NESTED
    item = replace(schema.item, attributes=own + others, content=content)
    return replace(schema, item=item)


def _is_element(value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)) in (TUPLE, *BESIDE)


def _is_tuple(value: Mapping[str, Any]) -> bool:
    body = value.get(TUPLE)
    return len(value) == 1 and isinstance(body, Mapping) and body.keys() >= _OWN


def _is_tagged_document(sample: etree._Element | etree._ElementTree, item: str) -> bool:
    root = sample if isinstance(sample, etree._Element) else sample.getroot()
    children = list(child_elements(root))
    tuples = [each for each in children if element_name(each) == item]
    others = {element_name(each) for each in children} - {item, *BESIDE}
    return bool(tuples) and not others and all(set(each.attrib) >= _OWN for each in tuples)


def _without_tags(sample: etree._Element | etree._ElementTree) -> Sample:
    root = sample if isinstance(sample, etree._Element) else sample.getroot()
    for child in list(child_elements(root)):
        if element_name(child) in BESIDE:
            root.remove(child)
    return sample
