"""Tags travel with data in the same way however a plan is arranged, and survive the wire."""

from __future__ import annotations

from itertools import groupby

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.model.tags import Element, MarkedTuple, NamePattern, place
from millstream.model.tags.duration import SECOND
from millstream.model.tags.interleaving import interleave_indexed
from millstream.testing.tags import Relation, Row, TaggedStream, relation_of, resolve
from millstream.testing.tags import strategies as random
from millstream.testing.tags.operators import Side, join, keep_attributes, select
from tests.testing.tags.timelines import item, objects, tag

patiently = settings(max_examples=80, suppress_health_check=list(HealthCheck))


def side(name: str, stream: TaggedStream) -> Side:
    return Side(name, relation_of(stream.elements, stream.shape), 3 * SECOND)


def positive(relation: Relation, attribute: str, row: Row) -> bool:
    value = relation.value(row, attribute)
    return isinstance(value, int) and value > 0


@patiently
@given(random.two_streams())
def test_selecting_before_or_after_a_join(streams: dict[str, TaggedStream]) -> None:
    left, right = side("A", streams["R"]), side("B", streams["S"])

    def same_key(one: Row, other: Row) -> bool:
        keys = left.relation.value(one, "k"), right.relation.value(other, "k")
        return keys[0] is not None and keys[0] == keys[1]

    after = join(left, right, same_key, {"k": "k"})
    late = select(after, lambda row: positive(after, "A.n", row))
    kept = select(left.relation, lambda row: positive(left.relation, "n", row))
    assert join(Side("A", kept, left.window), right, same_key, {"k": "k"}) == late


@patiently
@given(random.contested_streams())
def test_selecting_before_or_after_a_projection(stream: TaggedStream) -> None:
    whole = relation_of(stream.elements, stream.shape)
    narrow = keep_attributes(whole, ("n", "k"))
    late = keep_attributes(select(whole, lambda row: positive(whole, "n", row)), ("n", "k"))
    assert select(narrow, lambda row: positive(narrow, "n", row)) == late


@patiently
@given(random.contested_streams())
def test_indexed_stream_says_the_same_when_read_again(stream: TaggedStream) -> None:
    marked = resolve(stream.elements, stream.shape)
    # Half of the tuples are gone, and with them tags that overwrote others.
    kept = marked[::2]
    again = resolve(place(interleave_indexed(kept, stream.shape)), stream.shape)
    assert [said(each) for each in again] == [said(each) for each in kept]


@patiently
@given(st.lists(st.booleans(), max_size=12), st.sampled_from(("", "pid.value", "loc")))
def test_tag_shared_over_a_run_says_the_same(wanted: list[bool], target: str) -> None:
    # Apart: a tag before each tuple. Shared: one before each run, which names the run.
    apart: list[Element] = []
    shared: list[Element] = []
    for is_tagged, run in groupby(enumerate(wanted), key=lambda pair: pair[1]):
        tuples = [item(number, f"p{number}") for number, _ in run]
        if is_tagged:
            names = NamePattern.of_names(each.id for each in tuples)
            shared.append(tag(tuples[0].time // SECOND, "x", f'*,"{names}",{{{target}}}'))
        for each in tuples:
            apart += [tag(each.time // SECOND, "x", f"*,*,{{{target}}}")] if is_tagged else []
            apart.append(each)
        shared += tuples
    assert objects(*shared) == objects(*apart)


def said(marked: MarkedTuple) -> tuple[object, ...]:
    # Two tags that say the same are two, also on one attribute.
    places = {(mark.attribute, mark.tag) for mark in marked.marks}
    return marked.element, sorted((attribute, str(tag.tag)) for attribute, tag in places)
