"""From characters to tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from millstream.errors import QueryError, Span


class Kind(Enum):
    """What a token is, as messages call it."""

    value: str

    WORD = "a word"
    QUOTED_NAME = "a quoted name"
    NUMBER = "a number"
    STRING = "a string"
    SYMBOL = "a symbol"
    END = "the end of the query"


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the query; of strings and quoted names, what stands between the quotes."""

    kind: Kind
    value: str
    span: Span

    @property
    def keyword(self) -> str:
        """What it is as a word of the language; case does not matter."""
        return self.value.upper() if self.kind in (Kind.WORD, Kind.SYMBOL) else ""

    def __str__(self) -> str:
        return self.kind.value if self.kind in (Kind.END, Kind.STRING) else f"'{self.value}'"


WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+(?!\w))?")
_SYMBOL = re.compile(r"<=|>=|<>|!=|[()\[\],;.+\-*/=<>]")
_SKIPPED = re.compile(r"(?:\s+|--[^\n]*|/\*.*?\*/)+", re.DOTALL)
_CLOSING = {"'": "'", "‘": "’", "`": "'’`", '"': '"'}
"""The characters that end what a quote begins; papers print strings `so' and ‘so’."""

LONGEST_NUMBER = 100
"""Characters that a number may have."""


def tokens(text: str) -> tuple[Token, ...]:
    """All tokens of a text, and one for its end."""
    found, offset = [], 0
    while (start := _skip(text, offset)) < len(text):
        found.append(_token_at(text, start))
        offset = found[-1].span.end
    return (*found, Token(Kind.END, "", Span(len(text), len(text))))


def _skip(text: str, offset: int) -> int:
    skipped = _SKIPPED.match(text, offset)
    end = skipped.end() if skipped else offset
    if text.startswith("/*", end):
        raise QueryError(
            "this comment is never closed", span=Span(end, end + 2), help="close it with '*/'"
        )
    return end


def _token_at(text: str, start: int) -> Token:
    if text[start] in _CLOSING:
        return _quoted(text, start)
    if word := WORD.match(text, start):
        return Token(Kind.WORD, word.group(), Span(start, word.end()))
    if number := _NUMBER.match(text, start):
        return _number(number)
    if symbol := _SYMBOL.match(text, start):
        return Token(Kind.SYMBOL, symbol.group(), Span(start, symbol.end()))
    raise QueryError(
        f"the character {text[start]!r} has no meaning here", span=Span(start, start + 1)
    )


def _number(match: re.Match[str]) -> Token:
    span = Span(match.start(), match.end())
    if match.end() - match.start() > LONGEST_NUMBER or float(match.group()) == float("inf"):
        raise QueryError("this number is too large", span=span)
    return Token(Kind.NUMBER, match.group(), span)


def _quoted(text: str, start: int) -> Token:
    quote = text[start]
    closing = _CLOSING[quote]
    value, offset = "", start + 1
    while offset < len(text):
        character = text[offset]
        doubled = quote in "'\"" and text.startswith(quote * 2, offset)
        if character in closing and not doubled:
            kind = Kind.QUOTED_NAME if quote == '"' else Kind.STRING
            return Token(kind, value, Span(start, offset + 1))
        value += character
        offset += 2 if doubled else 1
    raise QueryError(
        f"this {'name' if quote == chr(34) else 'string'} is never closed",
        span=Span(start, start + 1),
        help=f"close it with {closing[0]}",
    )
