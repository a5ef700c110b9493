"""How the content of good items lands in rows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from lxml import etree

from millstream.errors import SchemaError
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.runtime.parsing.parser import arrow_schema, parser_for
from millstream.runtime.parsing.xml_regular import RegularReader
from tests.runtime.parsing.shapes import DECIMAL, INTEGER, PHOTONS, leaf, nested, photon

RAW = Schema("r", nested("i", Element("d", Occurs.OPTIONAL, Content.RAW), leaf("n", INTEGER)))


def items(schema: Schema, data: str, **options: Any) -> list[Any]:
    chunk = parser_for("xml", schema, **options).parse(data.encode())
    assert chunk.rejected == ()
    return chunk.rows.column("item").to_pylist()


def test_row_has_the_item_and_its_views() -> None:
    chunk = parser_for("xml", PHOTONS).parse(photon("1.50"))
    cel = {"ra": "130.5", "dec": "-46.25"}
    expected = {
        "item": {"coord": {"cel": cel, "det": None}, "phc": None, "en": "1.50", "det_time": "7"},
        "=coord/cel/ra": 130.5,
        "=coord/cel/dec": -46.25,
        "=coord/det/dx": None,
        "=coord/det/dy": None,
        "=phc": None,
        "=en": 1.5,
        "=det_time": 7,
    }
    assert chunk.rows.to_pylist() == [expected]


def test_rows_have_the_schema_that_is_foretold() -> None:
    chunk = parser_for("xml", PHOTONS).parse(b"")
    assert chunk.rows.schema.equals(arrow_schema(PHOTONS), check_metadata=True)
    assert chunk.offsets.type == pa.int64()
    view = chunk.rows.schema.field("=en")
    assert (view.type, view.nullable) == (pa.float64(), True)


def test_blank_number_is_kept_and_has_no_view() -> None:
    chunk = parser_for("xml", PHOTONS).parse(photon(" \n ", "") + photon("<!---->", " 7 "))
    assert [row["en"] for row in chunk.rows.column("item").to_pylist()] == [" \n ", ""]
    assert chunk.rows.column("=en").to_pylist() == [None, None]
    assert chunk.rows.column("=det_time").to_pylist() == [None, 7]


def test_times_are_in_utc() -> None:
    schema = Schema("r", nested("i", leaf("t", ValueType.TIME)))
    chunk = parser_for("xml", schema).parse(b"<i><t>2003-11-01T12:00:00+02:00</t></i>")
    assert chunk.rows.column("=t").to_pylist() == [datetime(2003, 11, 1, 10, tzinfo=UTC)]
    assert chunk.rows.schema.field("=t").type == pa.timestamp("us", tz="UTC")


def test_children_may_stand_in_any_order() -> None:
    usual = photon()
    turned = usual.replace(
        b"<en>1.5</en><det_time>7</det_time>", b"<det_time>7</det_time><en>1.5</en>"
    )
    rows = parser_for("xml", PHOTONS).parse(usual + turned).rows.to_pylist()
    assert rows[0] == rows[1]


def test_text_is_the_sum_of_its_parts() -> None:
    schema = Schema("r", leaf("i"))
    data = "<i>a<!-- x -->b<![CDATA[<c>]]>&lt;&#100;<?pi?>\r\ne</i>"
    assert items(schema, data) == ["ab<c><d\ne"]


def test_line_ends_are_normalized() -> None:
    schema = Schema("r", Element("i", attributes=(Attribute("x"),)))
    data = '<i x="a\r\nb\tc">a\r\nb\rc</i>'
    assert items(schema, data) == [{"#text": "a\nb\nc", "@x": "a b c"}]


def test_attributes_are_fields() -> None:
    unit = Attribute("unit"), Attribute("error", DECIMAL)
    schema = Schema("r", nested("i", Element("en", attributes=unit, type=DECIMAL)))
    chunk = parser_for("xml", schema).parse(
        b"""<i><en unit="keV">1.5</en></i><i><en error='.1' unit = "a&#10;b
c"/></i>"""
    )
    assert chunk.rows.to_pylist() == [
        {
            "item": {"en": {"#text": "1.5", "@unit": "keV", "@error": None}},
            "=en/@error": None,
            "=en": 1.5,
        },
        {
            "item": {"en": {"#text": "", "@unit": "a\nb c", "@error": ".1"}},
            "=en/@error": 0.1,
            "=en": None,
        },
    ]


def test_repeated_children_are_arrays_and_absent_ones_null() -> None:
    inner = nested("b", leaf("c", occurs=Occurs.MANY), occurs=Occurs.MANY)
    schema = Schema("r", nested("i", inner, leaf("n", INTEGER)))
    data = "<i><b><c>1</c><c/></b><b></b><n>1</n></i><i><n>2</n></i>"
    expected = [{"b": [{"c": ["1", ""]}, {"c": None}], "n": "1"}, {"b": None, "n": "2"}]
    assert items(schema, data) == expected
    assert items(schema, data, careful=True) == expected


def test_element_without_content_holds_the_empty_text() -> None:
    schema = Schema("r", nested("i", nested("e", occurs=Occurs.OPTIONAL)))
    data = "<i><e/></i><i><e> <!-- --> </e></i><i></i>"
    assert items(schema, data) == [{"e": {"#text": ""}}, {"e": {"#text": ""}}, {"e": None}]


def test_raw_element_is_its_xml() -> None:
    data = "<i><d k='1'>a <b>&lt;</b><!-- c --><![CDATA[&]]></d> <n>1</n></i><i><n>2</n></i>"
    raw = '<d k="1">a <b>&lt;</b><!-- c -->&amp;</d>'
    assert items(RAW, data) == [{"d": raw, "n": "1"}, {"d": None, "n": "2"}]


def test_raw_item_may_hold_items() -> None:
    schema = Schema("r", Element("i", content=Content.RAW))
    data = "<i>a<i>b</i></i> <i/> <i><!-- </i> --></i>"
    assert items(schema, data) == ["<i>a<i>b</i></i>", "<i/>", "<i><!-- </i> --></i>"]


def test_unclosed_item_that_may_hold_items_takes_no_others_along() -> None:
    schema = Schema("r", Element("i", content=Content.RAW))
    chunk = parser_for("xml", schema).parse(b"<i>a<i>b</i><i>c</i>")
    assert chunk.rows.column("item").to_pylist() == ["<i>b</i>", "<i>c</i>"]
    assert [each.raw for each in chunk.rejected] == [b"<i>a"]


def test_raw_element_keeps_the_namespaces_in_scope() -> None:
    data = "<i><d><p:b xmlns:p='u' q:x='1'/></d><n>1</n></i>"
    (row,) = items(RAW, data, namespaces={"q": "v"})
    assert etree.fromstring(row["d"])[0].attrib == {"{v}x": "1"}


def test_prefixes_stay_as_written() -> None:
    attributes = (Attribute("q:x"), Attribute("xml:lang"))
    item = nested("p:i", Element("p:a", attributes=attributes), leaf("b"))
    data = "<p:i><p:a q:x='1' xml:lang='en'>t</p:a><b xmlns='w'/></p:i>"
    namespaces = {"p": "u", "q": "v"}
    assert items(Schema("p:r", item), data, namespaces=namespaces) == [
        {"p:a": {"#text": "t", "@q:x": "1", "@xml:lang": "en"}, "b": ""}
    ]


def test_prefix_that_nobody_declared_is_set_aside() -> None:
    schema = Schema("p:r", nested("p:i", leaf("p:a")))
    data = b"<p:i><p:a>1</p:a></p:i>"
    reason = "not well-formed: Namespace prefix p on i is not defined"
    assert [each.reason for each in parser_for("xml", schema).parse(data).rejected] == [reason]
    declared = parser_for("xml", schema, namespaces={"p": "u"})
    assert declared.parse(data).rejected == ()
    assert RegularReader.of(schema.item, {"p": "u"}) is not None


def test_namespaces_that_cannot_be_declared_are_refused() -> None:
    with pytest.raises(SchemaError, match="namespaces cannot be declared"):
        parser_for("xml", PHOTONS, namespaces={"a b": "u"})


def test_stream_of_several_documents() -> None:
    head = b"\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE photons SYSTEM 'p.dtd'>\n"
    data = (head + b"<photons at='>'>" + photon() + b"</photons>\n") * 2
    chunk = parser_for("xml", PHOTONS).parse(data)
    assert chunk.rejected == ()
    expected = [found for found in range(len(data)) if data.startswith(b"<photon>", found)]
    assert chunk.offsets.to_pylist() == expected


def test_root_may_be_the_item() -> None:
    schema = Schema("i", nested("i", leaf("n", INTEGER)))
    assert items(schema, "<?xml version='1.0'?><i><n>1</n></i>") == [{"n": "1"}]


def test_usual_spelling_needs_no_care() -> None:
    reader = RegularReader.of(PHOTONS.item, {})
    assert reader is not None
    data = photon() + b"\n" + photon("") + b"\r\n  " + photon("<!-- -->")
    end = reader.run(data, 1000).advance(0, len(data))
    assert data[end:] == photon("<!-- -->")


def test_raw_content_needs_care() -> None:
    assert RegularReader.of(RAW.item, {}) is None
