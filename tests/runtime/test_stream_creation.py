from __future__ import annotations

from pathlib import Path

import pytest

import millstream
from millstream.errors import SchemaError
from millstream.model.schema import ValueType

DTD = "<!ELEMENT r (i*)><!ELEMENT i (t, v)><!ELEMENT t (#PCDATA)><!ELEMENT v (#PCDATA)>"


def test_order_of_an_empty_source_is_taken_for_a_number(tmp_path: Path) -> None:
    with millstream.open(None) as mill:
        stream = mill.create_stream("r", tmp_path / "none", schema=DTD, order_by="t")
        leaf = stream.schema.leaf(("t",))
        assert leaf is not None and leaf.type is ValueType.DECIMAL
        assert "assumed" in stream.notes[-1]


def test_order_by_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.xml").write_text("<r><i><t>soon</t><v>1</v></i></r>")
    with (
        millstream.open(None) as mill,
        pytest.raises(SchemaError, match="the order path t is text"),
    ):
        mill.create_stream("r", tmp_path / "r.xml", order_by="t")


def test_order_by_unknown_path_is_refused(tmp_path: Path) -> None:
    with (
        millstream.open(None) as mill,
        pytest.raises(SchemaError, match="path tt is no leaf of i"),
    ):
        mill.create_stream("r", tmp_path / "none", schema=DTD, order_by="tt")


def test_source_without_items_and_schema_asks_for_a_schema(tmp_path: Path) -> None:
    with millstream.open(None) as mill, pytest.raises(SchemaError, match="has no schema"):
        mill.create_stream("r", tmp_path / "none")


def test_types_of_the_caller_go_before_the_sample(tmp_path: Path) -> None:
    (tmp_path / "r.xml").write_text("<r><i><t>1</t><v>1</v></i></r>")
    with millstream.open(None) as mill:
        stream = mill.create_stream("r", tmp_path / "r.xml", types={"v": "text"})
        assert [leaf.type.value for leaf in stream.schema.leaves()] == ["integer", "text"]


@pytest.mark.parametrize("retention", ["7 days", "GB", "-1d"])
def test_retention_that_cannot_be_read_is_refused(tmp_path: Path, retention: str) -> None:
    with millstream.open(None) as mill, pytest.raises(SchemaError, match="is no retention"):
        mill.create_stream("r", tmp_path / "none", schema=DTD, retention=retention)
