"""Lines of JSON as rows, and each kind of bad line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.schema import TEXT_FIELD, Attribute, Content, Element, Occurs, Schema
from millstream.runtime.parsing.chunk import ParsedChunk
from millstream.runtime.parsing.parser import arrow_schema, parser_for
from tests.runtime.parsing.shapes import (
    INTEGER,
    PHOTONS,
    Node,
    leaf,
    nested,
    nodes,
    row_of,
    schemas,
)

GOOD = '{"coord": {"cel": {"ra": 130.5, "dec": -46.25}}, "en": 1.50, "det_time": 7}'


def parse(*lines: str, schema: Schema = PHOTONS) -> ParsedChunk:
    return parser_for("json", schema).parse("\n".join(lines).encode())


def test_numbers_keep_their_text() -> None:
    (row,) = parse(GOOD).rows.to_pylist()
    cel = {"ra": "130.5", "dec": "-46.25"}
    assert row["item"] == {
        "coord": {"cel": cel, "det": None},
        "phc": None,
        "en": "1.50",
        "det_time": "7",
    }
    assert (row["=en"], row["=det_time"], row["=phc"]) == (1.5, 7, None)


def test_offsets_are_of_lines_and_blank_lines_are_skipped() -> None:
    chunk = parse(GOOD, "", "  \r", " " + GOOD + "\r", "x")
    first = len(GOOD) + 7
    assert chunk.offsets.to_pylist() == [0, first]
    assert [(each.offset, each.raw) for each in chunk.rejected] == [(first + len(GOOD) + 2, b"x")]


def test_arrays_objects_and_truth() -> None:
    tag = Element("tag", Occurs.MANY, attributes=(Attribute("by"),))
    schema = Schema("r", nested("i", tag, leaf("ok"), nested("e", occurs=Occurs.OPTIONAL)))
    chunk = parse(
        '{"tag": [{"#text": "a", "@by": "x"}, "b", null, {"@by": 2}], "ok": true, "e": {}}',
        '{"tag": "c", "ok": false, "unknown": null}',
        '{"tag": [], "ok": {"#text": 1}}',
        schema=schema,
    )
    assert chunk.rejected == ()
    tags = [
        {"#text": "a", "@by": "x"},
        {"#text": "b", "@by": None},
        {"#text": "", "@by": "2"},
    ]
    assert chunk.rows.column("item").to_pylist() == [
        {"tag": tags, "ok": "true", "e": {"#text": ""}},
        {"tag": [{"#text": "c", "@by": None}], "ok": "false", "e": None},
        {"tag": None, "ok": "1", "e": None},
    ]


FAULTS = {
    "not JSON": ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
    "more than one": ("{} {}", "not JSON: Extra data at column 4"),
    "not an object": ("[1]", "photon: not an object"),
    "null": ("null", "photon: not an object"),
    "key twice": (GOOD[:-1] + ', "en": 2}', "key 'en' occurs more than once in an object"),
    "missing child": ("{}", "photon: missing child 'coord'"),
    "null child": (GOOD.replace("1.50", "null"), "photon: missing child 'en'"),
    "unknown child": (GOOD[:-1] + ', "z": 1}', "photon: unknown child 'z'"),
    "unknown attribute": (GOOD[:-1] + ', "@z": 1}', "photon: unknown attribute 'z'"),
    "text": (GOOD[:-1] + ', "#text": "x"}', "photon: text 'x' between children"),
    "array for one": (
        GOOD.replace("1.50", "[1]"),
        "photon/en: an array stands where one value belongs",
    ),
    "object for text": (
        GOOD.replace("1.50", '{"a": 1}'),
        "photon/en: an object stands where text belongs",
    ),
    "text for object": (
        GOOD.replace('{"ra": 130.5, "dec": -46.25}', "1"),
        "photon/coord/cel: not an object",
    ),
    "bad value": (GOOD.replace("1.50", "1e3"), "photon/en: not a decimal number: '1e3'"),
    "not a number": (GOOD.replace("1.50", "NaN"), "not JSON: NaN is not a number"),
    "huge integer": (
        GOOD.replace("7}", "9" * 5000 + "}"),
        "photon/det_time: does not fit in 64 bits: '" + "9" * 29 + "…'",
    ),
    "control character": (
        GOOD.replace("1.50", '"\\u0001"'),
        "control character U+0001 in '\\x01'",
    ),
    "half a character": (
        GOOD.replace("1.50", '"\\ud800"'),
        "control character U+D800 in '\\ud800'",
    ),
    "nesting bomb": ("[" * 200_000, "values are nested too deeply"),
    "nesting bomb of objects": ('{"a":' * 200_000, "values are nested too deeply"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_bad_line_is_set_aside(name: str) -> None:
    bad, reason = FAULTS[name]
    chunk = parse(GOOD, bad, GOOD)
    found = [(each.offset, each.reason) for each in chunk.rejected]
    assert found == [(len(GOOD) + 1, reason)]
    assert len(chunk.offsets) == 2


def test_invalid_utf8_is_set_aside() -> None:
    chunk = parser_for("json", PHOTONS).parse(b'{"a": "\xff"}\n' + GOOD.encode())
    assert [each.reason for each in chunk.rejected] == ["invalid UTF-8 at byte 7 of the line"]
    assert len(chunk.offsets) == 1


def test_line_that_is_too_large_is_set_aside() -> None:
    parser = parser_for("json", PHOTONS, max_item_bytes=len(GOOD))
    chunk = parser.parse(f"{GOOD}\n{GOOD[:-1]} }}".encode())
    size = len(GOOD) + 1
    assert [each.reason for each in chunk.rejected] == [
        f"item of {size} bytes is larger than {len(GOOD)}"
    ]


def test_raw_value_is_written_as_xml() -> None:
    schema = Schema("r", nested("i", Element("d", content=Content.RAW), leaf("n", INTEGER)))
    chunk = parse(
        '{"d": {"@k": 1, "b": ["x", {"#text": "<"}], "z": null}, "n": 1}',
        '{"d": "a & b", "n": 2}',
        '{"d": "<d k=\'1\'>a<b/></d>", "n": 3}',
        '{"d": "<d><b></d>", "n": 4}',
        '{"d": "<dd/>", "n": 5}',
        '{"d": {"a b": 1}, "n": 6}',
        schema=schema,
    )
    assert [row["d"] for row in chunk.rows.column("item").to_pylist()] == [
        '<d k="1"><b>x</b><b>&lt;</b></d>',
        "<d>a &amp; b</d>",
        "<d k='1'>a<b/></d>",
    ]
    starts = [each.reason.partition(":")[0] for each in chunk.rejected]
    assert starts == ["i/d", "i/d", "i/d"]


def to_json(node: Node, element: Element) -> Any:
    """A node that fits its schema, as JSON has it."""
    attributes = {f"@{name}": value for name, value in node.attributes}
    if element.content is Content.LEAF:
        return {TEXT_FIELD: node.text, **attributes} if attributes else node.text
    fields: dict[str, Any] = dict(attributes)
    for child in element.children:
        found = [to_json(each, child) for each in node.children if each.name == child.name]
        if found:
            fields[child.name] = found if child.repeated else found[0]
    return fields


@given(st.data())
@settings(max_examples=150)
def test_rows_are_the_items_that_were_written(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    made = data.draw(st.lists(nodes(schema.item), max_size=4))
    chunk = parse(*(json.dumps(to_json(node, schema.item)) for node in made), schema=schema)
    assert chunk.rejected == ()
    assert chunk.rows.column("item").to_pylist() == [row_of(node, schema.item) for node in made]
    assert chunk.rows.schema.equals(arrow_schema(schema))
