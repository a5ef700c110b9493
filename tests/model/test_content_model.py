"""Content models against the contents that they allow."""

from __future__ import annotations

from itertools import groupby, product

from hypothesis import given
from hypothesis import strategies as st

from millstream.model.dtd import read_dtd
from millstream.model.schema import Content, Element, Occurs

Words = frozenset[tuple[str, ...]]
Model = tuple[str, Words]
"""A content model's text and its contents, where a repeated part stands at most twice."""


def repeated(model: Model, sign: str) -> Model:
    text, words = model
    empty: Words = frozenset({()})
    twice = frozenset(one + other for one, other in product(words, words))
    allowed = {"": words, "?": words | empty, "+": words | twice, "*": words | twice | empty}
    return f"({text}){sign}", allowed[sign]


def in_turn(one: Model, other: Model) -> Model:
    words = frozenset(left + right for left, right in product(one[1], other[1]))
    return f"({one[0]}, {other[0]})", words


def either(one: Model, other: Model) -> Model:
    return f"({one[0]} | {other[0]})", one[1] | other[1]


def joined(parts: st.SearchStrategy[Model]) -> st.SearchStrategy[Model]:
    return st.one_of(
        st.builds(repeated, parts, st.sampled_from(("", "?", "+", "*"))),
        st.builds(in_turn, parts, parts),
        st.builds(either, parts, parts),
    )


names = st.sampled_from("abc").map(lambda name: (name, frozenset({(name,)})))
models = st.recursive(names, joined, max_leaves=5).filter(lambda model: len(model[1]) < 500)


def read(model: str) -> Element:
    leaves = "".join(f"<!ELEMENT {name} EMPTY>" for name in "abc")
    return read_dtd(f"<!ELEMENT r (x)><!ELEMENT x ({model})>{leaves}", root="r").item


def seen(name: str, words: Words) -> Occurs:
    counts = [word.count(name) for word in words]
    if max(counts) > 1:
        return Occurs.SOME if min(counts) else Occurs.MANY
    return Occurs.ONE if min(counts) else Occurs.OPTIONAL


@given(models)
def test_columns_keep_the_order_of_every_content(model: Model) -> None:
    item = read(model[0])
    if item.content is Content.RAW:
        return
    order = [child.name for child in item.children]
    for word in model[1]:
        runs = [order.index(name) for name, _ in groupby(word)]
        assert runs == sorted(set(runs))


@given(models)
def test_occurrence_is_that_of_the_contents(model: Model) -> None:
    found = {child.name: child.occurs for child in read(model[0]).children}
    assert found == {name: seen(name, model[1]) for name in found}


@given(models)
def test_only_content_without_an_order_stays_text(model: Model) -> None:
    pairs = {
        (one, other)
        for word in model[1]
        for place, one in enumerate(word)
        for other in word[place + 1 :]
        if one != other
    }
    has_order = any(
        all(order.index(one) < order.index(other) for one, other in pairs)
        for order in ("abc", "acb", "bac", "bca", "cab", "cba")
    )
    assert (read(model[0]).content is Content.NESTED) == has_order
