"""Elements that are read together are what they are when read one by one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.schema import Schema
from millstream.runtime.parsing import spelt_alike, xml_regular
from millstream.runtime.parsing.parser import parser_for
from millstream.runtime.parsing.xml_regular import RegularRun
from tests.runtime.parsing.shapes import PHOTONS, nodes, photon, schemas, spellings, spelt
from tests.runtime.parsing.test_xml_properties import GAPS, assert_same, spoilt
from tests.runtime.tags.test_usual_tags import Closer, TaggedXmlParser, elements, told
from tests.runtime.tags.test_usual_tags import schema as tagged_schema


@pytest.fixture(scope="module", autouse=True)
def few_are_enough() -> Iterator[None]:
    """Let small examples be read as large streams are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelt_alike, "_FEWEST", 2)
        patch.setattr(xml_regular, "_SMALL_WINDOW", 200)
        yield


@st.composite
def repetitive(draw: st.DrawFn) -> tuple[Schema, bytes]:
    """Many items that are spelt in few ways."""
    schema = draw(schemas())
    usual = [spelt(draw(nodes(schema.item))) for _ in range(draw(st.integers(1, 6)))]
    pool = [*usual * 3, draw(spellings(draw(nodes(schema.item))))]
    gap = draw(st.sampled_from(["", "\n", "\r\n", " "]))
    odd = draw(GAPS)
    places = st.integers(0, 30).map(lambda number: gap if number else odd)
    parts = draw(st.lists(st.tuples(st.sampled_from(pool), places), min_size=5, max_size=60))
    return schema, "".join(map("".join, parts)).encode()


@given(repetitive())
@settings(max_examples=300)
def test_items_are_what_they_are_alone(stream: tuple[Schema, bytes]) -> None:
    schema, data = stream
    together = parser_for("xml", schema).parse(data)
    assert_same(together, parser_for("xml", schema, careful=True).parse(data))


@given(repetitive(), st.data())
@settings(max_examples=400)
def test_dirt_among_items_is_found(stream: tuple[Schema, bytes], data: st.DataObject) -> None:
    schema, clean = stream
    dirty = data.draw(spoilt(clean))
    together = parser_for("xml", schema).parse(dirty)
    assert_same(together, parser_for("xml", schema, careful=True).parse(dirty))


@st.composite
def tagged(draw: st.DrawFn) -> bytes:
    pool = draw(st.lists(elements, min_size=1, max_size=6))
    gap = draw(st.sampled_from(["", "\n", " \r\n"]))
    written = draw(st.lists(st.sampled_from(pool), min_size=5, max_size=60))
    return gap.join(written).encode()


@given(tagged())
@settings(max_examples=300)
def test_tags_and_tuples_are_what_they_are_alone(data: bytes) -> None:
    schema = tagged_schema()
    assert told(TaggedXmlParser("S", schema), data) == told(Closer("S", schema), data)


@given(
    st.lists(st.sampled_from(["", "x", "\n", "a\tb", 'say "hi"', "&amp;", "\r", "'"]), min_size=20)
)
def test_texts_may_be_empty_or_hold_marks(texts: list[str]) -> None:
    data = b"\n".join(photon(text) for text in texts)
    together = parser_for("xml", PHOTONS).parse(data)
    assert_same(together, parser_for("xml", PHOTONS, careful=True).parse(data))


@pytest.mark.parametrize("limit", [150, 200, 4000])
def test_what_is_too_long_is_not_taken_along(limit: int) -> None:
    items = [photon(" " * (100 if number % 7 == 0 else 3) + "1") for number in range(200)]
    found = parser_for("xml", PHOTONS, max_item_bytes=limit).parse(b"\n".join(items))
    long = sum(len(each) > limit for each in items)
    assert (len(found.offsets), len(found.rejected)) == (200 - long, long)


def test_the_expression_is_asked_for_few_of_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    matched = RegularRun.matched

    def counted(run: RegularRun, position: int) -> object:
        asked.append(position)
        return matched(run, position)

    monkeypatch.setattr(RegularRun, "matched", counted)
    items = [photon(str(number), more="" if number % 3 else " ") for number in range(5000)]
    found = parser_for("xml", PHOTONS).parse(b"\n".join(items))
    assert len(found.offsets) == 5000
    assert len(asked) < 100
