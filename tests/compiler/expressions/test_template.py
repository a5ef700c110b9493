"""Result templates: literal text, slots, empty elements, attributes from data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from millstream.algebra.expressions import (
    Call,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    Sequence,
    Text,
)
from millstream.compiler.expressions import render
from millstream.compiler.template import Template, template
from millstream.errors import QueryError, UnsupportedError
from tests.compiler.expressions.cases import SCOPE, Table, expected, texts
from tests.compiler.expressions.rows import create_view, evaluate
from tests.compiler.expressions.samples import ITEMS, SCHEMA, path

RA, EN = path("coord/cel/ra"), path("en")


def element(name: str, *content: Expression, **attributes: tuple[Expression, ...]) -> NewElement:
    given = tuple(NewAttribute(each, parts) for each, parts in attributes.items())
    return NewElement(name, given, content)


CONSTRUCTED: Table = {
    "the seed's": (element("vela", RA, EN), [
        "<vela><ra>130.50</ra><en>1.30</en></vela>", "<vela/>", "<vela><ra>INF</ra><en/></vela>",
        "<vela><en>-0.000000000000000001</en></vela>"]),
    "empty": (element("a"), ["<a/>"] * 4),
    "empty text": (element("a", Text(""), Literal("")), ["<a/>"] * 4),
    "static text": (element("a", Text("x < y & "), EN), [
        "<a>x &lt; y &amp; <en>1.30</en></a>", "<a>x &lt; y &amp; </a>",
        "<a>x &lt; y &amp; <en/></a>", "<a>x &lt; y &amp; <en>-0.000000000000000001</en></a>"]),
    "nested, maybe empty": (element("a", element("b", element("c", EN))), [
        "<a><b><c><en>1.30</en></c></b></a>", "<a><b><c/></b></a>", "<a><b><c><en/></c></b></a>",
        "<a><b><c><en>-0.000000000000000001</en></c></b></a>"]),
    "inside an if": (If(EN, element("a", path("note")), element("b", path("note"))), [
        "<a><note> a &lt; b &amp; c </note></a>", "<b/>",
        "<a><note>12</note></a>", "<a><note/></a>"]),
    "neighbouring values": (element("a", Literal(1), Literal(2), Call("count", (path("size"),))),
        ["<a>123</a>", "<a>120</a>", "<a>123</a>", "<a>121</a>"]),
    "values of one expression": (element("a", Sequence((Literal(1), Literal("<"), Literal(2.5)))),
        ["<a>1 &lt; 2.5</a>"] * 4),
    "attribute parts": (element("a", k=(Text('"'), path("size"), Text("<"), EN, Literal("&"))), [
        '<a k="&quot;3 10 3&lt;1.30&amp;"/>', '<a k="&quot;&lt;&amp;"/>',
        '<a k="&quot;1.5  4  99999999999999999999&lt;&amp;"/>',
        '<a k="&quot;-1&lt;-0.000000000000000001&amp;"/>']),
    "attribute from data": (element("a", path("@id"), path("@n"), EN), [
        '<a id="a&quot;1" n="7"><en>1.30</en></a>', "<a/>", '<a id="" n="x"><en/></a>',
        '<a id="z" n="-9223372036854775808"><en>-0.000000000000000001</en></a>']),
    "attributes first in a list": (element("a", Sequence((path("@id"), Literal(1), EN))), [
        '<a id="a&quot;1">1<en>1.30</en></a>', "<a>1</a>", '<a id="">1<en/></a>',
        '<a id="z">1<en>-0.000000000000000001</en></a>']),
    "attribute by choice": (element("a", If(EN, path("@id"), path("@n"))),
        ['<a id="a&quot;1"/>', "<a/>", '<a id=""/>', '<a id="z"/>']),
    "text of an attribute": (element("a", Call("string", (path("@id"),))),
        ['<a>a"1</a>', "<a/>", "<a/>", "<a>z</a>"]),
}  # fmt: skip


@pytest.mark.spark
def test_constructed_elements_print(spark: SparkSession) -> None:
    assert texts(spark, CONSTRUCTED) == expected(CONSTRUCTED)


@pytest.mark.spark
def test_filled_template_is_the_rendered_text(spark: SparkSession) -> None:
    compiled = {name: template(each, SCOPE) for name, (each, _) in CONSTRUCTED.items()}
    slots = list(dict.fromkeys(slot for each in compiled.values() for slot in each.slots))
    create_view(spark, "filled", SCHEMA, ITEMS)
    values = dict(zip(slots, evaluate(spark, "filled", slots), strict=True))
    found = {
        name: [
            each.template.fill([values[slot][row] for slot in each.slots])
            for row in range(len(ITEMS))
        ]
        for name, each in compiled.items()
    }
    assert found == expected(CONSTRUCTED)


def test_slots_are_the_dynamic_parts() -> None:
    compiled = template(element("vela", Text("at "), RA, Text(" with "), EN), SCOPE)
    assert compiled.template.parts == ("<vela>at ", 0, " with ", 1, "</vela>")
    assert compiled.slots == (render(RA, SCOPE), render(EN, SCOPE))


def test_equal_slots_are_one() -> None:
    compiled = template(element("a", EN, element("b", EN), RA, EN), SCOPE)
    numbers = [part for part in compiled.template.parts if isinstance(part, int)]
    assert (numbers, len(compiled.slots)) == ([0, 0, 1, 0], 2)


def test_different_templates_share_their_slots() -> None:
    one = template(element("vela", RA, EN), SCOPE)
    other = template(element("rxj", element("energy", EN)), SCOPE)
    assert set(other.slots) < set(one.slots)


def test_list_of_nodes_has_a_slot_each() -> None:
    compiled = template(Sequence((RA, Text("-"), EN)), SCOPE)
    assert compiled.template.parts == (0, "-", 1)


def test_constants_need_no_slot() -> None:
    compiled = template(element("a", Literal(1), k=(Literal("<"),)), SCOPE)
    assert (compiled.template.parts, compiled.slots) == (('<a k="&lt;">1</a>',), ())


@pytest.mark.parametrize(("value", "text"), [("", "<a/>"), ("x", "<a>x</a>")])
def test_fill_closes_an_empty_element(value: str, text: str) -> None:
    compiled = template(element("a", EN), SCOPE)
    assert compiled.template.fill([value]) == text


@given(st.lists(st.one_of(st.text(), st.integers(0, 9))))
def test_templates_come_back_from_json(parts: list[str | int]) -> None:
    written = Template(tuple(parts))
    assert Template.from_json(written.to_json()) == written


def test_attribute_after_other_content_is_refused() -> None:
    with pytest.raises(QueryError, match="attribute id stands after other content of <a>"):
        template(element("a", EN, path("@id")), SCOPE)


def test_attribute_or_element_from_one_expression_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="may give an attribute or other content of <a>"):
        template(element("a", If(EN, path("@id"), EN)), SCOPE)


def test_attribute_twice_is_refused() -> None:
    with pytest.raises(QueryError, match="attribute id occurs twice in <a>"):
        template(element("a", path("@id"), id=(Text("x"),)), SCOPE)


def test_attribute_of_a_repeated_element_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="attribute unit may occur more than once"):
        template(element("a", path("reading/@unit")), SCOPE)
