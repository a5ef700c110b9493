"""Queries in time become syntax trees: projections, times in brackets, and Allen's words."""

from __future__ import annotations

import pytest

from millstream.errors import MillstreamError, QueryError, UnsupportedError
from millstream.languages.xquery import compile_text, syntax
from millstream.languages.xquery.operations import ALLEN
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.syntax import (
    Binary,
    DurationLiteral,
    Filter,
    FunctionCall,
    Interval,
    IntervalProjection,
    NumberLiteral,
    Path,
    Step,
    TimeLiteral,
    TimeWord,
    VariableReference,
    VersionProjection,
)
from tests.languages.streams import Streams

A, B = VariableReference("a"), VariableReference("b")
NOW, START, LAST = TimeWord("now"), TimeWord("start"), TimeWord("last")
HOUR = DurationLiteral("PT1H")
LIMIT = Path(A, (Step("limit"),))
ONE, NINE = NumberLiteral("1"), NumberLiteral("9")


def body(text: str) -> syntax.Expression:
    return parse(text).body


def error(text: str) -> MillstreamError:
    with pytest.raises(MillstreamError) as caught:
        parse(text)
    return caught.value.with_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$a?[now]", IntervalProjection(A, NOW)),
        ("$a ? [start, now]", IntervalProjection(A, START, NOW)),
        ("$a/limit?[now]", IntervalProjection(LIMIT, NOW)),
        ("$a/limit#[last]", VersionProjection(LIMIT, LAST)),
        ("$a/limit#[1,9]", VersionProjection(LIMIT, ONE, NINE)),
        ("$a?[now]#[1]", VersionProjection(IntervalProjection(A, NOW), ONE)),
        ("$a?[now][1]", Filter(IntervalProjection(A, NOW), (ONE,))),
        ("$a?[now]/limit", Path(IntervalProjection(A, NOW), (Step("limit"),))),
        ("$a[1]?[now]", IntervalProjection(Filter(A, (ONE,)), NOW)),
        ("-$a?[now]", syntax.Unary("-", IntervalProjection(A, NOW))),
        ("<x/>?[now]", IntervalProjection(syntax.DirectElement("x"), NOW)),
    ],
)
def test_a_projection_applies_to_all_on_its_left(text: str, expected: syntax.Expression) -> None:
    assert body(text) == expected


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("now-PT1H", Binary("-", NOW, HOUR)),
        ("now-PT1H-PT1H", Binary("-", Binary("-", NOW, HOUR), HOUR)),
        ("now - PT1H", Binary("-", NOW, HOUR)),
        ("last-9", Binary("-", LAST, NINE)),
        ("now-$b", Binary("-", NOW, B)),
        ("2003-11-01", TimeLiteral("2003-11-01")),
        ("2003-11-01T10:12:56", TimeLiteral("2003-11-01T10:12:56")),
        ("2003-11-01-PT1H", Binary("-", TimeLiteral("2003-11-01"), HOUR)),
        ("2003-11-01T00:00-05:00", TimeLiteral("2003-11-01T00:00-05:00")),
        ("vtFrom($a)+PT1H", Binary("+", FunctionCall("vtFrom", (A,)), HOUR)),
        ("max((now, $a))", FunctionCall("max", (syntax.Sequence((NOW, A)),))),
        ("last()", FunctionCall("last")),
        ("last-login", Path(None, (Step("last-login"),))),
        ("$a/now", Path(A, (Step("now"),))),
        ("$a[now]", Filter(A, (Path(None, (Step("now"),)),))),
        ("start/b", Path(None, (Step("start"), Step("b")))),
        ("Post", Path(None, (Step("Post"),))),
    ],
)
def test_times_are_read_in_brackets(bound: str, expected: syntax.Expression) -> None:
    assert body(f"$a?[{bound}]") == IntervalProjection(A, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("now", Path(None, (Step("now"),))),
        ("PT1H", Path(None, (Step("PT1H"),))),
        ("last-9", Path(None, (Step("last-9"),))),
        ("2003-11-01", Binary("-", Binary("-", NumberLiteral("2003"), NumberLiteral("11")),
                              NumberLiteral("01"))),
        ("2003-11-01T10:12", TimeLiteral("2003-11-01T10:12")),
    ],
)  # fmt: skip
def test_outside_brackets_xquery_reads_as_ever(text: str, expected: syntax.Expression) -> None:
    assert body(text) == expected


@pytest.mark.parametrize("word", ALLEN)
def test_intervals_are_compared_by_words(word: str) -> None:
    assert body(f"$a {word} [now, $b]") == Binary(word, A, Interval(NOW, B))


def test_thirteen_words_compare_intervals() -> None:
    assert len(set(ALLEN)) == 13


@pytest.mark.parametrize(
    ("text", "message", "pointed_at"),
    [
        ("$a?[]", "expected a time or a number, found ']'", "]"),
        ("$a?[now", "expected ']', found the end of the query", ""),
        ("$a#[1,2,3]", "expected ']', found ','", ","),
        ("$a?[2003-11-1, now]", "this is neither a date nor a number", "2003-11-1"),
        ("$a?[2003-13-01]", "no such date or time: '2003-13-01'", "2003-13-01"),
        ("$a before $b before $c", "'before' and 'before' cannot follow one another", "before"),
        ("$a ? $b", "expected the end of the query, found '?'", "?"),
    ],
)
def test_wrong_projections_are_refused(text: str, message: str, pointed_at: str) -> None:
    found = error(text)
    assert (type(found), found.message) == (QueryError, message)
    assert found.span is not None
    assert text[found.span.start : found.span.end] == pointed_at


def test_too_many_projections_are_refused() -> None:
    assert error("$a" + "?[now]" * 10_000).code == "too-deep"


@pytest.mark.parametrize(
    ("text", "pointed_at"),
    [
        ('stream("sky")/sky/source?[now]', 'stream("sky")/sky/source?[now]'),
        ('for $s in stream("sky")/sky/source#[1] return $s', 'stream("sky")/sky/source#[1]'),
        ('for $s in stream("sky")/sky/source return $s/obs?[now]', "$s/obs?[now]"),
        ('for $s in stream("sky")/sky/source where $s/obs before $s return $s', "$s/obs before $s"),
        (
            'for $s in stream("sky")/sky/source where $s/seen > 2003-11-01T10:00 return $s',
            "2003-11-01T10:00",
        ),
    ],
)
def test_streams_of_items_have_no_history(text: str, pointed_at: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        compile_text(text, Streams())
    span = caught.value.span
    assert span is not None and text[span.start : span.end] == pointed_at
