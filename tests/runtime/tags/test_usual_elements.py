"""Elements of JSON lines that are read in a shorter way are what the longer way reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.runtime.parsing.json_lines import JsonLinesParser
from millstream.runtime.tags.intake.json_parser import TaggedJsonParser
from millstream.runtime.tags.intake.tag_rows import TaggedChunk

SCHEMA = Schema(
    "stream",
    Element(
        "tuple",
        Occurs.MANY,
        Content.NESTED,
        (
            Element("pid"),
            Element("measure", Occurs.OPTIONAL, type=ValueType.DECIMAL),
            Element("word", Occurs.MANY),
            Element("place", Occurs.OPTIONAL, Content.NESTED, (Element("x", Occurs.OPTIONAL),)),
        ),
        (Attribute("id"), Attribute("time", ValueType.DECIMAL)),
    ),
)

scalars = st.one_of(
    st.sampled_from(
        ["a", "sad", "", " ", "*,*,{}", 'a"b', "\x01", "\ufffe", "é", '":', "O", "1 s"]
    ),
    st.sampled_from([0, -1, 1.50, 1e300, True, None]),
)
attributes = st.dictionaries(
    st.sampled_from(["pid", "measure", "word", "place", "other", "@id"]),
    st.one_of(scalars, st.lists(scalars, max_size=2), st.just({"x": "1"}), st.just({})),
)
bodies = st.one_of(
    st.fixed_dictionaries(
        {"id": scalars, "time": st.sampled_from([1, 2.5, "3", "x", None])},
        optional={"attributes": st.one_of(attributes, scalars), "more": scalars},
    ),
    st.dictionaries(
        st.sampled_from(["tagger", "content", "mode", "sign", "lifespan", "time", "applicability"]),
        scalars,
    ),
)
values = st.one_of(
    st.dictionaries(st.sampled_from(["tuple", "tag", "stix", "else"]), bodies, max_size=2),
    scalars,
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    value = draw(values)
    separators = draw(st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
    text = json.dumps(value, separators=separators, ensure_ascii=draw(st.booleans()))
    if draw(st.integers(0, 9)) == 0:
        text = text.replace("measure", "pid").replace("sign", "mode")
    return text + draw(st.sampled_from(["", "", "", " ", "}", "{", "NaN"]))


def told(chunk: TaggedChunk) -> Any:
    return chunk.offsets.to_pylist(), chunk.rows.to_pylist(), chunk.rejected, chunk.tags.to_pylist()


def read(parser: TaggedJsonParser, data: bytes) -> Any:
    return told(parser.parse(data))


class Longer(TaggedJsonParser):
    """Reads every line in the longer way."""

    def _read(self, line: bytes) -> Any:
        return JsonLinesParser._read(self, line)


@given(st.lists(lines(), max_size=6))
def test_the_shorter_way_reads_the_same(written: list[str]) -> None:
    data = "\n".join(written).encode()
    assert read(TaggedJsonParser("S", SCHEMA), data) == read(Longer("S", SCHEMA), data)


@pytest.mark.parametrize(
    "line",
    [
        '{"tuple": {"id": "1", "time": 1, "attributes": {"pid": "a", "pid": "b"}}}',
        '{"tuple": {"id": "1", "id" : "2", "time": 1, "attributes": {"pid": "a"}}}',
        '{"tag": {"content": "a", "content" : "b"}}',
        '{"tag": {"content": "a"}, "tag": {"content": "b"}}',
        '{"tuple": {"id": "1", "time": NaN, "attributes": {"pid": "a"}}}',
        '{"tuple": {"id": "1", "time": 1, "attributes": {"measure": 2}}}',
        '{"tuple": {"id": "1", "time": 1, "attributes": {"pid": "a"}}} x',
    ],
)
def test_what_is_wrong_is_told_in_both_ways(line: str) -> None:
    found = TaggedJsonParser("S", SCHEMA).parse(line.encode())
    assert len(found.rejected) == 1
    assert told(found) == read(Longer("S", SCHEMA), line.encode())


def test_lines_that_are_too_long_are_set_aside() -> None:
    short = '{"tag": {"tagger": "ann", "content": "a"}}'
    long = short.replace('"a"', '"a longer one"')
    parser = TaggedJsonParser("S", SCHEMA, max_item_bytes=len(short))
    found = parser.parse(f"{short}\n{long}\n".encode())
    assert len(found.tags) == 1
    wanted = f"item of {len(long)} bytes is larger than {len(short)}"
    assert [each.reason for each in found.rejected] == [wanted]
