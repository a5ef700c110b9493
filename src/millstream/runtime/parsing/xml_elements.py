"""Elements of a parsed item, read by the schema into the plain values of a row."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from millstream.model.schema import TEXT_FIELD, Content, Element, Occurs
from millstream.model.values import XML_SPACE
from millstream.runtime.parsing.chunk import Fault, Value, shown

Fields = dict[str, Value]
Reader = Callable[[etree._Element], Value]
FieldsReader = Callable[[etree._Element], Fields]


def element_reader(element: Element, path: str) -> Reader:
    """A function that reads one occurrence of an element, or raises Fault."""
    if element.content is Content.RAW:
        return _outer_xml
    if element.plain_leaf:
        return _plain_leaf_reader(path)
    attributes = _attribute_reader(element, path)
    if element.content is Content.LEAF:
        return _leaf_reader(attributes, path)
    if element.children:
        return _NestedReader(element, attributes, path)
    return _empty_reader(element, attributes, path)


def _outer_xml(node: etree._Element) -> str:
    return etree.tostring(node, encoding="unicode", with_tail=False)


def _plain_leaf_reader(path: str) -> Reader:
    def read(node: etree._Element) -> Value:
        if node.keys():
            raise Fault(f"{path}: unknown attribute '{_attribute_names(node)[0]}'")
        return _text(node, path) if len(node) else node.text or ""

    return read


def _leaf_reader(attributes: FieldsReader, path: str) -> Reader:
    def read(node: etree._Element) -> Value:
        return {TEXT_FIELD: _text(node, path), **attributes(node)}

    return read


def _empty_reader(element: Element, attributes: FieldsReader, path: str) -> Reader:
    fields = {} if element.attributes else {TEXT_FIELD: ""}

    def read(node: etree._Element) -> Value:
        _refuse_text(_text(node, path), path)
        return fields | attributes(node)

    return read


class _NestedReader:
    """Reads an element of children, each name in one run, the runs in any order."""

    def __init__(self, element: Element, attributes: FieldsReader, path: str) -> None:
        self._attributes = attributes
        self._path = path
        self._readers = {
            child.name: element_reader(child, f"{path}/{child.name}") for child in element.children
        }
        self._repeated = frozenset(child.name for child in element.children if child.repeated)
        required = [c.name for c in element.children if c.occurs in (Occurs.ONE, Occurs.SOME)]
        self._required = dict.fromkeys(required).keys()

    def __call__(self, node: etree._Element) -> Value:
        fields = self._attributes(node)
        _refuse_text(node.text, self._path)
        previous = None
        for child in node:
            name = child.tag if child.tag in self._readers else _written_name(child)
            if name is not None:
                self._add(fields, name, child, name == previous)
                previous = name
            _refuse_text(child.tail, self._path)
        if not self._required <= fields.keys():
            missing = next(name for name in self._required if name not in fields)
            raise Fault(f"{self._path}: missing child '{missing}'")
        return fields

    def _add(self, fields: Fields, name: str, child: etree._Element, continues: bool) -> None:
        """Put a child into its field; it continues a run when the one before has its name."""
        reader = self._readers.get(name)
        if reader is None:
            raise Fault(f"{self._path}: unknown child '{name}'")
        value = reader(child)
        if name not in fields:
            fields[name] = [value] if name in self._repeated else value
        elif name not in self._repeated:
            raise Fault(f"{self._path}: child '{name}' occurs more than once")
        elif continues:
            fields[name].append(value)
        else:
            raise Fault(f"{self._path}: children '{name}' do not stand together")


def _attribute_reader(element: Element, path: str) -> FieldsReader:
    known = {attribute.name for attribute in element.attributes}
    required = [attribute.name for attribute in element.attributes if attribute.required]

    def read(node: etree._Element) -> Fields:
        if not node.keys() and not required:
            return {}
        fields = dict(zip(_attribute_names(node), node.values(), strict=True))
        for name in fields:
            if name not in known:
                raise Fault(f"{path}: unknown attribute '{name}'")
        for name in required:
            if name not in fields:
                raise Fault(f"{path}: missing attribute '{name}'")
        return {f"@{name}": value for name, value in fields.items()}

    return read


def _attribute_names(node: etree._Element) -> list[str]:
    """The attribute names as written, with their prefixes."""
    names = list(map(str, node.keys()))
    if not any(name.startswith("{") for name in names):
        return names
    return [str(node.xpath(f"name(@*[{place}])")) for place in range(1, len(names) + 1)]


def _written_name(node: etree._Element) -> str | None:
    """The element's name as written, with its prefix; None for comments and instructions."""
    if not isinstance(node.tag, str):
        return None
    local = node.tag.rpartition("}")[2]
    return f"{node.prefix}:{local}" if node.prefix else local


def _text(node: etree._Element, path: str) -> str:
    """The text of a leaf, with comments and instructions left out."""
    parts = [node.text or ""]
    for child in node:
        if (name := _written_name(child)) is not None:
            raise Fault(f"{path}: unknown child '{name}'")
        parts.append(child.tail or "")
    return "".join(parts)


def _refuse_text(text: str | None, path: str) -> None:
    if text and (found := text.strip(XML_SPACE)):
        raise Fault(f"{path}: text {shown(found)} between children")
