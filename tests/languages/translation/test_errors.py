"""What cannot be asked of a history says why, where, and what to do."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from millstream.errors import InternalError, MillstreamError, QueryError, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation import Strategy, translate
from millstream.languages.xquery.unparser import unparse
from tests.languages.translation.structures import STRUCTURES
from tests.languages.trees import modules


def error(text: str) -> MillstreamError:
    with pytest.raises(MillstreamError) as caught:
        translate(text, STRUCTURES)
    return caught.value


def per_ship(expression: str) -> str:
    return f'for $s in stream("fleet")/fleet/ship return {expression}'


QUERY_ERRORS = [
    ('stream("fleat")', "there is no stream 'fleat'", 'stream("fleat")'),
    ("stream()", "4 streams are known, so the one to read must be named", "stream()"),
    ("stream(1)", "stream() takes the name of a stream as a string", "stream(1)"),
    ('stream("fleet")/ship', "stream 'fleet' has no element ship", "ship"),
    ('stream("fleet")//crat', "stream 'fleet' has no element crat", "crat"),
    (per_ship("$s/crate"), "fleet/ship has no element crate", "crate"),
    (per_ship("$s/mate/x"), "fleet/ship/mate has no elements inside", "x"),
    (per_ship("$s?[now]/crate"), "fleet/ship has no element crate", "crate"),
    (per_ship("$t"), "no variable $t is known here", "$t"),
    (per_ship("mate"), "there is no context item here", "mate"),
    (per_ship("now-PT1H"), "'now-PT1H' is a name here", "now-PT1H"),
    (per_ship("cuont($s)"), "no function is named cuont()", "cuont($s)"),
    (per_ship("count($s, $s)"), "count() takes 1 argument, here it has 2", "count($s, $s)"),
    (per_ship("count($s)/x"), "this is a value, which has no elements inside", "x"),
    (per_ship("$s?[1]"), "expected a time, and this is no time", "1"),
    (per_ship("$s?[PT1H, now]"), "expected a time, and this is a duration", "PT1H"),
    (per_ship("$s?[last]"), "'last' is the number of versions, and none are counted here", "last"),
    (per_ship("$s#[now]"), "expected the number of a version, and this is a time", "now"),
    (per_ship("$s#[0]"), "versions are counted from 1", "0"),
    (per_ship("$s#[-1]"), "versions are counted from 1", "1"),
    (per_ship("$s#[3,2]"), "the last of these versions comes before the first", "3,2"),
    (
        per_ship("$s?[2003-12-01,2003-11-01]"),
        "this interval ends before it begins",
        "2003-12-01,2003-11-01",
    ),
    (per_ship("$s?[now, start]"), "this interval ends before it begins", "now, start"),
    (per_ship("'x'?[now]"), "only elements have a lifespan, and this holds none", "'x'"),
    (per_ship("vtFrom($s/@id)"), "vtFrom() is asked of elements, and this is none", None),
    (per_ship("$s before 1"), "'before' compares elements and intervals, and this is neither", "1"),
    (per_ship("[now] = 1"), "an interval is no value", "[now]"),
    (per_ship("<a>{ [now] }</a>"), "an interval is no content", "[now]"),
    ("[now]", "an interval is no result", "[now]"),
    ("declare function f($x) { 1 }; f()", "f() takes 1 arguments, here it has 0", "f()"),
]


@pytest.mark.parametrize(("text", "message", "pointed_at"), QUERY_ERRORS)
def test_wrong_queries_are_refused(text: str, message: str, pointed_at: str | None) -> None:
    found = error(text)
    assert (type(found), found.message) == (QueryError, message)
    assert found.span is not None
    if pointed_at is not None:
        assert text[found.span.start : found.span.end] == pointed_at


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (per_ship("$s/.."), "the parent axis is not supported"),
        (per_ship("$s/following-sibling::ship"), "the following-sibling axis is not supported"),
        (per_ship("$s/a:b"), "a name with a prefix is not supported here"),
        (per_ship("<a:b/>"), "a name with a prefix is not supported here"),
        (per_ship("<a xmlns='b'/>"), "namespaces are not supported"),
        (per_ship("tokenize($s, ' ')"), "tokenize() is not supported"),
        (
            'for $w in stream("fleet")/fleet/ship|count 2| return $w',
            "windows of this kind are not supported on a history",
        ),
    ],
)
def test_what_is_not_supported_says_so(text: str, message: str) -> None:
    found = error(text)
    assert (type(found), found.message) == (UnsupportedError, message)
    assert found.span is not None


def test_an_error_shows_the_line_and_a_way_out() -> None:
    assert str(error('for $s in stream("fleet")//ship\nwhere $s/mat = "x" return $s')) == (
        "query error: fleet/ship has no element mat\n"
        '  2 | where $s/mat = "x" return $s\n'
        "    |          ^^^\n"
        "help: did you mean 'mate'? known: hold, mate, now"
    )


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(modules())
def test_any_tree_is_translated_or_explained(module: syntax.Module) -> None:
    for strategy in Strategy:
        try:
            assert translate(unparse(module), STRUCTURES, strategy).text
        except InternalError:
            raise
        except MillstreamError as error:
            assert error.span is not None
