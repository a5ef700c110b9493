"""Schemas from Spark DDL."""

from __future__ import annotations

import pytest

from millstream.errors import MillstreamError, SchemaError, UnsupportedError
from millstream.model.ddl import read_ddl
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType


def column(type: str) -> Element:
    """The element of a column that has this type."""
    return read_ddl(f"c {type}", stream="s").item.children[0]


def test_columns_become_children_of_the_item() -> None:
    text = "a STRING, b STRUCT<c: DOUBLE NOT NULL, d: ARRAY<STRUCT<e INT>>>, t TIMESTAMP NOT NULL"
    optional = Occurs.OPTIONAL
    inner = Element("e", optional, type=ValueType.INTEGER)
    middle = (
        Element("c", type=ValueType.DOUBLE),
        Element("d", Occurs.MANY, Content.NESTED, (inner,)),
    )
    children = (
        Element("a", optional),
        Element("b", optional, Content.NESTED, middle),
        Element("t", type=ValueType.TIME),
    )
    expected = Schema("s", Element("item", content=Content.NESTED, children=children))
    assert read_ddl(text, stream="s") == expected


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        ("string", ValueType.TEXT),
        ("VARCHAR(10)", ValueType.TEXT),
        ("Boolean", ValueType.TEXT),
        ("bigint", ValueType.INTEGER),
        ("DECIMAL(10, 2)", ValueType.DECIMAL),
        ("NUMERIC", ValueType.DECIMAL),
        ("FLOAT", ValueType.DOUBLE),
        ("DATE", ValueType.TIME),
        ("TIMESTAMP_NTZ", ValueType.TIME),
    ],
)
def test_types_become_value_types(type: str, expected: ValueType) -> None:
    assert column(type).type is expected


def test_comments_and_not_null_are_understood() -> None:
    assert column(r"INT NOT NULL COMMENT 'it\'s, a > b'").occurs is Occurs.ONE


def test_an_array_that_is_not_null_may_still_be_empty() -> None:
    assert column("ARRAY<INT> NOT NULL").occurs is Occurs.MANY


def test_names_may_be_quoted_and_followed_by_a_colon() -> None:
    schema = read_ddl("`order`: INT", stream="s")
    assert [child.name for child in schema.item.children] == ["order"]


def test_a_struct_may_stand_around_all_columns() -> None:
    assert read_ddl("struct<a int, b int>", stream="s") == read_ddl("a INT, b INT", stream="s")


def test_a_column_may_be_called_struct() -> None:
    assert read_ddl("struct INT", stream="s").item.children[0].name == "struct"


@pytest.mark.parametrize(
    ("text", "pointed", "message"),
    [
        ("a STRNG", "STRNG", "no type STRNG"),
        ("a ARRAY<ARRAY<INT>>", "ARRAY", "array of arrays"),
        ("a INT, a INT", "a", "stands twice"),
        ("a INT b INT", "b", "should end here"),
        ("a INT; b INT", ";", "has no meaning"),
        ("a STRUCT<b INT", "", "'>' should stand here"),
        ("a INT,", "", "a column name should stand here"),
        ("`a b` INT", "`a b`", "cannot be the name"),
        ("a", "", "a type should stand here"),
        ("a INT COMMENT b", "b", "in quotes"),
    ],
)
def test_errors_point_at_their_place(text: str, pointed: str, message: str) -> None:
    with pytest.raises(SchemaError, match=message) as caught:
        read_ddl(text, stream="s")
    span = caught.value.span
    assert span and text[span.start : span.end] == pointed


@pytest.mark.parametrize("type", ["MAP<STRING, INT>", "BINARY", "VARIANT"])
def test_types_without_text_are_not_supported(type: str) -> None:
    with pytest.raises(UnsupportedError):
        column(type)


def test_depth_is_bounded() -> None:
    with pytest.raises(MillstreamError, match="nests more than"):
        column("STRUCT<a " * 500)
