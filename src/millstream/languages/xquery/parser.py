"""From the text of a query to its syntax tree."""

from __future__ import annotations

from millstream.errors import QueryError, Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.cursor import too_deep
from millstream.languages.xquery.flwor import FlworReader
from millstream.languages.xquery.lexer import Kind
from millstream.languages.xquery.operations import OperationReader
from millstream.languages.xquery.primaries import (
    UNSUPPORTED_BLOCKS,
    PrimaryReader,
)
from millstream.languages.xquery.prolog import PrologReader
from millstream.languages.xquery.references import forbidden_character

LONGEST_QUERY = 1_000_000
"""How many characters a query may have."""


def parse(text: str) -> syntax.Module:
    """The syntax tree of a query."""
    if len(text) > LONGEST_QUERY:
        raise QueryError(f"a query has at most {LONGEST_QUERY} characters, this has {len(text)}")
    bad = forbidden_character(text)
    if bad is not None:
        raise QueryError("this character cannot stand in a query", span=Span(bad, bad + 1))
    try:
        return Parser(text).module()
    except RecursionError:
        raise too_deep(Span(0, 0)) from None


class Parser(FlworReader, OperationReader, PrimaryReader, PrologReader):
    """Reads a whole query; what each kind of expression looks like is in the bases."""

    def module(self) -> syntax.Module:
        """Version, declarations and the expression, up to the end of the text."""
        version = self.version()
        declarations = self.declarations()
        body = self.expression()
        with_tags = self._with_tags()
        if self.token.kind is not Kind.END:
            raise self.unexpected("the end of the query", help=self._after_end())
        span = Span(0, len(self.text))
        return syntax.Module(declarations, body, version, with_tags, span=span)

    def _with_tags(self) -> bool:
        """True when the results are to have the tags of what they are made of."""
        if not (self.at("with") and self.ahead().value == "tags"):
            return False
        self.take()
        self.take()
        return True

    def expression(self) -> syntax.Expression:
        start = self.token
        first = self.single()
        if not self.at(","):
            return first
        items = [first]
        while self.take_if(","):
            items.append(self.single())
        return syntax.Sequence(tuple(items), span=self.span_from(start))

    def single(self) -> syntax.Expression:
        outside = self.stops_at_window
        self.stops_at_window = False
        with self.nested():
            expression = self._single()
        self.stops_at_window = outside
        return expression

    def source(self) -> syntax.Expression:
        if self._at_clause():
            return self.single()
        outside = self.stops_at_window
        self.stops_at_window = True
        with self.nested():
            expression = self.binary()
        self.stops_at_window = outside
        return expression

    def _single(self) -> syntax.Expression:
        if self.at("if") and self.followed_by("("):
            return self.conditional()
        if self.at("for", "let") and self._binds():
            return self.flwor()
        if self.at("some", "every") and self._binds():
            return self.quantified()
        if self.at(*UNSUPPORTED_BLOCKS) and self.followed_by("{"):
            raise self.unsupported(f"'{self.token.value}'")
        return self.binary()

    def _at_clause(self) -> bool:
        if self.at("if"):
            return self.followed_by("(")
        return self.at("for", "let", "some", "every") and self._binds()

    def _binds(self) -> bool:
        """True if a variable follows; an error if a name does that should have been one."""
        following = self.ahead()
        if following.kind is Kind.NAME and self.ahead(2).value in ("in", ":="):
            raise QueryError(
                f"expected '$', found {following}",
                code="syntax",
                span=following.span,
                help=f"a variable is written with a dollar sign: ${following.value}",
            )
        return following.kind is Kind.SYMBOL and following.value == "$"

    def _after_end(self) -> str | None:
        if self.at("}", ")", "]"):
            return f"nothing is open that '{self.token.value}' could close"
        if self.at(";"):
            return "only declarations end with ';'"
        if self.token.kind in (Kind.NAME, Kind.SYMBOL):
            return None
        return "put an operator or a comma between two expressions"
