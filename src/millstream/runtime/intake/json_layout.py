"""JSON in another layout than one object a line, laid out anew block by block."""

from __future__ import annotations

import json
import re

# The rest of a string, up to its closing quote or the end of the block.
_INSIDE = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)', re.DOTALL)
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)|[{}\[\],\r\n]', re.DOTALL)


def layout_of(head: bytes) -> LineLayout | None:
    """How to lay out a text that begins like this; None when its lines are its items already."""
    text = head.lstrip()
    if text.startswith(b"["):
        return LineLayout(outer=1)
    first, line_end, _ = text.partition(b"\n")
    if text.startswith(b"{") and line_end and not _whole(first):
        return LineLayout(outer=0)
    return None


def _whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        # A line that is merely wrong closes what it opens.
        return line.count(b"{") <= line.count(b"}")
    return True


class LineLayout:
    """Puts each member of an array, or each of several objects, on a line of its own."""

    def __init__(self, outer: int) -> None:
        self._outer = outer
        """How deep the items lie: 1 in an array, else 0."""
        self._depth = 0
        self._in_string = False
        self._rest = b""

    def laid_out(self, block: bytes) -> bytes:
        """The next block of the text."""
        block = self._rest + block
        self._rest = b""
        string = b""
        if self._in_string and (inside := _INSIDE.match(block)):
            string, block = self._string(inside), block[inside.end() :]
        return string + _TOKEN.sub(self._token, block)

    def _token(self, token: re.Match[bytes]) -> bytes:
        text = token.group()
        if text.startswith(b'"'):
            return self._string(token)
        if text in b"\r\n":
            return b" "
        if text == b",":
            return b"\n" if self._depth == self._outer else text
        self._depth += 1 if text in b"{[" else -1
        if text in b"{[":
            return text if self._depth > self._outer else b""
        if self._depth < self._outer:
            return b"\n"
        return text + b"\n" if self._depth == self._outer else text

    def _string(self, found: re.Match[bytes]) -> bytes:
        text = found.group()
        self._in_string = found.group(1) != b'"'
        if self._in_string and found.group(1):
            self._rest = text[-1:]  # whatever a backslash escapes is in the next block
            return text[:-1]
        return text
