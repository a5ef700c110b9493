"""What every part of the expression parser may ask of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from millstream.errors import Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.cursor import Cursor
from millstream.languages.xquery.lexer import Kind


class ExpressionReader(Cursor, ABC):
    """A cursor that reads expressions; each kind of expression has a file of its own."""

    reads_times: bool = False
    """True in the brackets of a projection, where bare dates, durations and now are times."""

    @contextmanager
    def times(self, *, read: bool) -> Iterator[None]:
        """While this lasts, bare times are read as such, or not."""
        outside = self.reads_times
        self.reads_times = read
        yield
        self.reads_times = outside

    @abstractmethod
    def expression(self) -> syntax.Expression:
        """Expressions with commas between them, as one."""

    @abstractmethod
    def single(self) -> syntax.Expression:
        """One expression, up to a comma."""

    @abstractmethod
    def source(self) -> syntax.Expression:
        """The expression that a for clause goes through: a window may follow it."""

    @abstractmethod
    def primary(self) -> syntax.Expression:
        """A literal, variable, call, constructor or something in parentheses."""

    @abstractmethod
    def path(self) -> syntax.Expression:
        """A path, or what it starts from when no step follows."""

    def variable(self) -> str:
        """A variable's name, its dollar sign taken."""
        self.expect("$", help="a variable is written with a dollar sign, like $p")
        return self.expect_kind(Kind.NAME, "a variable's name").value

    def enclosed(self) -> syntax.Expression:
        """An expression in braces; nothing in them is the empty sequence."""
        opening = self.expect("{")
        if self.at("}"):
            return syntax.Sequence(span=self.span_from(opening).cover(self.take().span))
        with self.times(read=False):
            expression = self.expression()
        self.expect("}", help=self.still_open("{", opening.span))
        return expression

    def still_open(self, what: str, span: Span) -> str:
        """Help that points to where something was opened."""
        line = self.text.count("\n", 0, span.start) + 1
        return f"the '{what}' in line {line} is still open"

    def unsupported(self, what: str, *, help: str | None = None) -> UnsupportedError:
        """The error of meeting, at the current token, XQuery that is not part of this language."""
        return UnsupportedError(f"{what} is not supported", span=self.token.span, help=help)
