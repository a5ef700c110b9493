"""Comma-separated lines as rows, and each kind of bad line."""

from __future__ import annotations

import csv
import io
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.errors import SchemaError
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.runtime.parsing.chunk import ParsedChunk
from millstream.runtime.parsing.parser import parser_for
from tests.runtime.parsing.shapes import DECIMAL, INTEGER, PHOTONS, leaf, nested

SHIPS = Schema(
    "ships",
    nested(
        "ship",
        leaf("id"),
        leaf("speed", DECIMAL, Occurs.OPTIONAL),
        leaf("ts", ValueType.TIME, Occurs.OPTIONAL),
    ),
)
COLUMNS = ["id", "speed", "ts"]


def parse(data: str | bytes, delimiter: str = ",") -> ParsedChunk:
    parser = parser_for("csv", SHIPS, columns=COLUMNS, delimiter=delimiter)
    return parser.parse(data.encode() if isinstance(data, str) else data)


def test_fields_are_leaves_and_empty_ones_absent() -> None:
    chunk = parse("a,1.50,\r\n\nb,,2022-01-03\n")
    assert chunk.rejected == ()
    assert chunk.offsets.to_pylist() == [0, 10]
    assert chunk.rows.column("item").to_pylist() == [
        {"id": "a", "speed": "1.50", "ts": None},
        {"id": "b", "speed": None, "ts": "2022-01-03"},
    ]
    assert chunk.rows.column("=speed").to_pylist() == [1.5, None]


def test_quoted_fields_may_hold_anything() -> None:
    chunk = parse('"a ""1"", b\n\nc",2,\nd,3,\n')
    assert [row["id"] for row in chunk.rows.column("item").to_pylist()] == ['a "1", b\n\nc', "d"]
    assert chunk.offsets.to_pylist() == [0, 19]


def test_other_delimiters() -> None:
    chunk = parse("a;1;\nb,c;2;\n", ";")
    assert [row["id"] for row in chunk.rows.column("item").to_pylist()] == ["a", "b,c"]


FAULTS = {
    "too few fields": (b"a,1", "2 fields instead of 3"),
    "too many fields": (b"a,1,,", "4 fields instead of 3"),
    "bad value": (b"a,fast,", "ship/speed: not a decimal number: 'fast'"),
    "missing leaf": (b",1,", "ship: missing child 'id'"),
    "nothing at all": (b",,", "ship: missing child 'id'"),
    "text after quotes": (b'"a"b,1,', "not a record: ',' expected after '\"'"),
    "invalid UTF-8": (b"\xff,1,", "invalid UTF-8"),
    "control character": (b"\x01,1,", "ship/id: control character in the text"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_bad_line_is_set_aside(name: str) -> None:
    bad, reason = FAULTS[name]
    chunk = parse(b"a,1,\n" + bad + b"\nb,2,\n")
    assert [(each.offset, each.reason, each.raw) for each in chunk.rejected] == [(5, reason, bad)]
    assert [row["id"] for row in chunk.rows.column("item").to_pylist()] == ["a", "b"]


def test_quote_without_end_spoils_one_line() -> None:
    chunk = parse('a,1,\n"b,2,\nc,3,\nd,4,\n')
    assert [each.raw for each in chunk.rejected] == [b'"b,2,']
    assert [row["id"] for row in chunk.rows.column("item").to_pylist()] == ["a", "c", "d"]


def test_record_that_is_too_large_is_set_aside() -> None:
    parser = parser_for("csv", SHIPS, columns=COLUMNS, max_item_bytes=10)
    chunk = parser.parse(b"a,1,\n" + b"b" * 10 + b",1,\nc,1,\n")
    assert [each.reason for each in chunk.rejected] == ["item of 13 bytes is larger than 10"]
    assert len(chunk.offsets) == 2


def test_long_field_is_read() -> None:
    chunk = parse("a" * 200_000 + ",1,\n")
    assert chunk.rejected == ()


def test_columns_are_paths() -> None:
    en = Element("en", attributes=(Attribute("unit"),), type=DECIMAL)
    tags = leaf("tag", occurs=Occurs.MANY)
    inner = nested(
        "c", leaf("ra", DECIMAL), leaf("n", INTEGER, Occurs.OPTIONAL), occurs=Occurs.OPTIONAL
    )
    schema = Schema("r", nested("i", inner, en, tags, Element("d", Occurs.OPTIONAL, Content.RAW)))
    columns = ["c/ra", "en", "en/@unit", "tag", "d"]
    chunk = parser_for("csv", schema, columns=columns).parse(
        b"1,2,keV,x,<d>1</d>\n,,keV,,\n,2,,,<e/>\n"
    )
    assert chunk.rows.column("item").to_pylist() == [
        {
            "c": {"ra": "1", "n": None},
            "en": {"#text": "2", "@unit": "keV"},
            "tag": ["x"],
            "d": "<d>1</d>",
        },
        {"c": None, "en": {"#text": "", "@unit": "keV"}, "tag": None, "d": None},
    ]
    assert [each.reason for each in chunk.rejected] == ["i/d: not the XML text of one element 'd'"]


@pytest.mark.parametrize("columns", [["id", "spede"], ["id", "id"], [""]])
def test_columns_that_do_not_fit_are_refused(columns: list[str]) -> None:
    with pytest.raises(SchemaError):
        parser_for("csv", SHIPS, columns=columns)


def test_item_may_be_bare_text() -> None:
    schema = Schema("r", leaf("i", INTEGER))
    chunk = parser_for("csv", schema, columns=["#text"]).parse(b"1\n2\n")
    assert chunk.rows.to_pylist() == [{"item": "1", "=": 1}, {"item": "2", "=": 2}]


def test_no_lines() -> None:
    chunk = parse("")
    assert (len(chunk.offsets), chunk.rejected) == (0, ())
    empty = parser_for("csv", PHOTONS, columns=["en"]).parse(b"\n")
    assert empty.rows.num_rows == 0


FIELDS = st.text(st.sampled_from('ab ,;"\n\r7é'), max_size=5)


@given(st.lists(st.tuples(FIELDS.filter(bool), st.sampled_from(["1", ""])), max_size=6))
@settings(max_examples=150)
def test_rows_are_the_records_that_were_written(records: list[tuple[str, str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([(name, speed, "") for name, speed in records])
    chunk = parse(buffer.getvalue())
    assert chunk.rejected == ()
    found = [(row["id"], row["speed"] or "") for row in chunk.rows.column("item").to_pylist()]
    assert found == records


@pytest.mark.parametrize("hostile", [b'"', b'a,"\n', b'"\n""', b'""\n,"', b"\n", b",", b"\xff\n"])
def test_time_grows_with_the_data_alone(hostile: bytes) -> None:
    begin = time.process_time()
    parse(hostile * (200_000 // len(hostile)))
    assert time.process_time() - begin < 10
