"""SaxonC as the oracle: an independent XQuery engine, and the form in which answers compare."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from lxml import etree

from millstream.errors import InternalError

if TYPE_CHECKING:
    from saxonche import PySaxonProcessor, PyXdmValue

SOURCE = re.compile(r"""\b(?:fn:)?(?:doc|stream)\s*\(\s*(?:"([^"]*)"|'([^']*)')\s*\)""")
NUMBER = re.compile(r"(?<!\S)[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?!\S)")
"""A number that stands by itself, between white space."""


SERIALIZE = """
declare variable $items external;
for $item in $items
let $printable := if ($item instance of attribute()) then string($item) else $item
return serialize($printable,
  map { "method": "xml", "indent": false(), "omit-xml-declaration": true() })
"""


def run(xquery: str, documents: Mapping[str, str]) -> list[str]:
    """The items that a query gives, serialized; doc("x") and stream("x") are the document x."""
    processor = _processor()
    engine = processor.new_xquery_processor()
    names = list(dict.fromkeys(double or single for double, single in SOURCE.findall(xquery)))
    for number, name in enumerate(names):
        if name not in documents:
            raise InternalError(f"the query reads document '{name}', which was not given")
        node = processor.parse_xml(xml_text=documents[name])
        engine.set_parameter(f"document{number}", node)
    engine.set_query_content(_with_variables(xquery, names))
    return _serialized(engine.run_query_to_value())


def canonical(xml: str, *, numbers: bool = False) -> str:
    """Well-formed content in one fixed form; `numbers` rounds those that stand alone.

    White-space-only text between elements is dropped, numbers keep ten significant digits.
    """
    root = etree.fromstring(f"<canonical>{xml}</canonical>")
    for element in list(root.iter(etree.Element)):
        _canonize(element, numbers)
    inside = etree.tostring(root, method="c14n").decode()
    return inside.removeprefix("<canonical>").removesuffix("</canonical>")


def _serialized(value: PyXdmValue | None) -> list[str]:
    """Each item as text; Saxon's own text of an item is indented, which adds white space."""
    if value is None or value.size == 0:
        return []
    engine = _processor().new_xquery_processor()
    engine.set_parameter("items", value)
    engine.set_query_content(SERIALIZE)
    texts = engine.run_query_to_value()
    return [texts.item_at(place).string_value for place in range(texts.size)]


@cache
def _processor() -> PySaxonProcessor:
    # Saxon starts a virtual machine: once a process.
    from saxonche import PySaxonProcessor

    processor = PySaxonProcessor(license=False)
    # Some of its rewritings make errors of empty(.) where there are no nodes.
    processor.set_configuration_property("http://saxon.sf.net/feature/optimizationLevel", "0")
    return processor


def _with_variables(xquery: str, names: list[str]) -> str:
    """The query with each source replaced by an external variable, declared before the rest."""
    declared = "".join(
        f"declare variable $document{number} external;\n" for number in range(len(names))
    )

    def variable(match: re.Match[str]) -> str:
        return f"$document{names.index(match[1] or match[2])}"

    return declared + SOURCE.sub(variable, xquery)


def _canonize(element: etree._Element, numbers: bool) -> None:
    mixed = len(element) > 0
    element.text = _canonical_text(element.text, mixed, numbers)
    for child in element:
        child.tail = _canonical_text(child.tail, mixed, numbers)
    if numbers:
        for name, value in element.attrib.items():
            element.set(name, NUMBER.sub(_rounded, str(value)))


def _canonical_text(text: str | None, mixed: bool, numbers: bool) -> str | None:
    if not text or (mixed and not text.strip()):
        return None
    return NUMBER.sub(_rounded, text) if numbers else text


def _rounded(number: re.Match[str]) -> str:
    value = float(number[0])
    return format(value, ".10g") if value else "0"
