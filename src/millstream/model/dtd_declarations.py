"""What a DTD declares about each of its elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from lxml import etree

from millstream.errors import SchemaError, Span
from millstream.model.content_model import Particle, read_content
from millstream.model.dtd_text import DeclarationText
from millstream.model.schema import Attribute, Content, Occurs

# lxml tells the prefix of a declared name but not of a name in a content model: a colon travels
# as another character that names may have.
_COLON = "\ua789"


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a DTD declares about one element."""

    content: Content
    children: tuple[tuple[str, Occurs], ...]
    """For nested content."""
    mentions: tuple[str, ...]
    """Every element that may stand inside, in whatever order."""
    attributes: tuple[Attribute, ...]


def parse_declarations(source: DeclarationText) -> dict[str, Declaration]:
    """The declaration of each element, by name, in the order of the text."""
    _check_declared_once(source)
    declared = {
        _plain(element.name): _declaration(element)
        for element in _parse(source)
        if element.type != "undefined"
    }
    if not declared:
        raise SchemaError("the DTD declares no elements")
    return declared


def _check_declared_once(source: DeclarationText) -> None:
    seen: set[str] = set()
    for match in re.finditer(r"<!ELEMENT\s+([^\s(>]+)", source.text):
        if match[1] in seen and "<![" not in source.text:
            span = Span(*match.span(1)) if source.exact else None
            raise SchemaError(f"element {match[1]} is declared twice", span=span)
        seen.add(match[1])


def _parse(source: DeclarationText) -> Iterator[Any]:
    # The stubs of lxml know nothing of what a DTD declares, hence Any.
    try:
        dtd: Any = etree.DTD(BytesIO(source.text.replace(":", _COLON).encode()))
    except etree.DTDParseError as error:
        raise _parse_error(source, error) from None
    return iter(dtd.iterelements())


def _parse_error(source: DeclarationText, error: etree.DTDParseError) -> SchemaError:
    entry = error.error_log[0]
    lines = source.text.splitlines(keepends=True)
    offset = sum(map(len, lines[: entry.line - 1])) + max(entry.column - 1, 0)
    cdata = "#CDATA" in source.text
    return SchemaError(
        f"the DTD cannot be read: {entry.message.split(' : ')[-1].split(': ')[-1]}",
        span=Span(offset, offset + 1) if source.exact else None,
        help="text content is written (#PCDATA)" if cdata else None,
    )


def _declaration(element: Any) -> Declaration:
    attributes = tuple(
        Attribute(_plain(each.name), required=each.default == "required")
        for each in element.iterattributes()
        if not _plain(each.name).startswith("xmlns")
    )
    mentions = tuple(dict.fromkeys(_mentions(element.content)))
    if element.type == "any":
        return Declaration(Content.RAW, (), mentions, attributes)
    if element.type == "empty":
        return Declaration(Content.NESTED, (), mentions, attributes)
    if element.type == "mixed":
        content = Content.RAW if mentions else Content.LEAF
        return Declaration(content, (), mentions, attributes)
    children = read_content(element.content).children()
    if children is None:
        return Declaration(Content.RAW, (), mentions, attributes)
    plain = tuple((_plain(name), often) for name, often in children)
    return Declaration(Content.NESTED, plain, mentions, attributes)


def _mentions(particle: Particle | None) -> Iterator[str]:
    waiting = [particle]
    while waiting:
        each = waiting.pop()
        if each is None:
            continue
        if each.type == "element":
            yield _plain(each.name or "")
        waiting += (each.right, each.left)


def _plain(name: str) -> str:
    return name.replace(_COLON, ":")
