"""Elements of XML that are read a column at a time are what a closer look reads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.runtime.tags.intake.tag_rows import TaggedChunk
from millstream.runtime.tags.intake.xml_parser import TaggedXmlParser


def schema(time: ValueType = ValueType.DECIMAL) -> Schema:
    children = (
        Element("pid"),
        Element("measure", Occurs.OPTIONAL, type=ValueType.DECIMAL),
        Element("tag", Occurs.OPTIONAL),
    )
    own = (Attribute("id", required=True), Attribute("time", time, required=True))
    return Schema("stream", Element("tuple", Occurs.MANY, Content.NESTED, children, own))


class Closer(TaggedXmlParser):
    """Looks at every element closely."""

    def parse(self, data: bytes) -> TaggedChunk:
        return self._parse_closely(data)


FIELDS = {
    "tagger": ["ann", "bob", "é", "", "a b", "a&amp;b"],
    "applicability": ["*,*,{}", "*,o.*,{pid}", "*,(,{}", "*,*,{nothing}"],
    "type": ["subjective", "odd"],
    "sign": ["+", "-", "?"],
    "lifespan": ["I", "1 min", "-1 s"],
    "mode": ["O", "C", "X"],
    "time": ["1", "2.5", "0.000001", "1234567890123", "1.1234567", "x", "", "-1", "1e3", " 2"],
    "other": ["1"],
}
contents = st.sampled_from(
    ["sad", "angry", "", " ", "a\nb", "a\rb", "&lt;", "<b/>", "é", "\x01", "x" * 5000, "\ufffe"]
)
spaces = st.sampled_from(["", "", "\n", "  ", "\r\n\t"])


@st.composite
def tags(draw: st.DrawFn) -> str:
    usual = draw(st.booleans())
    names = list(FIELDS)[:7] if usual else draw(st.lists(st.sampled_from(list(FIELDS)), max_size=8))
    fields = "".join(
        f"{draw(st.sampled_from(['  ', ' '])) if not usual else ' '}{name}="
        f'"{draw(st.sampled_from(FIELDS[name][: 2 if usual else 10]))}"'
        for name in names
    )
    return f"<tag{fields}>{draw(contents)}</tag>"


tuples = st.builds(
    '<tuple id="{}" time="{}">{}{}</tuple>'.format,
    st.sampled_from(["o1", "", "é"]),
    st.sampled_from(["1", "2.5", "x", "", "1e300"]),
    st.sampled_from(["<pid>a</pid>", "<pid/>", "", "<pid>a<!-- --></pid>"]),
    st.sampled_from(["", "<measure>1</measure>", "<measure>x</measure>", "<tag>a</tag>"]),
)
others = st.sampled_from(
    ["<stix>(1)1</stix>", "<stix>x</stix>", "<!-- <tag>a</tag> -->", "text", "<tag>", "<tuple>"]
)
elements = st.one_of(tags(), tags(), tuples, tuples, others)


@st.composite
def slices(draw: st.DrawFn) -> bytes:
    written = draw(st.lists(st.tuples(elements, spaces), max_size=8))
    whole = (draw(spaces) + "".join(map("".join, written))).encode()
    return whole.replace(b"a", b"\xff", 1) if draw(st.integers(0, 9)) == 0 else whole


def told(parser: TaggedXmlParser, data: bytes) -> Any:
    found = parser.parse(data)
    offsets, rows = found.offsets.to_pylist(), found.rows.to_pylist()
    return offsets, rows, found.rejected, found.tags.to_pylist()


@pytest.mark.parametrize("time", [ValueType.DECIMAL, ValueType.TIME])
@given(data=slices())
def test_the_quicker_way_reads_the_same(time: ValueType, data: bytes) -> None:
    given_time = schema(time)
    assert told(TaggedXmlParser("S", given_time), data) == told(Closer("S", given_time), data)


def test_instants_of_tags_are_read() -> None:
    line = b'<tag tagger="ann" time="2026-01-02T03:04:05Z">sad</tag>'
    (tag,) = TaggedXmlParser("S", schema(ValueType.TIME)).parse(line).tags.to_pylist()
    assert tag["time"] == 1_767_323_045_000_000


def test_a_bad_tag_among_good_ones_is_set_aside_alone() -> None:
    good = '<tag tagger="ann" time="1">sad</tag>'
    bad = good.replace('"1"', '"x"')
    data = f"{good}{bad}{good}".encode()
    found = TaggedXmlParser("S", schema()).parse(data)
    assert found.tags.column("start").to_pylist() == [0, len(good) + len(bad)]
    assert [(each.offset, each.raw.decode()) for each in found.rejected] == [(len(good), bad)]


def test_what_is_spelt_otherwise_is_read_and_so_is_what_follows() -> None:
    tag = '<tag tagger="ann" time="1">sad</tag>'
    row = '<tuple id="o1" time="1"><pid>a</pid></tuple>'
    data = f"{tag}{row}<!-- -->{row}<stix>(1)1</stix>{tag}{row}".encode()
    found = TaggedXmlParser("S", schema()).parse(data)
    assert found.offsets.to_pylist() == [data.find(row.encode()), 88, 88 + 44 + 17 + len(tag)]
    assert found.tags.column("stix").to_pylist() == [None, "(1)1", None]
    assert not found.rejected
