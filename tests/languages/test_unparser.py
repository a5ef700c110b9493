"""Printing a syntax tree and reading it again changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from millstream.languages.xquery import syntax
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.unparser import unparse, unparse_expression
from tests.languages.trees import modules

TEXTS = [
    "((1, 2), 3)",
    "- - 1 + -$x * 2",
    "1 to 3",
    "(1 to 2) = (2 to 3)",
    "a = (b = c)",
    "(a or b) or c and d",
    "$a/b | $c/d",
    "for $x in ($a | $b) return $x",
    "for $x in $a | $b return $x",
    "for $x in $a/b|count 4 step 2| return $x",
    "for $x in ($a | $b)|b/./c diff 4| return $x",
    "for $x in $a|count diff 4| return $x",
    "/",
    "let $x := (/) return $x",
    "/a/b",
    "//a[1]",
    "/*",
    "($a/b)[1]/c",
    "$a[1][2]",
    "($a[1])[2]",
    "$a/(b | c)/string()",
    "./a/../@b/.",
    "self::node()/a",
    "$i/descendant-or-self::node()",
    "if (a) then b else if (c) then d else e",
    "(if (a) then b else c) + 1",
    "for $a in x, $b at $i in y let $c := z order by $a descending, $b empty least return $c",
    "some $a in x, $b in y satisfies $a = $b",
    '<a b=\'1 {2} {{ "\' c=""""/>',
    "<a> x {1}{2} <b/> &#x20; <![CDATA[ <&{ ]]></a>",
    "<a><!-- c --> {1} </a>",
    "element a { attribute { 'b' } { 1 }, text { 2 } }",
    "declare function local:f($x as xs:integer, $y) as node()* { $x }; local:f(1, 2)",
    "declare variable $x as xs:string? := 'a'; $x",
    "xquery version '1.0'; 1",
    "$a/b?[now-PT1H, now]/c[1]#[last-9,last]",
    "//a[1]?[2003-11-01][b]?[start]",
    "($a/b)[1]?[now][2]",
    "- $a?[now] + 1",
    "$a before [2003-11-01T00:00:00Z, now] and $b met-by $c",
    "$a/(b?[now])/c",
    "<x/>?[2003-11-01 - P1D, b[now]]",
    "(/)#[1]",
]


@pytest.mark.parametrize("text", TEXTS)
def test_reading_what_was_printed_gives_the_tree_again(text: str) -> None:
    tree = parse(text)
    assert parse(unparse(tree)) == tree


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(modules())
def test_any_tree_survives_printing(module: syntax.Module) -> None:
    assert parse(unparse(module)) == module


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a+b)*c", "(a + b) * c"),
        ("a + (b * c)", "a + b * c"),
        ("'it''s'", '"it\'s"'),
        ("$p/child::en[. >= 1.30]", "$p/en[. >= 1.30]"),
        ("<a>{ ( ) }</a>", "<a>{ () }</a>"),
    ],
)
def test_text_is_printed_plainly(text: str, expected: str) -> None:
    assert unparse_expression(parse(text).body) == expected
