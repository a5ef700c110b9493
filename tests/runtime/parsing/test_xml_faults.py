"""Each kind of bad item is set aside with its reason, and spoils no other."""

from __future__ import annotations

import re

import pytest

from millstream.model.schema import Attribute, Element, Occurs, Schema
from millstream.runtime.parsing.chunk import MAX_RAW_BYTES, ParsedChunk
from millstream.runtime.parsing.parser import parser_for
from tests.runtime.parsing.shapes import DECIMAL, PHOTONS, leaf, nested, photon

GOOD = photon()


def parse(data: bytes) -> ParsedChunk:
    return parser_for("xml", PHOTONS).parse(data)


FAULTS = {
    "not a decimal": (photon("abc"), "photon/en: not a decimal number: 'abc'"),
    "exponent": (photon("1e3"), "photon/en: not a decimal number: '1e3'"),
    "infinity": (photon("INF"), "photon/en: not a decimal number: 'INF'"),
    "too many digits": (
        photon("1" * 21),
        "photon/en: too many digits for a decimal number: '" + "1" * 21 + "'",
    ),
    "not an integer": (photon(det_time="1.5"), "photon/det_time: not an integer: '1.5'"),
    "65 bits": (
        photon(det_time="9223372036854775808"),
        "photon/det_time: does not fit in 64 bits: '9223372036854775808'",
    ),
    "first bad leaf": (photon("abc", "x"), "photon/en: not a decimal number: 'abc'"),
    "missing child": (
        photon().replace(b"<en>1.5</en>", b""),
        "photon: missing child 'en'",
    ),
    "missing child below": (
        photon().replace(b"<ra>130.5</ra>", b""),
        "photon/coord/cel: missing child 'ra'",
    ),
    "missing everything": (b"<photon/>", "photon: missing child 'coord'"),
    "unknown child": (photon(more="<z/>"), "photon: unknown child 'z'"),
    "unknown prefixed child": (
        photon(more="<p:en xmlns:p='u'>1</p:en>"),
        "photon: unknown child 'p:en'",
    ),
    "child in a leaf": (photon("<b>1</b>"), "photon/en: unknown child 'b'"),
    "repeated child": (
        photon(more="<en>2</en>"),
        "photon: child 'en' occurs more than once",
    ),
    "unknown attribute": (
        photon().replace(b"<en>", b"<en unit='keV'>"),
        "photon/en: unknown attribute 'unit'",
    ),
    "unknown attribute of the item": (
        photon().replace(b"<photon>", b"<photon id='1'>"),
        "photon: unknown attribute 'id'",
    ),
    "text between children": (photon(more="stray"), "photon: text 'stray' between children"),
    "text in a section": (
        photon(more="<![CDATA[stray]]>"),
        "photon: text 'stray' between children",
    ),
    "tags that cross": (
        b"<photon><en>1</phc></photon>",
        "not well-formed: Opening and ending tag mismatch: en line 1 and phc at line 1",
    ),
    "bare ampersand": (
        photon("1 & 2"),
        "not well-formed: xmlParseEntityRef: no name at line 1",
    ),
    "undeclared entity": (
        photon("&energy;"),
        "not well-formed: Entity 'energy' not defined at line 1",
    ),
    "control character": (photon("\x07"), "control character U+0007 at character 69 of the item"),
    "null byte": (photon("\x00"), "control character U+0000 at character 69 of the item"),
    "not a character": (
        photon("\uffff"),
        "control character U+FFFF at character 69 of the item",
    ),
    "invalid UTF-8": (
        photon("1.5").replace(b"1.5", b"\xc3("),
        "invalid UTF-8 at byte 69 of the item",
    ),
    "end of a section": (
        photon("]]>"),
        "not well-formed: Sequence ']]>' not allowed in content at line 1",
    ),
}


def _without_column(reason: str) -> str:
    # Versions of libxml2 do not agree on it.
    return re.sub(r", column \d+$", "", reason)


@pytest.mark.parametrize("name", FAULTS)
def test_bad_item_is_set_aside(name: str) -> None:
    bad, reason = FAULTS[name]
    chunk = parse(GOOD + b"\n" + bad + b"\n" + GOOD)
    found = [(each.offset, _without_column(each.reason), each.raw) for each in chunk.rejected]
    assert found == [(len(GOOD) + 1, reason, bad)]
    assert chunk.offsets.to_pylist() == [0, len(GOOD) + len(bad) + 2]


def test_truncated_item_ends_where_the_next_begins() -> None:
    cut = GOOD[:50]
    chunk = parse(cut + GOOD + cut)
    found = [(each.offset, each.reason, each.raw) for each in chunk.rejected]
    assert found == [
        (0, "item is not closed", cut),
        (len(cut + GOOD), "item is not closed", cut),
    ]
    assert chunk.offsets.to_pylist() == [len(cut)]


def test_text_between_items_is_one_rejection_a_run() -> None:
    chunk = parse(b"  one <two/> " + GOOD + b"</photon>" + GOOD + b"<photonic>x</photonic>")
    found = [(each.offset, each.reason, each.raw) for each in chunk.rejected]
    assert found == [
        (2, "text between items", b"one <two/>"),
        (13 + len(GOOD), "text between items", b"</photon>"),
        (22 + 2 * len(GOOD), "text between items", b"<photonic>x</photonic>"),
    ]
    assert len(chunk.offsets) == 2


def test_entity_that_the_stream_declares_is_not_resolved() -> None:
    bomb = b"""<!DOCTYPE photons [<!ENTITY a "1"><!ENTITY b "&a;&a;">
        <!ENTITY file SYSTEM "file:///etc/passwd">]><photons>"""
    chunk = parse(bomb + photon("&b;") + photon("&file;") + GOOD + b"</photons>")
    assert len(chunk.offsets) == 1
    assert ["not defined" in each.reason for each in chunk.rejected] == [True, True]


def test_item_that_is_too_large_is_set_aside() -> None:
    large = photon(" " * 300 + "1.5")
    parser = parser_for("xml", PHOTONS, max_item_bytes=300)
    chunk = parser.parse(GOOD + large + GOOD)
    reasons = [each.reason for each in chunk.rejected]
    assert reasons == [f"item of {len(large)} bytes is larger than 300"]
    assert len(chunk.offsets) == 2


def test_item_of_the_largest_size_is_read() -> None:
    parser = parser_for("xml", PHOTONS, max_item_bytes=len(GOOD))
    assert len(parser.parse(GOOD + b"\n" + GOOD).offsets) == 2


def test_rejected_bytes_are_cut() -> None:
    chunk = parse(photon("x" * 100_000))
    assert len(chunk.rejected[0].raw) == MAX_RAW_BYTES


def test_text_longer_than_the_parser_takes_is_set_aside() -> None:
    chunk = parse(GOOD + photon(" " * 10_500_000 + "1") + GOOD)
    assert len(chunk.offsets) == 2
    assert chunk.rejected[0].reason.startswith("not well-formed: ")


def test_nesting_bomb_is_set_aside() -> None:
    chunk = parse(GOOD + photon("<a>" * 5000) + GOOD)
    assert len(chunk.offsets) == 2
    assert len(chunk.rejected) == 1


def test_interleaved_runs_are_set_aside() -> None:
    schema = Schema("r", nested("i", leaf("a", occurs=Occurs.MANY), leaf("b")))
    chunk = parser_for("xml", schema).parse(b"<i><a/><b/><a/></i><i><b/><a/><a/></i>")
    assert [each.reason for each in chunk.rejected] == ["i: children 'a' do not stand together"]
    assert chunk.rows.column("item").to_pylist() == [{"a": ["", ""], "b": ""}]


def test_missing_run_is_set_aside() -> None:
    schema = Schema("r", nested("i", leaf("a", occurs=Occurs.SOME)))
    chunk = parser_for("xml", schema).parse(b"<i></i>")
    assert [each.reason for each in chunk.rejected] == ["i: missing child 'a'"]


def test_missing_attribute_is_set_aside() -> None:
    item = Element("i", attributes=(Attribute("x", required=True), Attribute("y")))
    chunk = parser_for("xml", Schema("r", item)).parse(b"<i y='1'/><i x='2'/>")
    assert [each.reason for each in chunk.rejected] == ["i: missing attribute 'x'"]
    assert chunk.rows.column("item").to_pylist() == [{"#text": "", "@x": "2", "@y": None}]


def test_bad_value_in_a_run_is_named() -> None:
    inner = nested("b", leaf("n", DECIMAL), occurs=Occurs.MANY)
    schema = Schema("r", nested("i", inner))
    parser = parser_for("xml", schema)
    data = b"<i><b><n>1</n></b><b><n>x</n></b></i><i/><i><b><n>2</n></b></i>"
    chunk = parser.parse(data)
    assert [each.reason for each in chunk.rejected] == ["i/b/n: not a decimal number: 'x'"]
    assert chunk.offsets.to_pylist() == [data.index(b"<i/>"), data.index(b"<i/>") + 4]
