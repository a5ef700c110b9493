"""The error family: whose fault it is, where, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters in a query text."""

    start: int
    end: int

    def cover(self, other: Span) -> Span:
        """The smallest span that contains this one and the other."""
        return Span(min(self.start, other.start), max(self.end, other.end))


class MillstreamError(Exception):
    """Any failure that Millstream explains to its caller."""

    kind: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 2
    http_status: ClassVar[int] = 400

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        span: Span | None = None,
        text: str | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).__name__
        self.span = span
        self.text = text
        self.help = help

    def with_text(self, text: str) -> MillstreamError:
        """This error, knowing the query text that its span points into."""
        if self.text is None:
            self.text = text
        return self

    def __str__(self) -> str:
        return render(self)

    def to_json(self) -> dict[str, Any]:
        """The fields of this error as plain values."""
        fields: dict[str, Any] = {"error": self.kind, "code": self.code, "message": self.message}
        if self.help:
            fields["help"] = self.help
        if self.span:
            fields["span"] = [self.span.start, self.span.end]
            if self.text is not None:
                line, column = line_and_column(self.text, self.span.start)
                fields["line"], fields["column"] = line, column
        return fields


class QueryError(MillstreamError):
    """The query text is wrong."""

    kind = "query error"


class SchemaError(MillstreamError):
    """A schema, or a name that a schema should know, is wrong."""

    kind = "schema error"
    http_status = 422


class UnsupportedError(MillstreamError):
    """Legal, but Millstream cannot do it."""

    kind = "unsupported"
    http_status = 501


class ItemError(MillstreamError):
    """The data is wrong."""

    kind = "item error"
    http_status = 422


class StateError(MillstreamError):
    """The space, a checkpoint or a source is not as it must be."""

    kind = "state error"
    http_status = 409


class InternalError(MillstreamError):
    """Millstream is wrong."""

    kind = "internal error"
    exit_status = 1
    http_status = 500


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The line and column, from 1, of a character offset."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def render(error: MillstreamError) -> str:
    """The message with the query line, carets under the span, and help."""
    lines = [f"{error.kind}: {error.message}"]
    if error.span is not None and error.text is not None:
        lines += _caret_lines(error.text, error.span)
    if error.help:
        lines.append(f"help: {error.help}")
    return "\n".join(lines)


def _caret_lines(text: str, span: Span) -> list[str]:
    number, column = line_and_column(text, span.start)
    line = (text.splitlines() or [""])[min(number, len(text.splitlines()) or 1) - 1]
    width = max(1, min(span.end - span.start, len(line) - column + 1))
    gutter = " " * len(str(number))
    return [f"  {number} | {line}", f"  {gutter} | {' ' * (column - 1)}{'^' * width}"]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A help sentence that names the closest known names, or None."""
    names = sorted(set(known))
    if not names:
        return None
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    listing = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"did you mean '{close[0]}'? known: {listing}" if close else f"known: {listing}"
