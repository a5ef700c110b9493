"""What the streams of a scenario carry."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from millstream.errors import ItemError, SchemaError
from millstream.generators import photons
from millstream.model.schema import Occurs, ValueType
from millstream.scenarios import FileSource, PhotonSource, ScenarioStream, items, schema_of, written

MADE = ScenarioStream(
    "photons", "SP0", PhotonSource(30, 5, 2.0), schema=photons.PHOTONS_DTD, order_by="det_time"
)
DATA = """<?xml version="1.0"?>
<a>
  <b><c>1</c><d>x</d></b>
  <!-- between -->
  <b><c>2</c></b>
  <b><c>3</c><d>&amp;</d></b>
</a>
"""


def from_file(folder: Path, content: str = DATA, **options: str) -> ScenarioStream:
    path = folder / "data.xml"
    path.write_text(content, encoding="utf-8")
    return ScenarioStream("data", "SP0", FileSource(path), **options)  # type: ignore[arg-type]


def test_photons_are_those_of_the_generator() -> None:
    expected = list(photons.generate(30, seed=5, rate=2.0))
    assert list(items(MADE)) == expected
    assert list(items(MADE, 4)) == expected[:4]
    assert list(items(MADE, 99)) == expected


def test_schema_of_photons_has_types() -> None:
    types = {str(leaf): leaf.type for leaf in schema_of(MADE).leaves()}
    assert types["coord/cel/ra"] is ValueType.DECIMAL
    assert types["det_time"] is ValueType.INTEGER


def test_photons_are_written(tmp_path: Path) -> None:
    path = written(MADE, tmp_path)
    stream = ScenarioStream("again", "SP0", FileSource(path), schema=photons.PHOTONS_DTD)
    assert path == tmp_path / "photons.xml"
    assert list(items(stream)) == list(items(MADE))


def test_items_of_a_file(tmp_path: Path) -> None:
    stream = from_file(tmp_path)
    expected = ["<b><c>1</c><d>x</d></b>", "<b><c>2</c></b>", "<b><c>3</c><d>&amp;</d></b>"]
    assert list(items(stream)) == expected
    assert list(items(stream, 2)) == expected[:2]
    assert written(stream, tmp_path / "elsewhere") == tmp_path / "data.xml"


def test_items_of_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "data.xml.gz"
    path.write_bytes(gzip.compress(DATA.encode()))
    assert len(list(items(ScenarioStream("data", "SP0", FileSource(path))))) == 3


def test_items_may_be_named(tmp_path: Path) -> None:
    assert list(items(from_file(tmp_path, item="c"))) == ["<c>1</c>", "<c>2</c>", "<c>3</c>"]


def test_schema_names_the_items(tmp_path: Path) -> None:
    dtd = "<!ELEMENT a (b*)><!ELEMENT b (c, d?)><!ELEMENT c (#PCDATA)><!ELEMENT d (#PCDATA)>"
    schema = schema_of(from_file(tmp_path, schema=dtd, order_by="c"))
    assert (schema.root, schema.item.name) == ("a", "b")
    assert {str(leaf): leaf.type for leaf in schema.leaves()} == {
        "c": ValueType.INTEGER,
        "d": ValueType.TEXT,
    }


def test_items_tell_the_schema(tmp_path: Path) -> None:
    schema = schema_of(from_file(tmp_path))
    assert (schema.root, schema.item.name) == ("a", "b")
    assert [(each.name, each.occurs, each.type) for each in schema.item.children] == [
        ("c", Occurs.OPTIONAL, ValueType.INTEGER),
        ("d", Occurs.OPTIONAL, ValueType.TEXT),
    ]


def test_unknown_order_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="the order path e of stream 'data' is no leaf"):
        schema_of(from_file(tmp_path, order_by="e"))


def test_text_is_no_order(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="have no order by d"):
        schema_of(from_file(tmp_path, order_by="d"))


def test_stream_without_items_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match="stream 'data' has no items"):
        schema_of(from_file(tmp_path, "<a/>"))


def test_broken_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match="is not well-formed XML"):
        list(items(from_file(tmp_path, "<a><b></a>")))


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    stream = ScenarioStream("data", "SP0", FileSource(tmp_path / "nowhere.xml"))
    with pytest.raises(SchemaError, match="cannot read"):
        list(items(stream))
