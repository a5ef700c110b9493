"""Schemas as stored JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from millstream.errors import SchemaError
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType
from millstream.model.schema_json import schema_from_json, schema_to_json
from tests.model.schemas import schemas


@given(schemas)
def test_every_schema_survives_storage(schema: Schema) -> None:
    assert schema_from_json(json.loads(json.dumps(schema_to_json(schema)))) == schema


def test_defaults_are_left_out() -> None:
    child = Element("b", Occurs.MANY, type=ValueType.INTEGER)
    schema = Schema("r", Element("a", content=Content.NESTED, children=(child,)))
    expected = {
        "root": "r",
        "item": {
            "name": "a",
            "content": "nested",
            "children": [{"name": "b", "occurs": "*", "type": "integer"}],
        },
    }
    assert schema_to_json(schema) == expected


@pytest.mark.parametrize(
    "stored", [{}, {"root": "r", "item": {}}, {"root": "r", "item": {"name": "a", "occurs": "!"}}]
)
def test_other_json_is_refused(stored: dict[str, object]) -> None:
    with pytest.raises(SchemaError, match="stored schema"):
        schema_from_json(stored)
