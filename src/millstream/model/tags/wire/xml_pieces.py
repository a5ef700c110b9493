"""An XML text cut into its elements, so that a broken one does not spoil the next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from millstream.errors import ItemError
from millstream.model.tags.wire.reading import Piece

_SKIPPED = re.compile(r"<\?.*?\?>|<!--.*?-->|</[^<>]*>", re.DOTALL)
_NAME = r"[^\s<>/?!=\"']+"
_START = re.compile(rf"<({_NAME})((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.DOTALL)
_OPAQUE = r"<!--.*?-->|<!\[CDATA\[.*?\]\]>"
_NEXT = re.compile(r"<")


def xml_pieces(text: str, kinds: tuple[str, ...]) -> Iterator[Piece]:
    """The elements of some kinds, in order, and whatever else stands between them.

    The start tag of an element around them all is passed over.
    """
    offset, line, counted = 0, 1, 0
    inside = False
    while (start := _content_start(text, offset)) < len(text):
        line, counted = line + text.count("\n", counted, start), start
        if skipped := _SKIPPED.match(text, start):
            offset = skipped.end()
            continue
        tag = _START.match(text, start)
        known = tag is not None and tag[1] in kinds
        if tag and not known and not inside and not tag[2].endswith("/"):
            offset, inside = tag.end(), True
            continue
        offset = _end(text, start, tag, kinds)
        piece = text[start:offset].strip()
        yield Piece(line, piece, None if known else _fault(text, start, tag))
        inside = True


def _content_start(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _end(text: str, start: int, tag: re.Match[str] | None, kinds: tuple[str, ...]) -> int:
    """Where the element that begins at an offset ends, or the next one begins."""
    if tag is None:
        following = _NEXT.search(text, start + 1)
        return following.start() if following else len(text)
    if tag[2].endswith("/"):
        return tag.end()
    name = re.escape(tag[1])
    edge = re.compile(rf"{_OPAQUE}|</{name}\s*>|<{name}(?=[\s/>])", re.DOTALL)
    for found in edge.finditer(text, tag.end()):
        if found.group().startswith("</"):
            return found.end()
        if not found.group().startswith("<!"):
            return found.start()
    # It is never closed: what follows may still be read.
    listed = "|".join(map(re.escape, kinds))
    following = re.compile(rf"<(?:{listed})(?=[\s/>])").search(text, tag.end())
    return following.start() if following else len(text)


def _fault(text: str, start: int, tag: re.Match[str] | None) -> ItemError:
    if tag is not None:
        return ItemError(f"<{tag[1][:40]}> is no element of a tagged stream", code="malformed")
    if text[start] == "<":
        return ItemError("this is not XML", code="malformed")
    return ItemError("text stands between the elements", code="malformed")
