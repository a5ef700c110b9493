"""From the text of a statement to its syntax tree."""

from __future__ import annotations

from collections.abc import Collection

from millstream.errors import MillstreamError, QueryError, Span
from millstream.languages.tagql import syntax
from millstream.languages.tagql.cursor import too_deep
from millstream.languages.tagql.lexer import Kind
from millstream.languages.tagql.statements import StatementReader

LONGEST_STATEMENT = 1_000_000
"""How many characters a statement may have."""


def parse(text: str, functions: Collection[str] = ()) -> syntax.Statement:
    """The syntax tree of a statement; errors know the text that their spans point into.

    `functions` are the names, in capitals, of users' functions that compare two contents.
    """
    if len(text) > LONGEST_STATEMENT:
        raise QueryError(f"a statement has at most {LONGEST_STATEMENT:,} characters")
    try:
        return Parser(text, functions).whole()
    except MillstreamError as error:
        raise error.with_text(text) from None
    except RecursionError:
        # The caller's own stack was deep already.
        raise too_deep(Span(0, len(text))).with_text(text) from None


class Parser(StatementReader):
    """Reads a whole text."""

    def whole(self) -> syntax.Statement:
        """One statement, up to the end of the text."""
        statement = self.statement()
        self.take_if(";")
        if self.token.kind is not Kind.END:
            raise self.unexpected("the end of the query")
        return statement
