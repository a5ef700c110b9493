"""What is special to queries in time: projections, intervals, constants, and Allen's words."""

from __future__ import annotations

from abc import abstractmethod
from datetime import datetime

from millstream.errors import QueryError, Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import call, let, text, variable
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import (
    DURATION,
    NOTHING,
    NUMBER,
    TIME,
    TRUTH,
    Kind,
    Shape,
    Translated,
)
from millstream.languages.xquery.translation.translation_base import TranslationBase
from millstream.languages.xquery.walk import walk
from millstream.model.lifespan import format_instant
from millstream.model.values import parse_instant

NOW = variable("now")
START = variable("start")
OPEN = variable("open")
_VERSIONS = variable("versions")


class TimeTranslation(TranslationBase):
    """Translates what XCQL adds to XQuery."""

    @abstractmethod
    def is_stream(self, expression: syntax.Expression, scope: Scope) -> bool:
        """True for an expression that stands for a whole stream."""

    def time_word(self, word: syntax.TimeWord, scope: Scope) -> Translated:
        """now or start; last only where versions are counted."""
        if word.word != "last":
            return Translated(variable(word.word), TIME)
        if scope.last is None:
            raise QueryError(
                "'last' is the number of versions, and none are counted here",
                span=word.span,
                help="it stands in #[ ]; the last time is now",
            )
        return Translated(scope.last, NUMBER)

    def time_literal(self, literal: syntax.TimeLiteral) -> Translated:
        shown = text(format_instant(parse_instant(literal.text)))
        return Translated(syntax.FunctionCall("xs:dateTime", (shown,)), TIME)

    def duration(self, literal: syntax.DurationLiteral) -> Translated:
        calendar, _, clock = literal.text.partition("T")
        months = any(unit in calendar for unit in "YM")
        days = any(unit in calendar for unit in "WD") or clock
        kind = "duration" if months and days else "yearMonth" if months else "dayTime"
        name = "xs:duration" if kind == "duration" else f"xs:{kind}Duration"
        written = text(_without_weeks(literal.text))
        return Translated(syntax.FunctionCall(name, (written,)), DURATION)

    def interval_projection(
        self, projection: syntax.IntervalProjection, scope: Scope
    ) -> Translated:
        base = self._projected(projection.base, scope)
        _check_order(projection.begin, projection.end)
        begin = self.bound(projection.begin, scope)
        end = begin if projection.end is None else self.bound(projection.end, scope)
        sliced = call("interval_projection", base.expression, begin, end)
        if self.is_stream(projection.base, scope) and _is_constant(begin) and _is_constant(end):
            return Translated(self._computed_once(sliced), base.shape.copies())
        return Translated(sliced, base.shape.copies())

    def _computed_once(self, projection: syntax.FunctionCall) -> syntax.VariableReference:
        """The variable of a projection of a whole stream, which is one document all over."""
        name = self.projections.setdefault(projection, f"at{len(self.projections) + 1}")
        return variable(name)

    def version_projection(self, projection: syntax.VersionProjection, scope: Scope) -> Translated:
        base = self._projected(projection.base, scope)
        _check_numbers(projection.first, projection.last)
        counted = Scope(scope.variables, scope.context, syntax.FunctionCall("count", (_VERSIONS,)))
        first = self._number(projection.first, counted)
        last = first if projection.last is None else self._number(projection.last, counted)
        shape = base.shape.copies()
        if not any(_counts_versions(each) for each in (first, last)):
            return Translated(call("version_projection", base.expression, first, last), shape)
        chosen = call("version_projection", _VERSIONS, first, last)
        return Translated(let("versions", base.expression, chosen), shape)

    def bound(self, expression: syntax.Expression, scope: Scope) -> syntax.Expression:
        """A time at which something begins or ends."""
        found = self.value(expression, scope)
        if found.shape.may_be(Kind.NUMBER, Kind.DURATION, Kind.TRUTH):
            kind = "a duration" if found.shape.may_be(Kind.DURATION) else "no time"
            raise QueryError(
                f"expected a time, and this is {kind}",
                code="type",
                span=expression.span,
                help="write a date, now, start, or a sum such as now - PT1H",
            )
        return found.expression if found.shape.only(Kind.TIME) else call("time", found.expression)

    def allen(self, binary: syntax.Binary, scope: Scope) -> Translated:
        """A comparison of lifespans in one of Allen's words."""
        left = self._lifespan(binary.left, binary.operator, scope)
        right = self._lifespan(binary.right, binary.operator, scope)
        return Translated(call("related", left, text(binary.operator), right), TRUTH)

    def interval(self, interval: syntax.Interval, scope: Scope) -> Translated:
        """An interval by itself; one that ends now has an open end, as lifespans have."""
        _check_order(interval.begin, interval.end)
        begin = self.bound(interval.begin, scope)
        end = begin if interval.end is None else self.bound(interval.end, scope)
        lasting = OPEN if interval.end is not None and end == NOW else end
        return Translated(call("interval", begin, lasting), Shape.of(Kind.INTERVAL))

    def ends(self, name: str, found: Translated, span: Span) -> Translated:
        """vtFrom or vtTo of some elements."""
        if not may_live(found.shape):
            raise QueryError(
                f"{name}() is asked of elements, and this is none", code="type", span=span
            )
        return Translated(call(name, found.expression), TIME)

    def _projected(self, base: syntax.Expression, scope: Scope) -> Translated:
        found = self.translated(base, scope)
        if not may_live(found.shape):
            raise QueryError(
                "only elements have a lifespan, and this holds none", code="type", span=base.span
            )
        return found

    def _number(self, expression: syntax.Expression, scope: Scope) -> syntax.Expression:
        found = self.value(expression, scope)
        if found.shape.may_be(Kind.TIME, Kind.DURATION):
            raise QueryError(
                "expected the number of a version, and this is a time",
                code="type",
                span=expression.span,
                help="times stand in ?[ ], versions in #[ ]",
            )
        return found.expression

    def _lifespan(self, operand: syntax.Expression, word: str, scope: Scope) -> syntax.Expression:
        found = self.translated(operand, scope)
        if not (may_live(found.shape) or found.shape.may_be(Kind.INTERVAL)):
            raise QueryError(
                f"'{word}' compares elements and intervals, and this is neither",
                code="type",
                span=operand.span,
                help="an interval is written [begin, end]",
            )
        return found.expression


def may_live(shape: Shape) -> bool:
    """True if something may have a lifespan: elements, or nothing at all."""
    return shape.has_elements or shape == NOTHING


def _is_constant(bound: syntax.Expression) -> bool:
    """True for a bound that is the same wherever it stands."""
    return not any(
        isinstance(each, syntax.ContextItem | syntax.Path)
        or (isinstance(each, syntax.VariableReference) and each != NOW and each != START)
        for each in walk(bound)
    )


def _counts_versions(number: syntax.Expression) -> bool:
    return any(node == _VERSIONS for node in walk(number))


def _without_weeks(duration: str) -> str:
    """A duration with its weeks as days: XQuery knows none."""
    if "W" not in duration:
        return duration
    before, _, after = duration.partition("W")
    weeks = before[len(before.rstrip("0123456789")) :]
    days, day, rest = after.partition("D")
    if not day:
        days, rest = "0", after
    return f"{before.removesuffix(weeks)}{7 * int(weeks) + int(days)}D{rest}"


def _check_order(begin: syntax.Expression, end: syntax.Expression | None) -> None:
    first, second = _instant(begin), _instant(end) if end is not None else None
    backwards = first is not None and second is not None and first > second
    ends_at_start = isinstance(end, syntax.TimeWord) and end.word == "start" and begin != end
    if end is not None and (backwards or ends_at_start):
        raise QueryError(
            "this interval ends before it begins",
            code="bad-interval",
            span=begin.span.cover(end.span),
        )


def _instant(expression: syntax.Expression) -> datetime | None:
    return parse_instant(expression.text) if isinstance(expression, syntax.TimeLiteral) else None


def _check_numbers(first: syntax.Expression, last: syntax.Expression | None) -> None:
    for each in (first, last):
        literal = each.operand if isinstance(each, syntax.Unary) else each
        if not isinstance(literal, syntax.NumberLiteral):
            continue
        if literal is not each or not isinstance(literal.value, int) or literal.value < 1:
            raise QueryError("versions are counted from 1", code="bad-version", span=literal.span)
    if (
        isinstance(first, syntax.NumberLiteral)
        and isinstance(last, syntax.NumberLiteral)
        and first.value > last.value
    ):
        raise QueryError(
            "the last of these versions comes before the first",
            code="bad-version",
            span=first.span.cover(last.span),
        )
