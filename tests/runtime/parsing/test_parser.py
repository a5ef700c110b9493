"""The door to parsing."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pytest

from millstream.errors import SchemaError, UnsupportedError
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.runtime.parsing.parser import arrow_schema, parser_for
from tests.runtime.parsing.shapes import PHOTONS, leaf, nested


def test_format_that_is_unknown_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="did you mean 'xml'"):
        parser_for("xlm", PHOTONS)


def test_raw_element_with_parts_is_refused() -> None:
    raw = Element("d", content=Content.RAW, attributes=(Attribute("a"),))
    with pytest.raises(SchemaError, match="raw element 'd'"):
        parser_for("xml", Schema("r", nested("i", raw)))


def test_arrow_schema_follows_the_layout() -> None:
    en = Element("en", attributes=(Attribute("t", ValueType.TIME),), type=ValueType.DOUBLE)
    many = leaf("n", ValueType.INTEGER, Occurs.MANY)
    item = nested("i", en, many, nested("e"), Element("d", content=Content.RAW))
    text = pa.string()
    expected = pa.schema(
        [
            pa.field(
                "item",
                pa.struct(
                    [
                        pa.field("en", pa.struct([("#text", text), ("@t", text)])),
                        pa.field("n", pa.list_(pa.field("element", text))),
                        pa.field("e", pa.struct([("#text", text)])),
                        pa.field("d", text),
                    ]
                ),
            ),
            pa.field("=en/@t", pa.timestamp("us", tz="UTC")),
            pa.field("=en", pa.float64()),
        ]
    )
    assert arrow_schema(Schema("r", item)).equals(expected, check_metadata=True)


def test_parsing_needs_no_spark() -> None:
    code = "import sys, millstream.runtime.parsing.parser; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
