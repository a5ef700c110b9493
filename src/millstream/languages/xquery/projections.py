"""Projections in time and version, and the times and intervals inside their brackets."""

from __future__ import annotations

import re

from millstream.errors import QueryError, Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lexer import Kind
from millstream.languages.xquery.reader import ExpressionReader
from millstream.model.values import parse_instant

TIME_WORDS = ("now", "start", "last")
EXAMPLE = "times are written e?[2003-11-01, now], versions e#[1, 10]"

_DAY = r"\d{4}-\d{2}-\d{2}"
_CLOCK = r"T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?"
_DATE = re.compile(rf"{_DAY}(?:{_CLOCK})?(?![\w.:])")
_DATE_AND_CLOCK = re.compile(rf"{_DAY}{_CLOCK}(?![\w.:])")
_SLOPPY_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?=T|\s*[\],])")
_DURATION_PARTS = (
    r"P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?"
    r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
)
DURATION = re.compile(rf"{_DURATION_PARTS}(?![\w.\u00b7:])")
# A hyphen belongs to names; after one of these words it subtracts if something countable follows.
_WORD = re.compile(
    rf"(?:{'|'.join(TIME_WORDS)})"
    rf"(?=[^\w.\-\u00b7:]|$|-(?:\W|\d|{_DURATION_PARTS}(?![\w.\u00b7:])|$))"
    r"(?!\s*(?:\(|/|::))"
)


class ProjectionReader(ExpressionReader):
    """Reads what is special to queries in time."""

    def at_projection(self) -> bool:
        """True at a '?' or '#' with a bracket after it."""
        return self.at("?", "#") and self.followed_by("[")

    def projected(self, base: syntax.Expression, start: Span) -> syntax.Expression:
        """The projection at the current token, of all that stands on its left."""
        sign = self.take().value
        first, second = self._bounds()
        span = self.span_from(start)
        if sign == "?":
            return syntax.IntervalProjection(base, first, second, span=span)
        return syntax.VersionProjection(base, first, second, span=span)

    def interval(self) -> syntax.Interval:
        """An interval by itself, whose bracket is the current token."""
        start = self.token
        begin, end = self._bounds()
        return syntax.Interval(begin, end, span=self.span_from(start))

    def time_value(self) -> syntax.Expression | None:
        """The time at the current token, if there is one: outside brackets, with its clock."""
        if not self.reads_times:
            return self._literal_time(_DATE_AND_CLOCK)
        return self._time_word() or self._duration() or self._literal_time(_DATE)

    def _bounds(self) -> tuple[syntax.Expression, syntax.Expression | None]:
        opening = self.expect("[")
        if self.at("]"):
            raise self.unexpected("a time or a number", help=EXAMPLE)
        with self.times(read=True):
            first = self.single()
            second = self.single() if self.take_if(",") else None
        self.expect("]", help=self.still_open("[", opening.span))
        return first, second

    def _time_word(self) -> syntax.TimeWord | None:
        span = self._matched(_WORD)
        return None if span is None else syntax.TimeWord(self._jumped(span), span=span)

    def _duration(self) -> syntax.DurationLiteral | None:
        span = self._matched(DURATION)
        return None if span is None else syntax.DurationLiteral(self._jumped(span), span=span)

    def _literal_time(self, pattern: re.Pattern[str]) -> syntax.TimeLiteral | None:
        span = self._matched(pattern)
        if span is None:
            self._refuse_sloppy_date()
            return None
        text = self._jumped(span)
        try:
            parse_instant(text)
        except ValueError as error:
            raise QueryError(str(error), code="bad-time", span=span) from None
        return syntax.TimeLiteral(text, span=span)

    def _refuse_sloppy_date(self) -> None:
        span = self._matched(_SLOPPY_DATE) if self.reads_times else None
        if span is not None:
            raise QueryError(
                "this is neither a date nor a number",
                code="bad-time",
                span=span,
                help="a date has four, two and two digits: 2003-11-01",
            )

    def _matched(self, pattern: re.Pattern[str]) -> Span | None:
        if self.token.kind not in (Kind.NAME, Kind.NUMBER):
            return None
        match = pattern.match(self.text, self.token.span.start)
        return Span(*match.span()) if match else None

    def _jumped(self, span: Span) -> str:
        """The characters of a span, which are read with it."""
        self.jump(span.end)
        return self.text[span.start : span.end]
