"""What expressions give on one item, by the reference evaluator."""

from __future__ import annotations

import pytest

from millstream.algebra.expressions import (
    CONTEXT,
    EMPTY,
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)
from millstream.algebra.functions import FUNCTIONS
from millstream.errors import ItemError, QueryError
from millstream.testing.reference import evaluate
from millstream.testing.reference.functions import LIBRARY
from tests.testing.photons import SCAN, path, photons, query

ITEM = """<photon run="7" id="x1">
  <en>1.30</en> <phc> 4 </phc> <flux>2.5e1</flux> <det_time>10</det_time>
  <seen>2024-05-01T10:00:00Z</seen>
  <note by="ann">low</note><note>12</note><note by="bob"/>
  <coord><ra>130.0</ra></coord>
  <rest>free <i a="1">t&lt;xt</i> end</rest>
</photon>"""


def shown(expression: Expression, xml: str = ITEM) -> str:
    """What one photon prints; '' for nothing."""
    return "".join(evaluate(query(SCAN, expression), [("photons", xml)]).results)


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("=", path("phc"), Literal(4), True),
        ("=", path("en"), Literal(1.3), True),
        ("=", path("en"), Literal("1.3"), False),
        ("=", path("en"), Literal("1.30"), True),
        ("=", path("phc"), Literal("4"), True),
        ("<", path("phc"), path("det_time"), True),
        ("<", path("phc"), path("flux"), True),
        ("<", path("det_time"), path("note"), True),
        ("=", path("note"), Literal(12), True),
        ("!=", path("note"), Literal(12), False),
        ("=", path("note"), Literal("low"), True),
        ("!=", path("note"), Literal("low"), True),
        ("=", path("note"), Literal(""), True),
        ("=", path("note/@by"), Literal("bob"), True),
        ("=", path("@run"), Literal(7), True),
        ("=", path("seen"), Literal("2024-05-01T12:00:00+02:00"), True),
        (">", path("seen"), Literal("2024-05-01"), True),
        ("!=", path("seen"), Literal("whenever"), False),
        ("=", path("absent"), path("absent"), False),
        ("!=", path("coord/dec"), Literal(1), False),
        ("=", path("coord"), Literal("130.0"), True),
        ("=", Compare("=", Literal(1), Literal(1)), Literal(True), True),
    ],
)
def test_comparisons(operator: str, left: Expression, right: Expression, expected: bool) -> None:
    assert shown(Compare(operator, left, right)) == ("true" if expected else "false")


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("+", path("phc"), Literal(3), "7"),
        ("*", path("en"), Literal(2), "2.6"),
        ("-", path("phc"), path("flux"), "-21"),
        ("div", Literal(1), Literal(4), "0.25"),
        ("div", Literal(-1), Literal(0), "-INF"),
        ("div", Literal(0), Literal(0), "NaN"),
        ("idiv", Literal(-7), Literal(2), "-3"),
        ("idiv", Literal(-7.5), Literal(2), "-3"),
        ("idiv", Literal(7), Literal(0), ""),
        ("idiv", Literal(7.0), Literal(0.0), ""),
        ("mod", Literal(-7), Literal(2), "-1"),
        ("mod", Literal(-7.5), Literal(2), "-1.5"),
        ("mod", Literal(7), Literal(0), ""),
        ("mod", Literal(7.0), Literal(0), "NaN"),
        ("+", path("absent"), Literal(1), ""),
        ("+", path("seen"), Literal(1), ""),
        ("+", path("coord/ra"), Literal("1"), "131"),
        ("*", Literal(1000000), Literal(1.0), "1.0E6"),
    ],
)
def test_arithmetic(operator: str, left: Expression, right: Expression, expected: str) -> None:
    assert shown(Arithmetic(operator, left, right)) == expected


def test_arithmetic_needs_single_values() -> None:
    with pytest.raises(QueryError, match="single values"):
        shown(Arithmetic("+", path("note"), Literal(1)))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (path("note"), True),
        (path("absent"), False),
        (Literal(0), False),
        (Literal(0.5), True),
        (Literal(float("nan")), False),
        (Literal(""), False),
        (Literal("0"), True),
        (Call("data", (PathTo("p", (Step("note", (Literal(3),)),)),)), False),
        (And((path("note"), Literal(False))), False),
        (Or((path("absent"), Literal(True))), True),
    ],
)
def test_effective_boolean_values(condition: Expression, expected: bool) -> None:
    assert shown(If(condition, Literal("yes"), Literal("no"))) == ("yes" if expected else "no")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (path("en"), "<en>1.30</en>"),
        (path("phc"), "<phc> 4 </phc>"),
        (path("phc/text()"), " 4 "),
        (path("note"), '<note by="ann">low</note><note>12</note><note by="bob"/>'),
        (path("coord"), "<coord><ra>130.0</ra></coord>"),
        (path("coord/*"), "<ra>130.0</ra>"),
        (path("rest"), '<rest>free <i a="1">t&lt;xt</i> end</rest>'),
        (path("rest/i/@a"), "1"),
        (path("absent/en"), ""),
        (PathTo("p", (Step("note", (Literal(2),)),)), "<note>12</note>"),
        (PathTo("p", (Step("note", (path("@by", CONTEXT), Literal(2))),)), '<note by="bob"/>'),
        (
            PathTo("p", (Step("note", (Compare("=", PathTo(CONTEXT), Literal(12)),)),)),
            "<note>12</note>",
        ),
        (Sequence((Literal(1), Literal("a"), path("en"), Literal(2))), "1 a<en>1.30</en>2"),
        (EMPTY, ""),
    ],
)
def test_nodes_and_sequences(expression: Expression, expected: str) -> None:
    assert shown(expression) == expected


def test_white_space_goes_and_children_come_in_schema_order() -> None:
    xml = "<photon>\n <phc>2</phc>\n <!-- no --> <en>1</en></photon>"
    assert shown(PathTo("p"), xml) == "<photon><en>1</en><phc>2</phc></photon>"


def test_constructor_takes_leading_attributes_of_its_content() -> None:
    element = NewElement(
        "a", (NewAttribute("n", (Text("v"), path("phc"))),), (path("@id"), path("en"))
    )
    assert shown(element) == '<a n="v 4 " id="x1"><en>1.30</en></a>'


def test_constructor_refuses_an_attribute_after_content() -> None:
    with pytest.raises(QueryError, match="after other content"):
        shown(NewElement("a", (), (Text("t"), path("@id"))))


def test_constructor_refuses_an_attribute_twice() -> None:
    with pytest.raises(QueryError, match="twice"):
        shown(NewElement("a", (), (path("@id"), path("@id"))))


def test_enclosed_values_are_spaced_and_neighbours_are_not() -> None:
    element = NewElement(
        "a", (), (Sequence((Literal(1), Literal(2))), Literal(3), Text("<"), EMPTY)
    )
    assert shown(element) == "<a>1 23&lt;</a>"


def test_elements_without_content_are_short() -> None:
    assert shown(NewElement("a", (), (NewElement("b"), Literal("")))) == "<a><b/></a>"


def test_for_where_return() -> None:
    each = Each(
        "n",
        path("note"),
        NewElement("n", (), (path("text()", "n"),)),
        path("@by", "n"),
    )
    assert shown(each) == "<n>low</n><n/>"


@pytest.mark.parametrize(("every", "expected"), [(False, "true"), (True, "false")])
def test_quantified(every: bool, expected: str) -> None:
    assert shown(Quantified(every, "n", path("note"), path("@by", "n"))) == expected


def test_every_holds_for_nothing() -> None:
    assert shown(Quantified(True, "n", path("absent"), Literal(False))) == "true"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Call("count", (path("note"),)), "3"),
        (Call("sum", (path("absent"),)), "0"),
        (Call("avg", (path("absent"),)), ""),
        (Call("sum", (Sequence((path("en"), path("phc"))),)), "5.3"),
        (Call("sum", (Sequence((path("en"), path("flux"))),)), "26.3"),
        (Call("avg", (Sequence((Literal(1), Literal(1), Literal(0))),)), "0.666666666666666667"),
        (Call("min", (path("note"),)), "12"),
        (Call("max", (path("note"),)), "low"),
        (Call("max", (path("seen"),)), "2024-05-01T10:00:00Z"),
        (Call("string", (path("phc"),)), " 4 "),
        (Call("string", (path("absent"),)), ""),
        (Call("number", (path("absent"),)), "NaN"),
        (Call("data", (path("note"),)), "low 12 "),
        (Call("not", (path("absent"),)), "true"),
        (Call("empty", (path("absent"),)), "true"),
        (Call("exists", (path("absent"),)), "false"),
        (Call("contains", (path("@id"), Literal("x"))), "true"),
        (Call("starts-with", (path("@id"), Literal("1"))), "false"),
        (Call("ends-with", (path("@id"), Literal("1"))), "true"),
        (Call("concat", (path("@id"), Literal("-"), path("phc"))), "x1- 4 "),
        (Call("string-length", (path("@id"),)), "2"),
        (Call("normalize-space", (Literal("  a   b "),)), "a b"),
        (Call("upper-case", (path("@id"),)), "X1"),
        (Call("lower-case", (Literal("AB"),)), "ab"),
        (Call("substring", (Literal("abcde"), Literal(2))), "bcde"),
        (Call("substring", (Literal("abcde"), Literal(0), Literal(3))), "ab"),
        (Call("substring", (Literal("abcde"), Literal(1.5), Literal(2.6))), "bcd"),
        (Call("distinct-values", (Sequence((path("en"), Literal(1.3), Literal(2))),)), "1.30 2"),
        (Call("name", (path("@id"),)), "id"),
        (Call("local-name", (path("coord"),)), "coord"),
        (Call("round", (Literal(2.5),)), "3"),
        (Call("round", (Literal(-2.5),)), "-2"),
        (Call("floor", (Literal(-2.5),)), "-3"),
        (Call("ceiling", (path("en"),)), "2"),
        (Call("abs", (Literal(-3),)), "3"),
        (Call("zero-or-one", (path("absent"),)), ""),
        (Call("exactly-one", (path("en"),)), "<en>1.30</en>"),
        (Call("true", ()), "true"),
        (Call("false", ()), "false"),
    ],
)
def test_functions(call: Call, expected: str) -> None:
    assert shown(call) == expected


def test_the_whole_library_is_known() -> None:
    assert set(LIBRARY) == set(FUNCTIONS)


def test_exactly_one_refuses_none() -> None:
    with pytest.raises(QueryError, match="given 0 values"):
        shown(Call("exactly-one", (path("absent"),)))


def test_malformed_items_are_refused() -> None:
    with pytest.raises(ItemError, match="not well-formed"):
        evaluate(query(SCAN, PathTo("p")), photons("<en>"))
