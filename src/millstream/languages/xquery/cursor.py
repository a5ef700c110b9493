"""A place in the token stream, and the questions that every part of the parser asks there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from millstream.errors import QueryError, Span
from millstream.languages.xquery.lexer import Kind, Token, token_at

DEEPEST = 80
"""How deep expressions may nest: Python's own stack is the reason for a limit."""


class Cursor:
    """Reads a text token by token, with as much looking ahead as is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.token = token_at(text, 0)
        self.end = 0
        """Where the last token that was taken ends."""
        self._depth = 0

    def take(self) -> Token:
        """The current token; the next one becomes current."""
        token = self.token
        self.jump(token.span.end)
        return token

    def jump(self, offset: int) -> None:
        """Go on reading at an offset, after characters that were read as such."""
        self.end = offset
        self.token = token_at(self.text, offset)

    def ahead(self, count: int = 1) -> Token:
        """The token so many places after the current one."""
        token = self.token
        for _ in range(count):
            token = token_at(self.text, token.span.end)
        return token

    def at(self, *values: str) -> bool:
        """True if the current token is one of these symbols or words."""
        return _is(self.token, values)

    def followed_by(self, *values: str) -> bool:
        """True if the token after the current one is one of these."""
        return _is(self.ahead(), values)

    def take_if(self, *values: str) -> bool:
        """Take the current token if it is one of these; True if it was."""
        if not self.at(*values):
            return False
        self.take()
        return True

    def expect(self, value: str, *, help: str | None = None) -> Token:
        """Take the current token, which must be this symbol or word."""
        if not self.at(value):
            raise self.unexpected(f"'{value}'", help=help)
        return self.take()

    def expect_kind(self, kind: Kind, what: str, *, help: str | None = None) -> Token:
        """Take the current token, which must be of a kind."""
        if self.token.kind is not kind:
            raise self.unexpected(what, help=help)
        return self.take()

    def unexpected(self, what: str, *, help: str | None = None) -> QueryError:
        """The error of finding the current token where something else should stand."""
        return QueryError(
            f"expected {what}, found {self.token}", code="syntax", span=self.token.span, help=help
        )

    def span_from(self, start: Token | Span) -> Span:
        """From the beginning of something up to the last token taken."""
        first = start.span if isinstance(start, Token) else start
        return Span(first.start, max(self.end, first.end))

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper, unless that is too deep."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise too_deep(self.token.span)
        try:
            yield
        finally:
            self._depth -= 1


def too_deep(span: Span) -> QueryError:
    """The error of nesting beyond what a query may have."""
    return QueryError(
        f"this is nested too deep: at most {DEEPEST} levels",
        code="too-deep",
        span=span,
        help="name a part of it with 'let' and use the variable",
    )


def _is(token: Token, values: tuple[str, ...]) -> bool:
    return token.kind in (Kind.SYMBOL, Kind.NAME) and token.value in values
