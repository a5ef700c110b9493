"""Schemas from JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from millstream.errors import SchemaError
from millstream.model.json_schema import read_json_schema
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType


def read(document: dict[str, Any]) -> Schema:
    return read_json_schema(json.dumps(document), stream="alerts")


def field(
    schema: dict[str, Any], *, required: bool = True, definitions: dict[str, Any] | None = None
) -> Element:
    """The element of a property called f."""
    document = {
        "type": "object",
        "properties": {"f": schema},
        "required": ["f"] if required else [],
        "$defs": definitions or {},
    }
    return read(document).item.children[0]


def test_the_stream_is_the_root_and_item_the_item() -> None:
    schema = read({"type": "object", "properties": {"f": {"type": "string"}}})
    expected = Element("item", content=Content.NESTED, children=(Element("f", Occurs.OPTIONAL),))
    assert schema == Schema("alerts", expected)


def test_the_item_may_have_a_name() -> None:
    text = '{"properties": {"f": {"type": "string"}}}'
    assert read_json_schema(text, stream="alerts", item="alert").item.name == "alert"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, ValueType.TEXT),
        ({"type": "boolean"}, ValueType.TEXT),
        ({"type": "integer"}, ValueType.INTEGER),
        ({"type": "number"}, ValueType.DOUBLE),
        ({"type": "string", "format": "date-time"}, ValueType.TIME),
        ({"type": "string", "format": "date"}, ValueType.TIME),
        ({"type": "string", "format": "email"}, ValueType.TEXT),
        ({"enum": ["north", "south"]}, ValueType.TEXT),
        ({"const": 5}, ValueType.INTEGER),
    ],
)
def test_scalars_have_types(schema: dict[str, Any], expected: ValueType) -> None:
    assert field(schema) == Element("f", type=expected)


@pytest.mark.parametrize(
    ("schema", "required", "expected"),
    [
        ({"type": "string"}, True, Occurs.ONE),
        ({"type": "string"}, False, Occurs.OPTIONAL),
        ({"type": ["string", "null"]}, True, Occurs.OPTIONAL),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, True, Occurs.OPTIONAL),
        ({"type": "array", "items": {"type": "string"}}, True, Occurs.MANY),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, True, Occurs.SOME),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, False, Occurs.MANY),
    ],
)
def test_occurrence_follows_required_null_and_arrays(
    schema: dict[str, Any], required: bool, expected: Occurs
) -> None:
    assert field(schema, required=required).occurs is expected


def test_references_are_followed_wherever_they_stand() -> None:
    point = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
    array = {"type": "array", "items": {"$ref": "#/$defs/point"}}
    element = field(array, definitions={"point": point})
    assert element.children == (Element("x", type=ValueType.DOUBLE),)


def test_an_array_of_objects_describes_its_items() -> None:
    schema = read({"type": "array", "items": {"properties": {"f": {"type": "string"}}}})
    assert schema.item.occurs is Occurs.ONE


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (
            {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
            "array of arrays",
        ),
        ({"type": "array"}, "one schema for all its items"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "oneOf is a mixture"),
        ({"type": ["string", "integer"]}, "string or integer has no single type"),
        ({"type": "object"}, "an object needs properties"),
        ({"type": "object", "properties": {"a b": {"type": "string"}}}, "'a b' cannot be the name"),
        ({"$ref": "#"}, "# contains itself"),
        ({"$ref": "#/$defs/none"}, "leads nowhere"),
        ({"$ref": "https://example.org/x.json"}, "another document"),
        ({"type": "tuple"}, "no type tuple"),
        ({}, "no type is given"),
        (True, "must be an object"),
    ],
)
def test_what_has_no_shape_is_refused_with_the_reason(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        field(schema)


def test_broken_json_has_a_position() -> None:
    with pytest.raises(SchemaError) as caught:
        read_json_schema('{"type": "object",}', stream="s")
    assert caught.value.to_json()["column"] == 19


def test_a_refused_property_is_pointed_at() -> None:
    text = '{"properties": {"good": {"type": "string"}, "bad": {"type": "array"}}}'
    with pytest.raises(SchemaError) as caught:
        read_json_schema(text, stream="s")
    span = caught.value.span
    assert span and text[span.start : span.end] == '"bad"'


def test_depth_is_bounded() -> None:
    with pytest.raises(SchemaError, match="too deeply"):
        read_json_schema('{"properties":{"a":' * 5_000, stream="s")
