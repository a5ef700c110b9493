"""Values that are XML, written down so that each stands for itself whatever its neighbours are."""

from __future__ import annotations

import re

from lxml import etree

from millstream.model.observation import element_name
from millstream.runtime.kafka.header_tags import contents, shared_fields
from millstream.runtime.kafka.record import Framing, Record, Refusal

_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    huge_tree=False,
)
_PLACE = re.compile(r", line \d+, column \d+.*$")


class XmlFramer:
    """Writes down values that are an item, or a document of items."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._plain = not framing.carry and framing.tagger is None
        self._start = re.compile(rb"<" + re.escape(framing.item.encode()) + rb"[\s/>]")
        self._allowed = frozenset({framing.item, *framing.beside})

    def __call__(self, record: Record) -> bytes:
        """The text of a record's items, or Refusal."""
        assert record.value is not None, "a record without a value is refused before"
        value = record.value.strip()
        root = _parsed(value)
        if self._plain and self._start.match(value) and element_name(root) == self._framing.item:
            return _whole(value, root) + b"\n"
        return b"".join(self._written(each, record) for each in self._elements(root))

    def _elements(self, root: etree._Element) -> list[etree._Element]:
        name = element_name(root)
        if name in self._allowed:
            return [root]
        if name != self._framing.root:
            raise Refusal(f"the value is a '{name}', not a '{self._framing.item}'")
        found = [each for each in root if isinstance(each.tag, str)]
        for each in found:
            if element_name(each) not in self._allowed:
                wrong = element_name(each)
                raise Refusal(f"'{wrong}' stands in the value, not '{self._framing.item}'")
        if not found:
            raise Refusal(f"no '{self._framing.item}' in the value")
        return found

    def _written(self, element: etree._Element, record: Record) -> bytes:
        if element_name(element) != self._framing.item:
            return _text(element)
        try:
            for name, text in record.carried(self._framing.carry).items():
                element.set(name, text)
            tags = [] if self._framing.tagger is None else self._tags(element, record)
        except ValueError as error:
            raise Refusal(f"the record holds what XML cannot: {error}") from None
        return b"".join(map(_text, [*tags, element]))

    def _tags(self, element: etree._Element, record: Record) -> list[etree._Element]:
        """The tags on an item, which is given the id and the time that they need."""
        id = element.get("id") or record.id
        time = element.get("time") or self._time(element) or record.seconds
        element.set("id", str(id))
        element.set("time", str(time))
        fields = shared_fields(self._framing.tagger or "", str(id), str(time))
        tags = []
        for content in contents(record):
            tag = etree.Element("tag", fields)
            tag.text = content
            tags.append(tag)
        return tags

    def _time(self, element: etree._Element) -> str | None:
        """The item's own time, at the path that says so."""
        if not self._framing.time:
            return None
        *steps, last = self._framing.time
        place: etree._Element | None = element
        for step in steps if last.startswith("@") else (*steps, last):
            place = None if place is None else place.find(step)
        if place is None:
            raise Refusal(f"the item has no {'/'.join(self._framing.time)}")
        text = place.get(last[1:]) if last.startswith("@") else place.text
        return str(text or "").strip()


def root_name(value: bytes) -> str:
    """What the element of a value is called; empty for a value that is none."""
    try:
        return element_name(_parsed(value.strip()))
    except Refusal:
        return ""


def _parsed(value: bytes) -> etree._Element:
    try:
        return etree.fromstring(value, _PARSER)
    except etree.XMLSyntaxError as error:
        reason = _PLACE.sub("", error.msg or "nothing is there").strip()
        raise Refusal(f"not well-formed: {reason}") from None
    except (ValueError, LookupError) as error:
        raise Refusal(f"not XML: {error}") from None


def _whole(value: bytes, root: etree._Element) -> bytes:
    """The value as it came, if it is nothing but its element in UTF-8."""
    plain = root.getnext() is None and root.getprevious() is None
    return value if plain else _text(root).rstrip(b"\n")


def _text(element: etree._Element) -> bytes:
    text: bytes = etree.tostring(element, encoding="utf-8", with_tail=False)
    return text + b"\n"
