"""Values of a JSON object, read by the schema into the plain values of a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

from millstream.model.schema import TEXT_FIELD, Content, Element, Occurs
from millstream.runtime.parsing.chunk import Fault, Value, shown

Reader = Callable[[Any], Value]


def value_reader(element: Element, path: str) -> Reader:
    """A function that reads one occurrence of an element, or raises Fault."""
    if element.content is Content.RAW:
        return _raw_reader(element.name, path)
    if element.plain_leaf:
        return _leaf_reader(path)
    return _ObjectReader(element, path)


def _leaf_reader(path: str) -> Reader:
    def read(value: Any) -> Value:
        if isinstance(value, Mapping) and value.keys() == {TEXT_FIELD}:
            return scalar_text(value[TEXT_FIELD], path)
        return scalar_text(value, path)

    return read


def scalar_text(value: Any, path: str) -> str:
    """The text of a string, number or truth value; numbers come as they were written."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    kind = "an array" if isinstance(value, list) else "an object"
    raise Fault(f"{path}: {kind} stands where text belongs")


class _ObjectReader:
    """Reads an object whose keys are '@' attributes, '#text' and children."""

    def __init__(self, element: Element, path: str) -> None:
        self._path = path
        self._leaf = element.content is Content.LEAF
        # An element without any content of its own shows as empty text.
        self._no_fields = not element.attributes and not element.children
        self._readers: dict[str, Reader] = {
            f"@{each.name}": _leaf_reader(f"{path}/@{each.name}") for each in element.attributes
        }
        self._readers |= {
            child.name: _child_reader(child, f"{path}/{child.name}") for child in element.children
        }
        if self._leaf:
            self._readers[TEXT_FIELD] = _leaf_reader(path)
        attributes = [f"@{each.name}" for each in element.attributes if each.required]
        children = [c.name for c in element.children if c.occurs in (Occurs.ONE, Occurs.SOME)]
        self._required = (*attributes, *children)

    def __call__(self, value: Any) -> Value:
        fields = {name: part for name, part in self._parts(value) if part is not None}
        if self._leaf or self._no_fields:
            fields.setdefault(TEXT_FIELD, "")
        for name in self._required:
            if name not in fields:
                kind = "attribute" if name.startswith("@") else "child"
                raise Fault(f"{self._path}: missing {kind} '{name.removeprefix('@')}'")
        return fields

    def _parts(self, value: Any) -> list[tuple[str, Value]]:
        if not isinstance(value, Mapping):
            if not self._leaf:
                raise Fault(f"{self._path}: not an object")
            return [(TEXT_FIELD, scalar_text(value, self._path))]
        return [(name, self._part(name, part)) for name, part in value.items() if part is not None]

    def _part(self, name: str, value: Any) -> Value:
        reader = self._readers.get(name)
        if reader is not None:
            return reader(value)
        if name.startswith("@"):
            raise Fault(f"{self._path}: unknown attribute {shown(name[1:])}")
        if name == TEXT_FIELD:
            if not scalar_text(value, self._path).strip():
                return None
            raise Fault(f"{self._path}: text {shown(str(value))} between children")
        raise Fault(f"{self._path}: unknown child {shown(name)}")


def _child_reader(child: Element, path: str) -> Reader:
    once = value_reader(child, path)
    if child.repeated:

        def read_all(value: Any) -> Value:
            values = value if isinstance(value, list) else [value]
            return [once(each) for each in values if each is not None] or None

        return read_all

    def read_one(value: Any) -> Value:
        if isinstance(value, list):
            raise Fault(f"{path}: an array stands where one value belongs")
        return once(value)

    return read_one


def _raw_reader(name: str, path: str) -> Reader:
    """Reads XML text as it is, and writes any other value as XML."""

    def read(value: Any) -> Value:
        if isinstance(value, str) and value.lstrip().startswith(f"<{name}"):
            return raw_text(value, name, path)
        try:
            return etree.tostring(_written(name, value), encoding="unicode")
        except ValueError as error:
            raise Fault(f"{path}: cannot be written as XML: {error}") from None

    return read


def raw_text(text: str, name: str, path: str) -> str:
    """The XML text of a raw element, or Fault if it is not that."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        node = etree.fromstring(text.strip().encode(), parser)
    except etree.XMLSyntaxError as error:
        raise Fault(f"{path}: not well-formed: {error.msg}") from None
    written = f"{node.prefix}:{etree.QName(node).localname}" if node.prefix else node.tag
    if node.getroottree().docinfo.internalDTD is not None or written.rpartition("}")[2] != name:
        raise Fault(f"{path}: not the XML text of one element '{name}'")
    return text.strip()


def _written(name: str, value: Any) -> etree._Element:
    """A JSON value as an XML element: '@' keys are attributes, arrays are repeated children."""
    node = etree.Element(name)
    if not isinstance(value, Mapping):
        node.text = scalar_text(value, name) if not isinstance(value, list) else None
        for each in value if isinstance(value, list) else ():
            node.append(_written("item", each))
        return node
    for key, part in value.items():
        if key == TEXT_FIELD:
            node.text = scalar_text(part, name)
        elif key.startswith("@"):
            node.set(key[1:], scalar_text(part, name))
        elif part is not None:
            node.extend(
                _written(key, each) for each in (part if isinstance(part, list) else [part])
            )
    return node
