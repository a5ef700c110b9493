"""A filler as it travels: reading one from its text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from lxml import etree

from millstream.errors import ItemError
from millstream.history.body import Body, read_body, read_number, unknown_tsid
from millstream.model.filler import ROOT_ID, Filler
from millstream.model.observation import element_name
from millstream.model.tag_structure import Tag, TagStructure
from millstream.model.values import parse_instant

VALID_TIME = "validTime"


@dataclass(frozen=True, slots=True)
class CheckedFiller:
    """A filler that fits its tag structure, with its content cut at the holes."""

    filler: Filler
    body: Body


def read_filler(text: str, structure: TagStructure) -> CheckedFiller:
    """The filler that a text holds; ItemError says what is wrong with it."""
    element = parse_xml(text)
    if element_name(element) != "filler":
        raise ItemError(f"<{element_name(element)}> is not a filler", code="malformed")
    id, tsid = read_number(element, "id"), read_number(element, "tsid")
    time = _valid_time(element)
    return _checked(id, tsid, time, _only_child(element), structure)


def check_filler(filler: Filler, structure: TagStructure) -> CheckedFiller:
    """A filler whose content was given as text, with that content checked."""
    content = parse_xml(filler.content)
    checked = _checked(filler.id, filler.tsid, filler.valid_time, content, structure)
    return replace(checked, filler=replace(checked.filler, tags=filler.tags))


def _checked(
    id: int, tsid: int, time: datetime, content: etree._Element, structure: TagStructure
) -> CheckedFiller:
    tag = structure.tags.get(tsid)
    if tag is None:
        raise unknown_tsid(tsid, structure, f"filler {id}")
    _check_kind(id, tag, structure)
    name = element_name(content)
    if name != tag.name:
        raise ItemError(
            f"filler {id} holds <{name}>, but tsid {tsid} is {tag.name}", code="breaks-structure"
        )
    body = read_body(content, tag, structure)
    if any(hole.id == id for hole in body.holes):
        raise ItemError(f"filler {id} has a hole for itself: it is cyclic", code="cyclic-hole")
    return CheckedFiller(Filler(id, tsid, time, body.text), body)


def _check_kind(id: int, tag: Tag, structure: TagStructure) -> None:
    if tag is structure.root:
        if id != ROOT_ID:
            raise ItemError(
                f"filler {id} holds the root {tag.name}",
                code="breaks-structure",
                help=f"the filler of the root has the id {ROOT_ID}",
            )
    elif id == ROOT_ID:
        raise ItemError(
            f"filler {ROOT_ID} is the root's, not one of tag {tag.name}", code="breaks-structure"
        )
    elif not tag.fragmented:
        raise ItemError(
            f"filler {id} is of tag {tag.name}, a snapshot, which stands inline in its parent",
            code="breaks-structure",
        )


def _valid_time(element: etree._Element) -> datetime:
    text = element.get(VALID_TIME)
    if text is None:
        raise ItemError("the filler has no validTime", code="missing-valid-time")
    try:
        return parse_instant(text)
    except ValueError as error:
        raise ItemError(
            f"validTime: {error}",
            code="bad-valid-time",
            help="write it as 2003-10-23T12:23:34",
        ) from None


def _only_child(element: etree._Element) -> etree._Element:
    children = [child for child in element if isinstance(child.tag, str)]
    texts = (element.text, *(child.tail for child in element))
    if any(text and text.strip() for text in texts):
        raise ItemError("text stands beside the element of the filler", code="breaks-structure")
    if len(children) != 1:
        count = f"{len(children)} elements" if children else "no element"
        raise ItemError(
            f"the filler holds {count}", code="breaks-structure", help="a filler holds one element"
        )
    return children[0]


def parse_xml(text: str) -> etree._Element:
    """The element of a text, or ItemError; prefixes need no namespace."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise ItemError("the text is not in the encoding of its file", code="malformed") from None
    try:
        return etree.fromstring(data, _STRICT)
    except etree.XMLSyntaxError as error:
        return _without_namespaces(data, error)


def _without_namespaces(data: bytes, error: etree.XMLSyntaxError) -> etree._Element:
    parser = _parser(recover=True)
    element = etree.fromstring(data, parser)
    faults = [entry for entry in parser.error_log if entry.domain_name != "NAMESPACE"]
    if faults or element is None:
        message = str(error.msg or "").split(", line")[0]
        raise ItemError(f"the filler is not XML: {message}", code="malformed") from None
    return element


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )


_STRICT = _parser(recover=False)
