"""Items read with lxml: right for everything, and says what is wrong with an item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from lxml import etree

from millstream.errors import SchemaError
from millstream.model.schema import Content, Element, Schema
from millstream.runtime.parsing.arrow_types import occurrence_type
from millstream.runtime.parsing.chunk import Fault, ItemBatch, Located, Rejected, Value, collected
from millstream.runtime.parsing.xml_elements import element_reader

_GROUP_ITEMS = 256
_GROUP_BYTES = 1024 * 1024
_PLACE = re.compile(r", line \d+, column \d+$")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass
class CarefulReader:
    """Reads whole items by a schema."""

    schema: Schema
    namespaces: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._read_item = element_reader(self.schema.item, self.schema.item.name)
        self._type = occurrence_type(self.schema.item)
        self._open = _root_tag(self.namespaces)
        # Comments are part of raw content; elsewhere lxml need not keep them.
        comments = not _has_raw(self.schema.item)
        self._parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            huge_tree=False,
            load_dtd=False,
            remove_comments=comments,
            remove_pis=comments,
        )

    def read(self, items: Sequence[Located]) -> tuple[ItemBatch, list[Rejected]]:
        """The items that fit the schema, and the others with the reason."""
        return collected(self._outcomes(items), self._type)

    def _outcomes(self, items: Sequence[Located]) -> Iterator[tuple[Located, Value | Fault]]:
        """Each item with its value, or with what is wrong with it."""
        for group in _groups(items):
            nodes = self._parse_group(group)
            for place, item in enumerate(group):
                try:
                    node = nodes[place] if nodes is not None else self._parse(item[1])
                    yield item, self._read_item(node)
                except Fault as fault:
                    yield item, fault

    def _parse_group(self, group: Sequence[Located]) -> Sequence[etree._Element] | None:
        """The nodes of several items, parsed at once; None if some item is not well-formed."""
        text = b"".join((self._open, *(raw for _, raw in group), b"</items>"))
        try:
            nodes = list(etree.fromstring(text, self._parser))
        except etree.XMLSyntaxError:
            return None
        return nodes if len(nodes) == len(group) else None

    def _parse(self, raw: bytes) -> etree._Element:
        """The node of one item, or Fault if it is not well-formed."""
        try:
            return etree.fromstring(self._open + raw + b"</items>", self._parser)[0]
        except etree.XMLSyntaxError as error:
            reason = _bad_characters(raw) or self._syntax_reason(raw) or _message(error)
            raise Fault(reason) from None

    def _syntax_reason(self, raw: bytes) -> str | None:
        """What is wrong with an item that stands alone, with its own lines and columns."""
        try:
            etree.fromstring(raw, self._parser)
        except etree.XMLSyntaxError as error:
            if getattr(error, "code", None) != etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE:
                line, column = error.position
                return f"{_message(error)} at line {line}, column {column}"
        return None


def _groups(items: Sequence[Located]) -> Iterator[list[Located]]:
    """The items, so many at a time as are parsed at once."""
    group: list[Located] = []
    size = 0
    for item in items:
        if group and (len(group) == _GROUP_ITEMS or size + len(item[1]) > _GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(item)
        size += len(item[1])
    if group:
        yield group


def _root_tag(namespaces: Mapping[str, str]) -> bytes:
    """The start tag around items, which declares what the stream's own root declares."""
    declarations = "".join(
        f" xmlns{':' if prefix else ''}{prefix}={quoteattr(uri)}"
        for prefix, uri in namespaces.items()
        if prefix != "xml"
    )
    tag = f"<items{declarations}>".encode()
    try:
        etree.fromstring(tag + b"</items>")
    except etree.XMLSyntaxError as error:
        raise SchemaError(f"namespaces cannot be declared: {error.msg}") from None
    return tag


def _has_raw(element: Element) -> bool:
    return element.content is Content.RAW or any(map(_has_raw, element.children))


def _bad_characters(raw: bytes) -> str | None:
    """What is wrong with the characters of an item, None if each may stand in XML."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        return f"invalid UTF-8 at byte {error.start} of the item"
    found = _CONTROL.search(text)
    if found is None:
        return None
    return f"control character U+{ord(found.group()):04X} at character {found.start()} of the item"


def _message(error: etree.XMLSyntaxError) -> str:
    return "not well-formed: " + _PLACE.sub("", error.msg or "").strip()
