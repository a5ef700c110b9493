"""A place among the tokens, and the questions that every part of the parser asks there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from millstream.errors import QueryError, Span, did_you_mean
from millstream.languages.tagql.lexer import Kind, Token, tokens
from millstream.languages.tagql.words import RESERVED
from millstream.model.tags.duration import UNITS, duration

DEEPEST = 40
"""How deep conditions may nest: Python's own stack is the reason for a limit."""


class Cursor:
    """Reads a text token by token; words are told without regard to case."""

    def __init__(self, text: str, functions: Collection[str] = ()) -> None:
        """`functions` are those of users: they compare two contents, by names in capitals."""
        self.text = text
        self.functions = functions
        self._tokens = tokens(text)
        self._place = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._place]

    def ahead(self, count: int = 1) -> Token:
        """The token so many places after the current one."""
        return self._tokens[min(self._place + count, len(self._tokens) - 1)]

    def take(self) -> Token:
        """The current token; the next one becomes current."""
        token = self.token
        self._place = min(self._place + 1, len(self._tokens) - 1)
        return token

    def at(self, *words: str) -> bool:
        """True if the current token is one of these symbols or words."""
        return self.token.keyword in words and self.token.keyword != ""

    def take_if(self, *words: str) -> bool:
        """Take the current token if it is one of these; True if it was."""
        if not self.at(*words):
            return False
        self.take()
        return True

    def expect(self, *words: str, help: str | None = None) -> Token:
        """Take the current tokens, which must be these words one after the other."""
        first = self.token
        for word in words:
            if not self.at(word):
                raise self.unexpected(f"'{word}'", help=help or self._misspelt(word))
            self.take()
        return first

    def expect_kind(self, kind: Kind, what: str, *, help: str | None = None) -> Token:
        """Take the current token, which must be of a kind."""
        if self.token.kind is not kind:
            raise self.unexpected(what, help=help)
        return self.take()

    def expect_one(self, words: Iterable[str], what: str) -> str:
        """Take the current token, which must be one of some words."""
        known = tuple(words)
        if not self.at(*known):
            help = did_you_mean(self.token.value.upper(), known)
            raise self.unexpected(what, help=help)
        return self.take().keyword

    def name(self, what: str) -> str:
        """Take a name: a word that is not one of the language's, or a quoted name."""
        token = self.token
        if token.kind is Kind.WORD and token.keyword in RESERVED:
            help = f'to use {token} as a name, write "{token.value}"'
            raise self.unexpected(what, help=help)
        return self.any_name(what)

    def any_name(self, what: str) -> str:
        """Take a word or quoted name, as it may stand after a dot."""
        if self.token.kind not in (Kind.WORD, Kind.QUOTED_NAME) or not self.token.value:
            raise self.unexpected(what)
        return self.take().value

    def duration(self) -> int:
        """Take a number and a unit of time."""
        help = "a duration is a number and a unit, like 1 min"
        amount = self.expect_kind(Kind.NUMBER, "a duration", help=help)
        unit = self.token
        if unit.kind is not Kind.WORD:
            raise self.unexpected("a unit of time", help=did_you_mean("", UNITS))
        self.take()
        try:
            return duration(amount.value, unit.value)
        except ValueError as error:
            raise QueryError(
                str(error), code="duration", span=amount.span.cover(unit.span)
            ) from None

    def signed_number(self) -> str:
        """Take a number that a minus may precede."""
        minus = "-" if self.take_if("-") else ""
        return minus + self.expect_kind(Kind.NUMBER, "a number").value

    def string(self, what: str) -> str:
        return self.expect_kind(Kind.STRING, what, help="a text stands between single quotes").value

    def unexpected(self, what: str, *, help: str | None = None) -> QueryError:
        """The error of finding the current token where something else should stand."""
        return QueryError(
            f"expected {what}, found {self.token}", code="syntax", span=self.token.span, help=help
        )

    def span_from(self, start: Token | Span) -> Span:
        """From the beginning of something up to the last token taken."""
        first = start.span if isinstance(start, Token) else start
        last = self._tokens[max(self._place - 1, 0)].span
        return Span(first.start, max(last.end, first.end))

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

    def _misspelt(self, word: str) -> str | None:
        if self.token.kind is not Kind.WORD:
            return None
        help = did_you_mean(self.token.keyword, [word])
        return help.split(" known:")[0] if help and help.startswith("did") else None


def too_deep(span: Span) -> QueryError:
    """The error of nesting beyond what a statement may have."""
    message = f"this is nested too deep: at most {DEEPEST} levels"
    return QueryError(message, code="too-deep", span=span)
