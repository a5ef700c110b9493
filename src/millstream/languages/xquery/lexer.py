"""From characters to tokens, one at a time: what a '<' begins, only the parser knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from millstream.errors import QueryError, Span
from millstream.languages.xquery.references import normalize_line_ends, reference_at


class Kind(Enum):
    """What a token is, as messages call it."""

    value: str

    NAME = "a name"
    NUMBER = "a number"
    STRING = "a string"
    SYMBOL = "a symbol"
    END = "the end of the query"


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the query; the value of a string is what stands between its quotes."""

    kind: Kind
    value: str
    span: Span

    def __str__(self) -> str:
        return self.kind.value if self.kind in (Kind.END, Kind.STRING) else f"'{self.value}'"


NAME_START = r"[^\W\d]"
_NCNAME = rf"{NAME_START}[\w.\-\u00b7]*"
NAME = re.compile(rf"{_NCNAME}(?::{_NCNAME})?")
_SYMBOL = re.compile(r"<<|>>|<=|>=|!=|:=|::|\.\.|//|[()\[\]{},;$@./|+\-*=<>?#:]")

_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
LONGEST_NUMBER = 1000
"""Python converts longer digit strings slowly, or not at all."""

_SPACE = re.compile(r"[ \t\r\n]+")
_COMMENT_EDGE = re.compile(r"\(:|:\)")


def token_at(text: str, offset: int) -> Token:
    """The token that begins at or after an offset, past space and comments."""
    start = skip_space(text, offset)
    if start >= len(text):
        return Token(Kind.END, "", Span(len(text), len(text)))
    if text[start] in "\"'":
        return _string(text, start)
    if name := NAME.match(text, start):
        return _token(Kind.NAME, name.group(), start)
    if number := _NUMBER.match(text, start):
        return _number(text, start, number.end())
    if symbol := _SYMBOL.match(text, start):
        return _token(Kind.SYMBOL, symbol.group(), start)
    raise QueryError(
        f"the character {text[start]!r} has no meaning here", span=Span(start, start + 1)
    )


def skip_space(text: str, offset: int) -> int:
    """The offset of the next character that is neither space nor in a (: comment :)."""
    while True:
        if space := _SPACE.match(text, offset):
            offset = space.end()
        if not text.startswith("(:", offset):
            return offset
        offset = _comment_end(text, offset)


def _comment_end(text: str, start: int) -> int:
    depth, offset = 0, start
    while edge := _COMMENT_EDGE.search(text, offset):
        depth += 1 if edge.group() == "(:" else -1
        offset = edge.end()
        if depth == 0:
            return offset
    raise QueryError(
        "this comment is never closed", span=Span(start, start + 2), help="close it with ':)'"
    )


def _token(kind: Kind, value: str, start: int) -> Token:
    return Token(kind, value, Span(start, start + len(value)))


def _number(text: str, start: int, end: int) -> Token:
    if NAME.match(text, end):
        raise QueryError("a number and a name need a space between them", span=Span(end, end + 1))
    value = text[start:end]
    if "e" in value.lower() and float(value) == float("inf"):
        raise QueryError("this number is too large for a double", span=Span(start, end))
    if end - start > LONGEST_NUMBER:
        raise QueryError(f"a number has at most {LONGEST_NUMBER} digits", span=Span(start, end))
    return _token(Kind.NUMBER, value, start)


def _string(text: str, start: int) -> Token:
    quote, parts, offset = text[start], [], start + 1
    stop = re.compile(f"[{quote}&]")
    while found := stop.search(text, offset):
        parts.append(normalize_line_ends(text[offset : found.start()]))
        offset = found.start()
        if text[offset] == "&":
            character, offset = reference_at(text, offset)
            parts.append(character)
        elif text.startswith(quote * 2, offset):
            parts.append(quote)
            offset += 2
        else:
            return Token(Kind.STRING, "".join(parts), Span(start, offset + 1))
    raise QueryError(
        "this string is never closed",
        span=Span(start, start + 1),
        help=f"close it with {quote}; write {quote * 2} for the quote itself",
    )
