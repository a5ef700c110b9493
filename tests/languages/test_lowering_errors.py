"""What cannot be lowered says why, where, and what to do."""

from __future__ import annotations

import pytest

from millstream.errors import MillstreamError, QueryError, UnsupportedError
from millstream.languages.xquery import compile_text
from tests.languages.streams import Streams


def error(text: str) -> MillstreamError:
    with pytest.raises(MillstreamError) as caught:
        compile_text(text, Streams())
    return caught.value


def per_source(expression: str) -> str:
    return f'for $s in stream("sky")/sky/source return <r>{{ {expression} }}</r>'


def pointed_at(found: MillstreamError) -> str:
    assert found.span is not None and found.text is not None
    return found.text[found.span.start : found.span.end]


def test_an_error_shows_the_line_and_a_way_out() -> None:
    text = '<r>{\nfor $p in stream("photons")/photons/photon\nwhere $p/enrgy > 1.3 return $p }</r>'
    assert str(error(text)) == (
        "query error: stream 'photons' has no path photon/enrgy\n"
        "  3 | where $p/enrgy > 1.3 return $p }</r>\n"
        "    |          ^^^^^\n"
        "help: did you mean 'en'? known paths: photon/coord/cel/ra, photon/coord/cel/dec, "
        "photon/coord/det/dx, photon/coord/det/dy, photon/phc, photon/en, photon/det_time"
    )


QUERY_ERRORS = [
    ('for $p in stream("photns")/a return $p', "there is no stream 'photns'", 'stream("photns")'),
    (
        'for $p in stream("photons")/photon return $p',
        "stream 'photons' has no path photon",
        "photon",
    ),
    (
        'for $p in stream("photons")/photons/foton return $p',
        "stream 'photons' has no path photons/foton",
        "foton",
    ),
    ('for $p in stream("photons")//foton return $p', "stream 'photons' has no path foton", "foton"),
    (per_source("$s/ob"), "stream 'sky' has no path source/ob", "ob"),
    (per_source("$s/obs[flx > 1]"), "stream 'sky' has no path source/obs/flx", "flx"),
    (per_source("$s/@key"), "stream 'sky' has no path source/@key", "@key"),
    (per_source("$s/obs/text()"), "source/obs has no text of its own", "text()"),
    (per_source("$t/name"), "no variable $t is known here", "$t"),
    (per_source("name = 'x'"), "there is no context item here", "name"),
    (per_source("cuont($s/obs)"), "no function is named cuont()", "cuont($s/obs)"),
    (per_source("count($s, $s)"), "count() takes 1 argument, here it has 2", "count($s, $s)"),
    (per_source("substring($s/name)"), "substring() takes 2 or 3 arguments, here it has 1", None),
    (per_source("concat('a')"), "concat() takes 2 or more arguments, here it has 1", None),
    (per_source("true(1)"), "true() takes 0 arguments, here it has 1", "true(1)"),
    (per_source("sum($s/name)"), "source/name of stream 'sky' is text, which has no sum()", None),
    (per_source("avg($s/seen)"), "source/seen of stream 'sky' is a time, which has no avg()", None),
    (
        per_source("max($s/obs)"),
        "source/obs of stream 'sky' holds elements, which have no max()",
        None,
    ),
    (per_source("count($s/obs)/x"), "this is a value, which has no elements inside", None),
    (per_source("$s/obs[0]"), "a position is a whole number, counted from 1", "0"),
    (per_source("$s/obs[-1]"), "a position is a whole number, counted from 1", "-1"),
    (per_source("$s/obs[1.5]"), "a position is a whole number, counted from 1", "1.5"),
    (
        per_source("<a>{1}{attribute b {2}}</a>"),
        "an attribute must come before other content",
        "attribute b {2}",
    ),
    (per_source("<a b=''>{attribute b {2}}</a>"), "attribute b occurs twice", None),
    (
        'for $w in stream("sky")/sky/source|name diff 4| return $w',
        "source/name of stream 'sky' is text, so it cannot place an element in time",
        "|name diff 4|",
    ),
    (
        'for $w in stream("sky")/sky/source|obs/flux diff 4| return $w',
        "source/obs of stream 'sky' may occur more than once, "
        "so it cannot place an element in time",
        "|obs/flux diff 4|",
    ),
    (
        'for $w in stream("sky")/sky/source|site diff 4| return $w',
        "source/site of stream 'sky' holds elements, so it cannot place an element in time",
        "|site diff 4|",
    ),
    (
        'for $w in stream("sky")/sky/source|sen diff 4| return $w',
        "stream 'sky' has no path source/sen",
        "|sen diff 4|",
    ),
    (
        'for $p in stream("photons")//photon[en > 3] where $p/en < 3 return $p',
        "this condition can never be true: no value of $p/en is > 3 and < 3",
        'stream("photons")//photon[en > 3] where $p/en < 3',
    ),
    (
        'for $w in stream("photons")//photon|count 3| let $a := avg($w/en) '
        "where $a > 2 and $a < 1 return $a",
        "this condition can never be true: no value of $a is > 2 and < 1",
        None,
    ),
    (
        "for $x in stream() return $x",
        "4 streams are known by no name, so the one to read must be named",
        None,
    ),
    (
        "for $x in /nothing return $x",
        "0 streams are known by only the root element 'nothing', so the one to read must be named",
        None,
    ),
    ("for $x in stream(1)/a return $x", "stream() takes the name of a stream as a string", None),
    (
        "declare function f($x) { 1 }; " + per_source("f()"),
        "f() takes 1 arguments, here it has 0",
        "f()",
    ),
    (
        "declare function f() { 1 }; declare function f() { 2 }; " + per_source("f()"),
        "f() is declared twice",
        None,
    ),
]


@pytest.mark.parametrize(("text", "message", "part"), QUERY_ERRORS)
def test_wrong_queries(text: str, message: str, part: str | None) -> None:
    found = error(text)
    pointed = pointed_at(found)
    assert (type(found), found.message, part or pointed) == (QueryError, message, pointed)


UNSUPPORTED = [
    ("1 + 1", "1 + 1"),
    ("<a>{ 1 }</a>", "<a>{ 1 }</a>"),
    ('<a b="{1 + 1}">{ stream("sky")//source }</a>', "{1 + 1}"),
    ('count(stream("sky")//source)', 'count(stream("sky")//source)'),
    ('<a>{ stream("sky")//source }</a>, <b>{ stream("sky")//source }</b>', None),
    ('for $s in stream("sky")//source order by $s/name return $s', "$s/name"),
    ('for $s at $i in stream("sky")//source return $s', None),
    ('for $s in stream("sky")/sky/source[1] return $s', "1"),
    ('for $s in stream("sky")/sky[source]/source return $s', "source"),
    ('for $s in (stream("sky")//source)[1] return $s', None),
    ('for $s in stream("sky")/sky return $s', 'stream("sky")/sky'),
    ('for $s in stream("sky") return $s', 'stream("sky")'),
    ('for $s in stream("sky")/sky/source/obs/* return $s', None),
    ('for $s in stream("sky")//source for $x in (1, 2) return $s', "1, 2"),
    ('for $s in stream("sky")//source for $w in $s/obs|count 2| return $w', "|count 2|"),
    ("for $x in (1, 2) return <a>{ $x }</a>", None),
    (per_source('for $t in stream("sky")//source return $t'), 'stream("sky")//source'),
    (per_source('count(stream("sky")//source)'), 'stream("sky")//source'),
    (per_source('some $t in stream("sky")//source satisfies $t'), None),
    (per_source("for $o in $s/obs order by $o/flux return $o"), "$o/flux"),
    (per_source("for $o at $i in $s/obs return $i"), None),
    (per_source("for $w in $s/obs|count 2| return $w"), "|count 2|"),
    (per_source("$s/obs/.."), ".."),
    (per_source("$s/following::x"), "following::x"),
    (per_source("$s/obs/@*"), "@*"),
    (per_source("$s//name"), "name"),
    (per_source("$s//node()"), "node()"),
    (per_source("$s/obs[last()]"), "last()"),
    (per_source("$s/obs[count(band)]"), "count(band)"),
    (per_source("($s/obs/band)[1]"), "1"),
    (per_source("(1, 2)[2]"), "2"),
    (per_source("$s << $s"), "$s << $s"),
    (per_source("$s/obs | $s/site"), "$s/obs | $s/site"),
    (per_source("1 to count($s/obs)"), "1 to count($s/obs)"),
    (per_source("1 to 1000000"), "1 to 1000000"),
    (per_source("<a><b/></a>/b"), "<a><b/></a>/b"),
    (per_source("element { $s/name } { 1 }"), "$s/name"),
    (per_source("(1, attribute a { 2 })"), "attribute a { 2 }"),
    (per_source("text { $s/obs/band }"), "text { $s/obs/band }"),
    (per_source("string-join($s/obs/band, ',')"), None),
    (per_source("$s/obs[let $b := band return ../obs[band = $b]]"), ".."),
    (
        per_source(
            "$s/obs[some $x in $s/obs[let $f := flux return $s/obs[flux > $f]] satisfies $x]"
        ),
        "$f",
    ),
    ("declare function f($x) { f($x) }; " + per_source("f(1)"), "f($x)"),
    ('for $l in stream("letters")//letter return $l', "letter"),
    ('for $l in stream("letters")/letters/letter return $l/body/p', "p"),
]


@pytest.mark.parametrize(("text", "part"), UNSUPPORTED)
def test_legal_queries_that_are_not_supported(text: str, part: str | None) -> None:
    found = error(text)
    pointed = pointed_at(found)
    assert (type(found), part or pointed) == (UnsupportedError, pointed), str(found)


def test_variables_that_unfold_without_end_are_refused() -> None:
    doubled = " ".join(f"let $x{n + 1} := ($x{n}, $x{n})" for n in range(40))
    found = error(per_source(f"let $x0 := 1 {doubled} return $x40"))
    assert (type(found), found.code) == (UnsupportedError, "too-large")


def test_variables_that_nest_too_deep_are_refused() -> None:
    added = " ".join(f"let $x{n + 1} := $x{n} + 1" for n in range(1000))
    found = error(per_source(f"let $x0 := 1 {added} return $x1000"))
    assert (type(found), found.code) == (UnsupportedError, "too-large")
