"""Lines of JSON that are read together are what they are when read one by one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.schema import Attribute, Element, Occurs, Schema
from millstream.runtime.parsing import json_alike, spelt_alike
from millstream.runtime.parsing.chunk import ParsedChunk
from millstream.runtime.parsing.json_alike import lines_of
from millstream.runtime.parsing.json_lines import JsonLinesParser
from millstream.runtime.tags.intake.json_parser import TaggedJsonParser
from tests.runtime.parsing.shapes import INTEGER, PHOTONS, leaf, nested, nodes, schemas
from tests.runtime.parsing.test_json_lines import to_json
from tests.runtime.parsing.test_xml_properties import assert_same
from tests.runtime.tags import test_usual_elements as tagged

DIRT = st.sampled_from(
    *[["x", '"', "\\", "{", "}", "[", "]", ",", ":", "\n", "\r", "\t", " ", "NaN", "01", "-"]]
)
MORE_DIRT = st.sampled_from(
    ["true", "null", "1e5", "\x01", "\ue000", "\uffff", '"a":', "\\u0041", "\ufeff", "é", "7"]
)
GAPS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", " \n", "\n  "])
SEPARATORS = st.sampled_from([(", ", ": "), (",", ":"), (" , ", " :\t")])


@pytest.fixture(scope="module", autouse=True)
def few_are_enough() -> Iterator[None]:
    """Let small examples be read as large streams are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelt_alike, "_FEWEST", 2)
        patch.setattr(json_alike, "_SMALL", 1)
        patch.setattr(json_alike, "_WINDOW", 300)
        patch.setattr(json_alike, "_PATIENCE", 1000)
        yield


def alone(schema: Schema, data: bytes) -> ParsedChunk:
    parser = JsonLinesParser(schema)
    parser._lines = lambda data, take: lines_of(data)  # type: ignore[method-assign]
    return parser.parse(data)


@st.composite
def repetitive(draw: st.DrawFn) -> tuple[Schema, bytes]:
    """Many lines that are spelt in few ways."""
    schema = draw(schemas(raw=draw(st.integers(0, 9)) == 0))
    separators, gap = draw(SEPARATORS), draw(GAPS)
    ascii = draw(st.booleans())
    pool = [
        json.dumps(to_json(draw(nodes(schema.item)), schema.item), separators=separators)
        if ascii
        else json.dumps(to_json(draw(nodes(schema.item)), schema.item), ensure_ascii=False)
        for _ in range(draw(st.integers(1, 6)))
    ]
    lines = draw(st.lists(st.sampled_from(pool), min_size=5, max_size=60))
    return schema, gap.join(lines).encode()


@given(repetitive())
@settings(max_examples=300)
def test_lines_are_what_they_are_alone(stream: tuple[Schema, bytes]) -> None:
    schema, data = stream
    assert_same(JsonLinesParser(schema).parse(data), alone(schema, data))


@given(repetitive(), st.data())
@settings(max_examples=400)
def test_dirt_among_lines_is_found(stream: tuple[Schema, bytes], data: st.DataObject) -> None:
    schema, dirty = stream
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(dirty)))
        end = min(len(dirty), start + data.draw(st.sampled_from([0, 0, 1, 3, 40])))
        dirt = data.draw(st.one_of(DIRT, MORE_DIRT)).encode()
        dirty = dirty[:start] + (dirt if data.draw(st.integers(0, 19)) else b"\xff") + dirty[end:]
    assert_same(JsonLinesParser(schema).parse(dirty), alone(schema, dirty))


numbers = st.sampled_from(
    ["0", "-1", "1.50", "1e300", "-0", "12E-3", "01", "1.", ".5", "+1", "--1"]
)
texts = st.sampled_from(['""', '"a"', '"a, b: {c}"', '"\\n"', '"é"', '" "', "true", "null", "NaN"])


@given(st.lists(st.tuples(st.one_of(numbers, texts), st.one_of(numbers, texts)), min_size=20))
def test_values_of_all_kinds(written: list[tuple[str, str]]) -> None:
    tag = Element("tag", Occurs.MANY, attributes=(Attribute("by"),))
    schema = Schema("r", nested("i", leaf("n", INTEGER, Occurs.OPTIONAL), tag))
    lines = [
        f'{{"n": {one} , "tag":[{other}, {{"#text": {other}, "@by":{one}}}]}}'
        for one, other in written
    ]
    data = "\n".join(lines).encode()
    assert_same(JsonLinesParser(schema).parse(data), alone(schema, data))


class Longer(tagged.Longer):
    """Reads all lines one by one, in the longer way."""

    def _lines(self, data: bytes, take: object) -> Any:
        return lines_of(data)


@st.composite
def tagged_lines(draw: st.DrawFn) -> bytes:
    pool = draw(st.lists(tagged.lines(), min_size=1, max_size=4))
    words = st.sampled_from(["sad", "happy", "é", "  ", "", "a, b", "x" * 40])
    names = st.sampled_from(["tagger", "sign", "mode", "lifespan", "time", "applicability", "Type"])
    fields = draw(st.lists(names, unique=True, max_size=5))
    good = {"tagger": "ann", "sign": "-", "mode": "O", "lifespan": "1 s", "time": 2.5}
    usual = {"applicability": "*,*,{pid}", "Type": "x", **good}
    for _ in range(draw(st.integers(0, 8))):
        values = {name: draw(st.one_of(st.just(usual[name]), words)) for name in fields}
        pool.append(json.dumps({"tag": {**values, "content": draw(words)}}, ensure_ascii=False))
    for number in range(draw(st.integers(0, 4))):
        attributes = {"pid": draw(words), "measure": number}
        body = {"id": str(number), "time": number, "attributes": attributes}
        pool.append(json.dumps({"tuple": body}, ensure_ascii=False))
    written = draw(st.lists(st.sampled_from(pool), min_size=5, max_size=60))
    return "\n".join(written).encode()


@given(tagged_lines())
@settings(max_examples=400)
def test_tags_and_tuples_are_what_they_are_alone(data: bytes) -> None:
    together = tagged.read(TaggedJsonParser("S", tagged.SCHEMA), data)
    assert together == tagged.read(Longer("S", tagged.SCHEMA), data)


@pytest.mark.parametrize("limit", [30, 70, 4000])
def test_what_is_too_long_is_not_taken_along(limit: int) -> None:
    schema = Schema("r", nested("i", leaf("a")))
    lines = [
        json.dumps({"a": "x" * (50 if number % 7 == 0 else 3)}).encode() for number in range(200)
    ]
    found = JsonLinesParser(schema, max_item_bytes=limit).parse(b"\n".join(lines))
    long = sum(len(each) > limit for each in lines)
    assert (len(found.offsets), len(found.rejected)) == (200 - long, long)


def test_few_of_many_lines_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_alike, "_WINDOW", 1 << 16)
    asked: list[bytes] = []
    read = JsonLinesParser._read

    def counted(parser: JsonLinesParser, line: bytes) -> object:
        asked.append(line)
        return read(parser, line)

    monkeypatch.setattr(JsonLinesParser, "_read", counted)
    coord = '"coord": {"cel": {"ra": %s, "dec": -46.25}}'
    lines = [
        f'{{{coord % number}, "en": {number}.5{"" if number % 3 else " "}, "det_time": 7}}'
        for number in range(5000)
    ]
    found = JsonLinesParser(PHOTONS).parse("\n".join(lines).encode())
    assert len(found.offsets) == 5000
    assert len(asked) < 100
