"""The quick and the careful way to read XML agree, and both agree with how items were made."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.schema import Schema
from millstream.runtime.parsing.chunk import ParsedChunk
from millstream.runtime.parsing.parser import arrow_schema, parser_for
from tests.runtime.parsing.shapes import PHOTONS, nodes, photon, row_of, schemas, spellings, spelt

GAPS = st.sampled_from(
    [
        "",
        "\n",
        " \r\n ",
        "<!-- <photon> -->",
        "<?x <photon> ?>",
        "</photons><?xml version='1.0'?><photons a='>'>",
        "<!DOCTYPE photons [<!ELEMENT photon (a)> <!ENTITY e '<photon>]'> <!-- don't ]> -->]>",
        "\ufeff",
    ]
)
DIRT = st.sampled_from(
    [
        "junk",
        "</photon>",
        "<photon>",
        "<photon",
        "<a>",
        "</a>",
        "<a/>",
        "<z>1</z>",
        "&amp;",
        "&nope;",
        "&#1;",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "\x01",
        "\uffff",
        ">",
        '"',
        " x='1'",
        "<!DOCTYPE",
        "7",
        "\r",
    ]
)


def assert_same(one: ParsedChunk, other: ParsedChunk) -> None:
    assert one.offsets.to_pylist() == other.offsets.to_pylist()
    assert one.rejected == other.rejected
    assert _shown(one.rows) == _shown(other.rows)


def _shown(table: pa.Table) -> list[Any]:
    # NaN is not equal to itself, but is the same value here.
    return [str(row) for row in table.to_pylist()]


@st.composite
def streams(draw: st.DrawFn, raw: bool) -> tuple[Schema, bytes]:
    """A schema and items of it in many spellings."""
    schema = draw(schemas(raw))
    parts = []
    for _ in range(draw(st.integers(0, 5))):
        node = draw(nodes(schema.item))
        usual = draw(st.booleans())
        parts += [spelt(node) if usual else draw(spellings(node)), draw(GAPS)]
    return schema, "".join(parts).encode()


@st.composite
def spoilt(draw: st.DrawFn, data: bytes) -> bytes:
    """The data with some bytes replaced by dirt."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 0, 1, 3, 40])))
        dirt = draw(DIRT).encode() if draw(st.integers(0, 9)) else b"\xff"
        data = data[:start] + dirt + data[end:]
    return data


@given(st.data())
@settings(max_examples=200)
def test_rows_are_the_items_that_were_written(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    made = data.draw(st.lists(nodes(schema.item), max_size=4))
    written = [data.draw(spellings(node)) + data.draw(GAPS) for node in made]
    chunk = parser_for("xml", schema).parse("".join(written).encode())
    assert chunk.rejected == ()
    assert chunk.rows.column("item").to_pylist() == [row_of(node, schema.item) for node in made]
    assert chunk.rows.schema.equals(arrow_schema(schema))


@given(st.booleans().flatmap(streams))
@settings(max_examples=200)
def test_quick_reading_equals_careful_reading(stream: tuple[Schema, bytes]) -> None:
    schema, data = stream
    quick = parser_for("xml", schema).parse(data)
    assert_same(quick, parser_for("xml", schema, careful=True).parse(data))


@given(st.booleans().flatmap(streams), st.data())
@settings(max_examples=400)
def test_quick_reading_equals_careful_reading_of_spoilt_data(
    stream: tuple[Schema, bytes], data: st.DataObject
) -> None:
    schema, clean = stream
    dirty = data.draw(spoilt(clean))
    quick = parser_for("xml", schema).parse(dirty)
    assert_same(quick, parser_for("xml", schema, careful=True).parse(dirty))


@given(st.lists(st.sampled_from([photon(), photon("x"), photon("")]), min_size=1), st.data())
@settings(max_examples=200)
def test_every_byte_is_read_or_set_aside(items: list[bytes], data: st.DataObject) -> None:
    dirty = data.draw(spoilt(b"\n".join(items)))
    chunk = parser_for("xml", PHOTONS).parse(dirty)
    left = bytearray(dirty)
    for rejected in chunk.rejected:
        assert dirty.startswith(rejected.raw, rejected.offset)
        left[rejected.offset : rejected.offset + len(rejected.raw)] = b" " * len(rejected.raw)
    for offset in chunk.offsets.to_pylist():
        end = dirty.index(b"</photon", offset)
        end = dirty.index(b">", end) + 1
        left[offset:end] = b" " * (end - offset)
    gaps = rb"\s|<!--.*?-->|<\?.*?\?>|<!DOCTYPE\s[^>]*>"
    assert re.sub(gaps, b"", bytes(left), flags=re.DOTALL) == b""


@given(st.lists(st.sampled_from([photon(), photon("x"), b"<photon/>"]), max_size=8), st.data())
def test_a_slice_may_be_cut_between_items(items: list[bytes], data: st.DataObject) -> None:
    parser = parser_for("xml", PHOTONS)
    cut = data.draw(st.integers(0, len(items)))
    first, second = b"".join(items[:cut]), b"".join(items[cut:])
    whole, one, two = (parser.parse(part) for part in (first + second, first, second))
    shifted = [offset + len(first) for offset in two.offsets.to_pylist()]
    assert whole.offsets.to_pylist() == one.offsets.to_pylist() + shifted
    assert whole.rows.equals(pa.concat_tables([one.rows, two.rows]).combine_chunks())
    assert len(whole.rejected) == len(one.rejected) + len(two.rejected)
