"""Reading a schema whatever it is written in: the text itself tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from millstream.errors import SchemaError, Span, UnsupportedError
from millstream.model.ddl import read_ddl
from millstream.model.dtd import read_dtd
from millstream.model.json_schema import read_json_schema
from millstream.model.schema import Schema
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_dtd import DEFAULT_RECURSION, derive_tag_structure
from millstream.model.tag_structure_text import read_tag_structure

_PROLOG = re.compile(r"(?:\ufeff|\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_TAG_STRUCTURE = re.compile(
    r"(?:<!DOCTYPE\s[^\[>]*(?:\[.*?\]\s*)?>(?:\s|<!--.*?-->)*)?"
    r"(?P<start><(?:stream:structure|structure|tag)(?=[\s/>]))",
    re.DOTALL,
)


def read_schema(
    text: str, *, stream: str, item: str | None = None, root: str | None = None
) -> Schema:
    """The schema that a DTD, a JSON Schema or a Spark DDL string describes.

    `item` names the element of the items; a DTD may also be told its root. For JSON and DDL the
    root is the stream's name and the items are called 'item'.
    """
    start = _prolog_length(text)
    if start == len(text):
        raise SchemaError("the schema is empty")
    if is_tag_structure(text):
        raise _describes_a_history(text)
    if text[start] in "{[":
        return read_json_schema(text.removeprefix("\ufeff"), stream=stream, item=item)
    if _is_dtd(text):
        return read_dtd(text, root=root, item=item)
    if text[start] == "<":
        raise _other_xml(text, start)
    return read_ddl(text.removeprefix("\ufeff"), stream=stream, item=item)


def read_structure(
    text: str,
    *,
    temporal: Sequence[str] = (),
    event: Sequence[str] = (),
    root: str | None = None,
    recursion: int = DEFAULT_RECURSION,
) -> TagStructure:
    """The tag structure that a text describes, or that is derived from a DTD.

    For a DTD, `temporal` and `event` name the elements that come as fillers.
    """
    if is_tag_structure(text):
        if temporal or event:
            raise SchemaError(
                "a tag structure says itself which tags are temporal and which are events",
                help="name them for a DTD only",
            )
        return read_tag_structure(text.removeprefix("\ufeff"))
    if _is_dtd(text):
        return derive_tag_structure(
            text, temporal=temporal, event=event, root=root, recursion=recursion
        )
    if _prolog_length(text) == len(text):
        raise SchemaError("the schema is empty")
    raise SchemaError(
        "a history is described by a tag structure or a DTD, and this is neither",
        help="a tag structure begins with <stream:structure>, a DTD with <!ELEMENT or <!DOCTYPE",
    )


def is_tag_structure(text: str) -> bool:
    """True for what is written as a tag structure, right or wrong."""
    return _TAG_STRUCTURE.match(text, _prolog_length(text)) is not None


def _is_dtd(text: str) -> bool:
    return text.startswith("<!", _prolog_length(text)) or "<!ELEMENT" in text


def _prolog_length(text: str) -> int:
    match = _PROLOG.match(text)
    return match.end() if match else 0


def _describes_a_history(text: str) -> UnsupportedError:
    match = _TAG_STRUCTURE.match(text, _prolog_length(text))
    return UnsupportedError(
        "tag structures come with history, which has no items",
        span=Span(*match.span("start")) if match else None,
        text=text,
        help="millstream fragment and millstream materialize take it; items need a DTD",
    )


def _other_xml(text: str, start: int) -> UnsupportedError:
    match = re.compile(r"<[^\s/>]*").match(text, start)
    tag = match[0] if match else "<"
    message = f"{tag}> is neither a DTD, a JSON Schema nor a Spark DDL string"
    return UnsupportedError(message, span=Span(start, start + len(tag)), text=text)
