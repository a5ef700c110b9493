"""Texts become syntax trees; wrong texts become errors that say where and what to do."""

from __future__ import annotations

import pytest

from millstream.errors import MillstreamError, QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.parser import LONGEST_QUERY, parse
from millstream.languages.xquery.syntax import (
    Binary,
    DirectAttribute,
    DirectElement,
    Enclosed,
    Filter,
    Flwor,
    For,
    FunctionCall,
    Let,
    Logical,
    NumberLiteral,
    Path,
    Sequence,
    Step,
    StringLiteral,
    Text,
    VariableReference,
    Window,
)
from millstream.model.window import WindowKind

P = VariableReference("p")
ONE, TWO, THREE = NumberLiteral("1"), NumberLiteral("2"), NumberLiteral("3")


def body(text: str) -> syntax.Expression:
    return parse(text).body


def error(text: str) -> MillstreamError:
    with pytest.raises(MillstreamError) as caught:
        parse(text)
    return caught.value.with_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", Binary("+", ONE, Binary("*", TWO, THREE))),
        ("1 - 2 - 3", Binary("-", Binary("-", ONE, TWO), THREE)),
        ("1 or 2 and 3", Logical("or", (ONE, Logical("and", (TWO, THREE))))),
        ("1 or 2 or 3", Logical("or", (ONE, TWO, THREE))),
        ("1 union 2", Binary("|", ONE, TWO)),
        ("1 lt 2", Binary("lt", ONE, TWO)),
        ("-1", syntax.Unary("-", ONE)),
        ("1 < 2", Binary("<", ONE, TWO)),
        ("1 << 2", Binary("<<", ONE, TWO)),
        ("(1)", ONE),
        ("()", Sequence()),
        ("1, 2", Sequence((ONE, TWO))),
        ("$p/en", Path(P, (Step("en"),))),
        ("$p//en", Path(P, (Step("en", deep=True),))),
        ("$p/@id", Path(P, (Step("id", "attribute"),))),
        ("$p/en-1", Path(P, (Step("en-1"),))),
        ("$p/en - 1", Binary("-", Path(P, (Step("en"),)), ONE)),
        ("$p/obs[1]", Path(P, (Step("obs", predicates=(ONE,)),))),
        ("($p/obs)[1]", Filter(Path(P, (Step("obs"),)), (ONE,))),
        ("$p * 2", Binary("*", P, TWO)),
        ("$p/* * 2", Binary("*", Path(P, (Step("*"),)), TWO)),
        ("for", Path(None, (Step("for"),))),
        ("div div div", Binary("div", Path(None, (Step("div"),)), Path(None, (Step("div"),)))),
        ("if (1) then 2 else 3", syntax.If(ONE, TWO, THREE)),
        ("text()", Path(None, (Step("text()"),))),
        ("fn:count($p)", FunctionCall("fn:count", (P,))),
        ("(: a (: nested :) comment :) 1", ONE),
        ("'it''s &amp; &#65;&#x42;'", StringLiteral("it's & AB")),
        ('"say ""hi"""', StringLiteral('say "hi"')),
        ("'a\r\nb'", StringLiteral("a\nb")),
    ],
)
def test_expressions(text: str, expected: syntax.Expression) -> None:
    assert body(text) == expected


def test_several_variables_of_a_for_are_several_clauses() -> None:
    expected = Flwor((For("a", ONE), For("b", TWO, position="i"), Let("c", THREE)), P)
    assert body("for $a in 1, $b at $i in 2 let $c := 3 return $p") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|count 20 step 10|", Window(WindowKind.COUNT, 20, 10)),
        ("|count 20|", Window(WindowKind.COUNT, 20)),
        ("|det_time diff 60 step 40|", Window(WindowKind.DIFF, 60, 40, ("det_time",))),
        ("|./t/@at diff 60|", Window(WindowKind.DIFF, 60, None, (".", "t", "@at"))),
        ("|count diff 60|", Window(WindowKind.DIFF, 60, None, ("count",))),
    ],
)
def test_windows(text: str, expected: Window) -> None:
    assert body(f"for $w in $p/b{text} return $w") == Flwor(
        (For("w", Path(P, (Step("b"),)), window=expected),), VariableReference("w")
    )


def test_a_union_is_no_window() -> None:
    expected = Flwor((For("x", Binary("|", P, VariableReference("q"))),), ONE)
    assert body("for $x in $p | $q return 1") == expected


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("<a>{1}</a>", (Enclosed(ONE),)),
        ("<a> {1} {2} </a>", (Enclosed(ONE), Enclosed(TWO))),
        ("<a> x {1}</a>", (Text(" x "), Enclosed(ONE))),
        ("<a>{{}}</a>", (Text("{}"),)),
        ("<a>&lt;&#32;</a>", (Text("< "),)),
        ("<a>  &#32; </a>", (Text("    "),)),
        ("<a><![CDATA[ <b>{ ]]></a>", (Text(" <b>{ "),)),
        ('<a>it\'s "so"</a>', (Text('it\'s "so"'),)),
        ("<a><b/> <b/></a>", (DirectElement("b"), DirectElement("b"))),
        ("<a> <!-- x --> </a>", (syntax.Comment(" x "),)),
        ("<a></a>", ()),
        ("<a />", ()),
        ("<a>{}</a>", (Enclosed(Sequence()),)),
        ("<a>{ <b>}}</b> }</a>", (Enclosed(DirectElement("b", (), (Text("}"),))),)),
    ],
)
def test_element_content(text: str, content: tuple[syntax.Content, ...]) -> None:
    assert body(text) == DirectElement("a", (), content)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('<a b="x"/>', (Text("x"),)),
        ("<a b = 'x''y'/>", (Text("x'y"),)),
        ('<a b="{1} and {{"/>', (Enclosed(ONE), Text(" and {"))),
        ('<a b=" "/>', (Text(" "),)),
        ('<a b="x\n\ty"/>', (Text("x  y"),)),
        ('<a b=""/>', ()),
        ("<a b={1}/>", (Enclosed(ONE),)),
    ],
)
def test_attribute_values(text: str, parts: tuple[Text | Enclosed, ...]) -> None:
    assert body(text) == DirectElement("a", (DirectAttribute("b", parts),))


def test_declarations_come_before_the_query() -> None:
    expected = syntax.Module(
        (
            syntax.VariableDeclaration("x", ONE, syntax.SequenceType("xs:integer")),
            syntax.FunctionDeclaration(
                "local:f",
                (syntax.Parameter("y", syntax.SequenceType("node()", "*")),),
                VariableReference("y"),
                syntax.SequenceType("item()", "?"),
            ),
        ),
        TWO,
        "3.1",
    )
    text = """
        xquery version "3.1" encoding "utf-8";
        declare variable $x as xs:integer := 1;
        declare function local:f($y as node()*) as item()? { $y };
        2
    """
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("1 + $p/en", "1 + $p/en"),
        ("  f( 1 )  ", "f( 1 )"),
        ("(1) + (2)", "(1) + (2)"),
        ("<a>\n</a>", "<a>\n</a>"),
        ("for $x in 1 return 2 ", "for $x in 1 return 2"),
    ],
)
def test_a_span_covers_what_was_written(text: str, part: str) -> None:
    start = text.index(part)
    assert body(text).span == Span(start, start + len(part))


ERRORS = [
    ("", "expected an expression, found the end of the query"),
    ("1 +", "expected an expression, found the end of the query"),
    ("1 2", "expected the end of the query, found '2'"),
    ("$p = 1 = 2", "'=' and '=' cannot follow one another"),
    ("for $p in 1", "expected 'return', found the end of the query"),
    ("for p in 1 return 2", "expected '$', found 'p'"),
    ("let $a = 1 return 2", "expected ':=', found '='"),
    ("if (1) then 2", "expected 'else', found the end of the query"),
    ("f(1, 2", "expected ',' or ')', found the end of the query"),
    ("$p/[1]", "expected a step, found '['"),
    ("sideways::a", "no axis is named 'sideways'"),
    ("'abc", "this string is never closed"),
    ("(: abc", "this comment is never closed"),
    ("'&nbsp;'", "no entity is named 'nbsp'"),
    ("'a & b'", "an '&' here must begin a reference"),
    ("'&#0;'", "no XML character has this number"),
    ("12abc", "a number and a name need a space between them"),
    ("1e999", "this number is too large for a double"),
    ("1 % 2", "the character '%' has no meaning here"),
    ("<a>{1}", "element <a> is never closed"),
    ("<a><b></a></b>", "expected </b>, found </a>"),
    ("<a", "this tag is never finished"),
    ("<a b='1' b='2'/>", "attribute b occurs twice"),
    ("<a b=1/>", "expected a value in quotes, found '1'"),
    ("<a b='<'/>", "expected something else, found '<'"),
    ("<a>}</a>", "expected something else, found '}'"),
    ("<a>{1</a>", "expected '}', found '<'"),
    ("<a><!-- x", "this comment is never closed"),
    ("<a b='x", "this value is never closed"),
    ("for $w in $p|count 0| return 1", "the size of a count window must be a whole number above 0"),
    (
        "for $w in $p|t diff -4| return 1",
        "the size of a diff window must be a whole number above 0",
    ),
    (
        "for $w in $p|count 4 step 0| return 1",
        "the step of a window must be a whole number above 0",
    ),
    (
        "for $w in $p|count 1.5| return 1",
        "the size of a count window must be a whole number above 0",
    ),
    ("for $w in $p|t dif 4| return 1", "expected 'diff', found 'dif'"),
    ("for $w in $p|count 4 return 1", "expected '|', found 'return'"),
    ("declare function f() { 1 } 2", "expected ';', found '2'"),
    ("\x01", "this character cannot stand in a query"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_wrong_texts_are_refused(text: str, message: str) -> None:
    found = error(text)
    assert (type(found), found.message, found.span is not None) == (QueryError, message, True)


@pytest.mark.parametrize(
    "text",
    [
        "1 instance of xs:integer",
        "1 cast as xs:string",
        "typeswitch (1) case 2 return 3",
        "validate { 1 }",
        "document { 1 }",
        "for $a in 1 group by $a return 1",
        "for $a in 1 where 2 let $b := 3 return 1",
        "declare namespace a = 'b'; 1",
        "declare variable $x external; 1",
        "<?pi ?>",
        "<a><?pi ?></a>",
        "*:name",
    ],
)
def test_xquery_beyond_the_language_is_not_supported(text: str) -> None:
    found = error(text)
    assert isinstance(found, UnsupportedError) and found.span is not None


def test_an_error_points_into_the_text() -> None:
    assert str(error("<r>\n  { for $p in $q |count 4 step 0|\n return 1 }</r>")) == (
        "query error: the step of a window must be a whole number above 0\n"
        "  2 |   { for $p in $q |count 4 step 0|\n"
        "    |                                ^\n"
        "help: a window is written |count 20 step 10| or |det_time diff 60 step 40|"
    )


def test_a_wrong_closing_tag_names_where_the_element_was_opened() -> None:
    assert error("<a>\n<b>\n</a>").help == "<b> was opened in line 2"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "<a>" * 10_000,
        "<a>{" * 10_000,
        "-" * 10_000 + "1",
        "1" + "+1" * 10_000,
        "a[" * 10_000,
        "f(" * 10_000,
        "if (1) then 1 else " * 10_000 + "1",
        "for $x in 1 return " * 10_000 + "1",
    ],
    ids=lambda text: text[:8],
)
def test_nesting_too_deep_is_a_query_error(text: str) -> None:
    found = error(text)
    assert (type(found), found.code) == (QueryError, "too-deep")


def test_long_conjunctions_are_fine() -> None:
    text = " and ".join(["1"] * 5_000)
    assert body(text) == Logical("and", (ONE,) * 5_000)


def test_a_query_that_is_too_long_is_refused() -> None:
    assert "at most 1000000 characters" in error(" " * LONGEST_QUERY + "1").message
