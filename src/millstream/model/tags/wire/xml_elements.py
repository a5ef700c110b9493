"""Tagged streams as XML: tuples, tags and stix side by side in one element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from millstream.errors import ItemError, SchemaError
from millstream.model.tags.elements import Element, StreamTuple
from millstream.model.tags.event_time import format_time
from millstream.model.tags.stix import Stix
from millstream.model.tags.stix_text import format_stix, parse_stix
from millstream.model.tags.stream_shape import StreamShape
from millstream.model.tags.tick_tag import TickTag
from millstream.model.tags.wire.fields import TUPLE_FIELDS, read_tag, read_tuple, write_tag
from millstream.model.tags.wire.reading import Parsed, Read, WireOptions, read_pieces
from millstream.model.tags.wire.xml_pieces import xml_pieces

TAG, STIX = "tag", "stix"

_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    remove_comments=True,
    remove_pis=True,
    encoding="utf-8",
)


def read_xml(text: str, options: WireOptions, *, start: int = 0) -> Iterator[Read]:
    """The elements of a text, and the pieces of it that are none."""
    _check(options)
    pieces = xml_pieces(text, (TAG, STIX, options.item))
    return read_pieces(pieces, lambda piece: _parse(piece, options), start)


def write_xml(elements: Iterable[Element], options: WireOptions) -> Iterator[str]:
    """Each element as XML without line breaks of its own, for a root that the caller writes."""
    _check(options)
    return (etree.tostring(_written(element, options), encoding="unicode") for element in elements)


def _check(options: WireOptions) -> None:
    for name in TUPLE_FIELDS:
        if f"@{name}" in options.shape.names:
            raise SchemaError(f"the attribute '@{name}' is what a tuple has on the wire")


def _parse(text: str, options: WireOptions) -> Parsed:
    element = parse_element(text)
    fields = own_attributes(element)
    if element.tag == options.item:
        return _tuple(element, fields, options)
    if len(element):
        raise ItemError(f"a {element.tag} holds text only", code="malformed")
    content = element.text or ""
    return parse_stix(content) if element.tag == STIX else read_tag(fields, content, options)


def _tuple(element: etree._Element, fields: dict[str, str], options: WireOptions) -> StreamTuple:
    texts: dict[str, str] = {}
    for name, text in _leaves(element, "", _inner_paths(options.shape)):
        if name in texts:
            raise ItemError(f"{name[:40]!r} stands there twice", code="repeated-attribute")
        texts[name] = text
    own = {f"@{name}": text for name, text in fields.items() if name not in TUPLE_FIELDS}
    head = {name: text for name, text in fields.items() if name in TUPLE_FIELDS}
    return read_tuple(head, {**own, **texts}, options)


def _inner_paths(shape: StreamShape) -> frozenset[str]:
    """The paths of elements that hold others."""
    steps = [name.split("/") for name in shape.names]
    return frozenset("/".join(path[:depth]) for path in steps for depth in range(1, len(path)))


def _leaves(
    element: etree._Element, prefix: str, inner: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """The paths and texts of the leaves and attributes below an element."""
    for child in element:
        path = prefix + str(child.tag)
        yield from ((f"{path}/@{name}", text) for name, text in own_attributes(child).items())
        if len(child):
            yield from _leaves(child, f"{path}/", inner)
        elif child.text or path not in inner:
            yield path, child.text or ""
    texts = (element.text, *(child.tail for child in element))
    if len(element) and any(text and text.strip() for text in texts):
        raise ItemError("text stands between the attributes", code="malformed")


def own_attributes(element: etree._Element) -> dict[str, str]:
    """The attributes that an element has itself."""
    return {str(name): str(text) for name, text in element.attrib.items()}


def parse_element(text: str) -> etree._Element:
    """The element of a text that is one, or ItemError."""
    try:
        return etree.fromstring(text.encode("utf-8"), _PARSER)
    except UnicodeEncodeError:
        raise ItemError("the text is not in the encoding of its file", code="malformed") from None
    except etree.XMLSyntaxError as error:
        message = str(error.msg or "").split(", line")[0]
        raise ItemError(f"this is not XML: {message}", code="malformed") from None


def _written(element: Element, options: WireOptions) -> etree._Element:
    match element:
        case Stix():
            return _leaf(STIX, {}, format_stix(element))
        case TickTag():
            return _leaf(TAG, write_tag(element, options.shape), element.content)
        case StreamTuple():
            return _written_tuple(element, options.item, options.shape)


def _leaf(name: str, fields: dict[str, str], text: str) -> etree._Element:
    leaf = etree.Element(name, fields)
    leaf.text = text
    return leaf


def _written_tuple(element: StreamTuple, item: str, shape: StreamShape) -> etree._Element:
    root = etree.Element(item, {"id": element.id, "time": format_time(element.time, shape.time)})
    try:
        for name, text in zip(shape.names, element.texts, strict=True):
            if text is not None:
                _write_attribute(root, name, text)
    except ValueError:
        raise ItemError(
            f"the tuple {element.id!r} has a character that XML cannot hold", code="bad-character"
        ) from None
    return root


def _write_attribute(root: etree._Element, name: str, text: str) -> None:
    *parents, last = name.split("/")
    place = root
    for parent in parents if last.startswith("@") else (*parents, last):
        found = place.find(parent)
        place = found if found is not None else etree.SubElement(place, parent)
    if last.startswith("@"):
        place.set(last[1:], text)
    else:
        place.text = text
