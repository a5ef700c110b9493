"""An XML text cut into its elements, so that a broken one does not spoil the next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from millstream.errors import ItemError
from millstream.model.tags.wire.reading import Piece

_NAME = r"[^\s<>/?!=\"']+"
_START = re.compile(rf"<({_NAME})((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.DOTALL)
_END_TAG = re.compile(r"</[^<>]*>")
_SPACE = re.compile(r"\s*")
_SKIPPED = {"<?": "?>", "<!--": "-->"}
_OPAQUE = {"<!--": "-->", "<![CDATA[": "]]>"}
"""What begins a part in which tags are no tags, and what ends it."""


def xml_pieces(text: str, kinds: tuple[str, ...]) -> Iterator[Piece]:
    """The elements of some kinds, in order, and whatever else stands between them.

    The start tag of an element around them all is passed over.
    """
    return _Cutter(text, kinds).pieces()


class _Cutter:
    """Goes through a text once: what was not found ahead is not looked for again."""

    def __init__(self, text: str, kinds: tuple[str, ...]) -> None:
        self.text = text
        self.kinds = kinds
        self._missing: set[str] = set()
        listed = "|".join(map(re.escape, kinds))
        self._any_start = re.compile(rf"<(?:{listed})(?=[\s/>])")

    def pieces(self) -> Iterator[Piece]:
        text, offset, line, counted, inside = self.text, 0, 1, 0, False
        while (start := self._past_space(offset)) < len(text):
            line, counted = line + text.count("\n", counted, start), start
            skipped = self._past_skipped(start)
            if skipped is not None:
                offset = skipped
                continue
            tag = _START.match(text, start)
            known = tag is not None and tag[1] in self.kinds
            if tag and not known and not inside and not tag[2].endswith("/"):
                offset, inside = tag.end(), True
                continue
            offset, inside = self._end(start, tag), True
            fault = None if known else _fault(text[start], tag)
            yield Piece(line, text[start:offset].strip(), fault)

    def _past_space(self, offset: int) -> int:
        space = _SPACE.match(self.text, offset)
        return space.end() if space else offset

    def _past_skipped(self, start: int) -> int | None:
        """The end of a comment, an instruction or an end tag that begins at an offset."""
        end_tag = _END_TAG.match(self.text, start)
        if end_tag:
            return end_tag.end()
        return next(
            (
                self._find(closing, start)
                for opening, closing in _SKIPPED.items()
                if self.text.startswith(opening, start)
            ),
            None,
        )

    def _find(self, wanted: str, offset: int) -> int | None:
        """Where something ends that is wanted after an offset, or None."""
        found = -1 if wanted in self._missing else self.text.find(wanted, offset)
        if found < 0:
            self._missing.add(wanted)
            return None
        return found + len(wanted)

    def _end(self, start: int, tag: re.Match[str] | None) -> int:
        """Where the element that begins at an offset ends, or the next one begins."""
        if tag is None:
            following = self.text.find("<", start + 1)
            return following if following >= 0 else len(self.text)
        if tag[2].endswith("/"):
            return tag.end()
        name = re.escape(tag[1])
        edge = re.compile(rf"<!--|<!\[CDATA\[|</{name}\s*>|<{name}(?=[\s/>])")
        offset = tag.end()
        while found := edge.search(self.text, offset):
            if found.group().startswith("</"):
                return found.end()
            if found.group() not in _OPAQUE:
                return found.start()
            offset = self._find(_OPAQUE[found.group()], found.end()) or found.end()
        # It is never closed: what follows may still be read.
        next_start = self._any_start.search(self.text, tag.end())
        return next_start.start() if next_start else len(self.text)


def _fault(first: str, tag: re.Match[str] | None) -> ItemError:
    if tag is not None:
        return ItemError(f"<{tag[1][:40]}> is no element of a tagged stream", code="malformed")
    if first == "<":
        return ItemError("this is not XML", code="malformed")
    return ItemError("text stands between the elements", code="malformed")
