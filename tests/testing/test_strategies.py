"""Random items fit their schema and order, and random queries hold everything they promise."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.algebra.expressions import (
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    NewElement,
    Or,
    Quantified,
    Sequence,
)
from millstream.algebra.operators import Join, Query, Select, Unnest, Window
from millstream.algebra.walk import expressions, operators, subexpressions
from millstream.model.schema import Schema
from millstream.model.values import parse_value
from millstream.testing.reference import StreamSettings, evaluate
from millstream.testing.reference.nodes import ElementNode, Node, TextNode, read_item
from millstream.testing.strategies import Shape, arrivals, items, queries, schemas

quick = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])


def nodes_of(node: Node) -> list[Node]:
    if not isinstance(node, ElementNode):
        return [node]
    inner = [each for child in node.children for each in nodes_of(child)]
    return [node, *node.attributes, *inner]


def reference_of(xml: str, schema: Schema) -> object:
    text = etree.fromstring(xml).findtext("t")
    return None if text is None else parse_value(text, schema.item.children[0].type)


def fits(node: TextNode) -> bool:
    try:
        parse_value(node.text, node.type)
    except ValueError:
        return False
    return True


@quick
@given(st.data())
def test_items_fit_their_schema(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    texts = [
        node
        for xml in data.draw(items(schema))
        for node in nodes_of(read_item(xml, schema.item))
        if isinstance(node, TextNode)
    ]
    assert [each for each in texts if not fits(each)] == []


@quick
@given(st.data())
def test_references_never_fall(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    references = [reference_of(xml, schema) for xml in data.draw(items(schema))]
    known = [each for each in references if each is not None]
    assert known == sorted(known)  # type: ignore[type-var]


@quick
@given(st.data())
def test_random_queries_can_be_evaluated(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema))
    arrived = data.draw(arrivals({"items": schema, "others": schema}, max_size=5, disorder=3))
    declared = {"items": StreamSettings("first", data.draw(st.integers(0, 3)))}
    outcome = evaluate(query, arrived, settings=declared, registered_after=len(arrived) // 3)
    assert all(index < len(arrived) for index in outcome.late)


def parts(query: Query) -> list[Expression]:
    """Every expression of a query."""
    holders = [each for branch in query.branches for each in (branch, *operators(branch.input))]
    return [
        part for holder in holders for each in expressions(holder) for part in subexpressions(each)
    ]


def operators_of(query: Query) -> list[object]:
    return [each for branch in query.branches for each in operators(branch.input)]


@st.composite
def any_queries(draw: st.DrawFn) -> Query:
    return draw(queries(draw(schemas())))


EXPRESSIONS = (Arithmetic, Call, Compare, Each, If, NewElement, Or, Quantified, Sequence)
OPERATORS = (Join, Select, Unnest, Window)
search = settings(max_examples=5000, phases=[Phase.generate])


@pytest.mark.parametrize("kind", EXPRESSIONS)
def test_every_expression_occurs(kind: type) -> None:
    assert find(
        any_queries(), lambda query: any(isinstance(x, kind) for x in parts(query)), settings=search
    )


@pytest.mark.parametrize("kind", OPERATORS)
def test_every_operator_occurs(kind: type) -> None:
    found = find(
        any_queries(),
        lambda query: any(isinstance(x, kind) for x in operators_of(query)),
        settings=search,
    )
    assert found.branches


def test_windows_are_filtered_by_aggregates_and_by_items() -> None:
    def filtered(query: Query) -> bool:
        match query.branches[0].input:
            case Select(Window(Select())):
                return True
            case _:
                return False

    assert find(any_queries(), filtered, settings=search)


def test_shapes_can_be_chosen() -> None:
    schema = find(schemas(), lambda schema: True, settings=search)
    chosen = queries(schema, shapes=(Shape.UNION,))
    assert len(find(chosen, lambda query: True, settings=search).branches) == 2
