"""Random queries without windows give what XQuery gives, by the oracle."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.algebra.operators import Query
from millstream.model.schema import Schema
from millstream.testing.query_text import query_text
from millstream.testing.reference import evaluate
from millstream.testing.saxon import canonical, run
from millstream.testing.strategies import Shape, items, queries, schemas


def answer_of_oracle(query: Query, documents: dict[str, list[str]]) -> list[str]:
    """What Saxon constructs inside the root, each child by itself."""
    texts = {name: f"<items>{''.join(each)}</items>" for name, each in documents.items()}
    (result,) = run(query_text(query), texts)
    return [
        canonical(etree.tostring(each).decode(), numbers=True) for each in etree.fromstring(result)
    ]


def answer_of_reference(query: Query, documents: dict[str, list[str]]) -> list[str]:
    arrivals = [(name, item) for name, each in documents.items() for item in each]
    return [canonical(each, numbers=True) for each in evaluate(query, arrivals).results]


@st.composite
def cases(draw: st.DrawFn, *shapes: Shape) -> tuple[Query, dict[str, list[str]]]:
    schema: Schema = draw(schemas())
    documents = {name: draw(items(schema, max_size=5, plain=True)) for name in ("items", "others")}
    return draw(queries(schema, shapes=shapes, untyped=True)), documents


checked = settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@checked
@given(cases(Shape.ITEMS))
def test_items(case: tuple[Query, dict[str, list[str]]]) -> None:
    assert answer_of_reference(*case) == answer_of_oracle(*case)


@checked
@given(cases(Shape.NESTED))
def test_nested_elements(case: tuple[Query, dict[str, list[str]]]) -> None:
    assert answer_of_reference(*case) == answer_of_oracle(*case)


@checked
@given(cases(Shape.JOIN))
def test_pairs_in_any_order(case: tuple[Query, dict[str, list[str]]]) -> None:
    assert sorted(answer_of_reference(*case)) == sorted(answer_of_oracle(*case))
