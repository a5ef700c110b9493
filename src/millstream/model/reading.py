"""Reading a schema whatever it is written in: the text itself tells."""

from __future__ import annotations

import re

from millstream.errors import SchemaError, Span, UnsupportedError
from millstream.model.ddl import read_ddl
from millstream.model.dtd import read_dtd
from millstream.model.json_schema import read_json_schema
from millstream.model.schema import Schema

_PROLOG = re.compile(r"(?:\ufeff|\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)


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
    if text[start] in "{[":
        return read_json_schema(text.removeprefix("\ufeff"), stream=stream, item=item)
    if text.startswith("<!", start) or "<!ELEMENT" in text:
        return read_dtd(text, root=root, item=item)
    if text[start] == "<":
        raise _other_xml(text, start)
    return read_ddl(text.removeprefix("\ufeff"), stream=stream, item=item)


def _prolog_length(text: str) -> int:
    match = _PROLOG.match(text)
    return match.end() if match else 0


def _other_xml(text: str, start: int) -> UnsupportedError:
    match = re.compile(r"<[^\s/>]*").match(text, start)
    tag = match[0] if match else "<"
    tag_structure = tag in ("<stream:structure", "<structure", "<tag")
    message = (
        "tag structures come with history"
        if tag_structure
        else f"{tag}> is neither a DTD, a JSON Schema nor a Spark DDL string"
    )
    return UnsupportedError(message, span=Span(start, start + len(tag)), text=text)
