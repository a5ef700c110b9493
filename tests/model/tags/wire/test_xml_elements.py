"""XML: what an element says, and what is wrong with one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.errors import ItemError, SchemaError
from millstream.model.tags import Placed, StreamAttribute, StreamShape, StreamTuple, parse_stix
from millstream.model.tags.wire import BadElement, WireOptions, read_xml, write_xml
from tests.model.tags.samples import PATIENTS, panic_attack

OPTIONS = WireOptions(PATIENTS, tagger="bob")
TUPLE = '<tuple id="p1" time="2.5"><pid>p1</pid><measure>81</measure></tuple>'


def read(text: str) -> list[object]:
    return list(read_xml(text, OPTIONS))


def test_elements_have_the_documented_form() -> None:
    reading = StreamTuple("p1", 2_500_000, ("p1", "81", "home", "0.50", "M3"))
    elements = [panic_attack(1_000_000), parse_stix("(1)1"), reading]
    assert list(write_xml(elements, OPTIONS)) == [
        '<tag tagger="ann" applicability="*,*,{loc.value}" type="objective" sign="-" '
        'lifespan="1 min" mode="O" time="1">Panic Attack</tag>',
        "<stix>(1)1</stix>",
        '<tuple id="p1" time="2.5"><pid>p1</pid><measure>81</measure><loc>home</loc>'
        '<device model="M3"><battery>0.50</battery></device></tuple>',
    ]


def test_root_prolog_and_comments_are_passed_over() -> None:
    text = f'<?xml version="1.0"?>\n<!-- a <tag> -->\n<stream name="s">\n{TUPLE}\n</stream>'
    assert read(text) == [Placed(0, StreamTuple("p1", 2_500_000, ("p1", "81", None, None, None)))]


def test_elements_need_no_root() -> None:
    found = read(f"<tag>Nice</tag>{TUPLE}")
    assert isinstance(found[0], Placed)
    assert str(found[0].element) == "bob|*,*,{}|Nice|subjective||I|C|2500000"


def test_closing_tag_in_cdata_closes_nothing() -> None:
    (found,) = read('<tag time="0">a<![CDATA[</tag>]]>b<!-- </tag> --></tag>')
    assert isinstance(found, Placed) and "|a</tag>b|" in str(found.element)


@pytest.mark.parametrize(
    "broken",
    [
        "<tuple id='p1' time='1'><pid>p1</pid>",
        "<tuple id='p1' time='1'><pid>p1</measure></tuple>",
        "<tag time=1>x</tag>",
        "<tag time='1'>x",
        "stray text",
        "<unknown>x</unknown>",
        "<unknown/>",
        "<!DOCTYPE stream [ <!ENTITY a 'b'> ]>",
        "<tag time='1'>&a;</tag>",
        "a < b",
    ],
)
def test_broken_piece_spoils_no_other(broken: str) -> None:
    found = read(f"<stream>\n{TUPLE}\n{broken}\n{TUPLE}\n</stream>")
    assert isinstance(found[0], Placed) and isinstance(found[-1], Placed)
    bad = found[1:-1]
    assert bad and all(isinstance(each, BadElement) and each.line >= 3 for each in bad)


def test_bad_elements_keep_their_place() -> None:
    (_, bad, last) = read(f"<stream>\n{TUPLE}\n<stix>x</stix>\n{TUPLE}</stream>")
    assert isinstance(bad, BadElement) and isinstance(last, Placed)
    assert (bad.position, bad.line, bad.raw, last.position) == (1, 3, "<stix>x</stix>", 2)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<tag time='1'><b/>x</tag>", "malformed"),
        ("<tag time='1' color='red'>x</tag>", "unknown-name"),
        ("<tag time='1'/>", "empty-content"),
        ("<stix/>", "bad-stix"),
        ("<tuple id='a' time='1'><pid>1</pid><pid>2</pid></tuple>", "repeated-attribute"),
        ("<tuple id='a' time='1'><pit>1</pit></tuple>", "unknown-name"),
        ("<tuple id='a' time='1' colour='red'/>", "unknown-name"),
        ("<tuple id='a' time='1'>x<pid>1</pid></tuple>", "malformed"),
        ("<tuple id='a' time='1'><measure/></tuple>", "bad-value"),
        ("<tuple id='a' time='x'/>", "bad-time"),
        ("<tuple time='1'/>", "no-id"),
    ],
)
def test_bad_element_is_explained(text: str, code: str) -> None:
    (bad,) = read(text)
    assert isinstance(bad, BadElement) and bad.error.code == code


def test_shape_may_not_use_the_names_of_the_wire() -> None:
    shape = StreamShape("s", (StreamAttribute("@id"),))
    with pytest.raises(SchemaError, match="'@id'"):
        read_xml("", WireOptions(shape))


def test_unwritable_character_is_explained() -> None:
    bad = StreamTuple("p1", 0, ("\x00", None, None, None, None))
    with pytest.raises(ItemError, match="cannot hold"):
        list(write_xml([bad], OPTIONS))


@given(st.text(st.sampled_from("<>/tag stix='\"!-[]?") | st.characters(), max_size=40))
def test_any_text_is_read_or_explained(text: str) -> None:
    assert all(isinstance(each, Placed | BadElement) for each in read(text))


@pytest.mark.parametrize(
    "part", ["<?", "<!--", "<tag><!--", "<![CDATA[", "<tag a='", "<tag>", "</"]
)
def test_hostile_text_is_cut_in_time(part: str) -> None:
    started = time.monotonic()
    assert read(part * 10_000)
    assert time.monotonic() - started < 30
