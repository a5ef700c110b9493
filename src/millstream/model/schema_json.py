"""Schemas as plain JSON values, to be stored and read back exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from millstream.errors import SchemaError
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """A schema as JSON values; what has its default is left out."""
    return {"root": schema.root, "item": _element_to_json(schema.item)}


def schema_from_json(fields: Mapping[str, Any]) -> Schema:
    """The schema that `schema_to_json` wrote."""
    try:
        return Schema(str(fields["root"]), _element_from_json(fields["item"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SchemaError(f"the stored schema cannot be read: {error}") from error


def _element_to_json(element: Element) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": element.name}
    if element.occurs is not Occurs.ONE:
        fields["occurs"] = element.occurs.value
    if element.content is not Content.LEAF:
        fields["content"] = element.content.value
    if element.type is not ValueType.TEXT:
        fields["type"] = element.type.value
    if element.attributes:
        fields["attributes"] = [_attribute_to_json(each) for each in element.attributes]
    if element.children:
        fields["children"] = [_element_to_json(child) for child in element.children]
    return fields


def _attribute_to_json(attribute: Attribute) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": attribute.name}
    if attribute.type is not ValueType.TEXT:
        fields["type"] = attribute.type.value
    if attribute.required:
        fields["required"] = True
    return fields


def _element_from_json(fields: Mapping[str, Any]) -> Element:
    return Element(
        name=str(fields["name"]),
        occurs=Occurs(fields.get("occurs", "")),
        content=Content(fields.get("content", "leaf")),
        children=tuple(_element_from_json(child) for child in fields.get("children", ())),
        attributes=tuple(_attribute_from_json(each) for each in fields.get("attributes", ())),
        type=ValueType(fields.get("type", "text")),
    )


def _attribute_from_json(fields: Mapping[str, Any]) -> Attribute:
    return Attribute(
        name=str(fields["name"]),
        type=ValueType(fields.get("type", "text")),
        required=bool(fields.get("required", False)),
    )
