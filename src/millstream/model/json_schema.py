"""A JSON Schema, read as the schema of a stream."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from millstream.errors import SchemaError, Span
from millstream.model.limits import check_elements, check_length
from millstream.model.names import is_name
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType

Node = Mapping[str, Any]
Place = tuple[str, ...]

_TIME_FORMATS = ("date-time", "date")
_SCALARS = {
    "string": ValueType.TEXT,
    "boolean": ValueType.TEXT,
    "integer": ValueType.INTEGER,
    "number": ValueType.DOUBLE,
}


def read_json_schema(text: str, *, stream: str, item: str | None = None) -> Schema:
    """The schema of a stream of JSON objects; an array of objects describes its items."""
    check_length(text)
    try:
        return Schema(stream, _Reader(text, _document(text)).item(item or "item"))
    except SchemaError as error:
        error.with_text(text)
        raise
    except RecursionError:
        raise SchemaError("the JSON Schema is nested too deeply") from None


def _document(text: str) -> Node:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise SchemaError(
            f"the JSON Schema cannot be read: {error.msg[:1].lower()}{error.msg[1:]}",
            span=Span(error.pos, error.pos + 1),
        ) from None
    if not isinstance(document, dict):
        raise SchemaError("a JSON Schema is an object")
    return document


@dataclass(slots=True)
class _Reader:
    """One JSON Schema, while it is made into an element."""

    text: str
    document: Node
    built: int = 0

    def item(self, name: str) -> Element:
        element = self._element(name, self.document, (), required=True, trail=())
        if element.content is Content.LEAF:
            raise self._error("the items of a stream must be objects", ())
        return replace(element, occurs=Occurs.ONE)

    def _element(
        self, name: str, node: Any, place: Place, *, required: bool, trail: tuple[str, ...]
    ) -> Element:
        """The element that a schema describes; `trail` holds the references followed so far."""
        self.built += 1
        check_elements(self.built)
        node, trail = self._resolve(node, place, trail)
        kind, nullable = self._kind(node, place)
        once = Occurs.ONE if required and not nullable else Occurs.OPTIONAL
        if kind == "object":
            return self._object(name, node, place, once, trail)
        if kind == "array":
            return self._array(name, node, place, once, trail)
        return Element(name, once, type=_scalar(kind, node))

    def _object(
        self, name: str, node: Node, place: Place, occurs: Occurs, trail: tuple[str, ...]
    ) -> Element:
        properties = node.get("properties")
        if not isinstance(properties, dict) or not properties:
            raise self._error("an object needs properties", place)
        required = _listed(node, "required")
        for key in properties:
            if not is_name(key):
                raise self._error(f"property '{key}' cannot be the name of an element", place)
        children = tuple(
            self._element(key, each, (*place, key), required=key in required, trail=trail)
            for key, each in properties.items()
        )
        return Element(name, occurs, Content.NESTED, children)

    def _array(
        self, name: str, node: Node, place: Place, occurs: Occurs, trail: tuple[str, ...]
    ) -> Element:
        items = node.get("items")
        if not isinstance(items, dict) or "prefixItems" in node:
            raise self._error("an array needs one schema for all its items", place)
        element = self._element(name, items, place, required=True, trail=trail)
        if element.repeated:
            raise self._error("an array of arrays has no element for the inner ones", place)
        never_empty = occurs is Occurs.ONE and node.get("minItems", 0) != 0
        return replace(element, occurs=Occurs.SOME if never_empty else Occurs.MANY)

    def _resolve(
        self, node: Any, place: Place, trail: tuple[str, ...]
    ) -> tuple[Node, tuple[str, ...]]:
        if not isinstance(node, dict):
            raise self._error("a schema must be an object", place)
        option = _only_option(node)
        if option is not None:
            inner, trail = self._resolve(option, place, trail)
            return _nullable(inner), trail
        reference = node.get("$ref")
        if reference is None:
            return node, trail
        if reference in trail:
            raise self._error(f"{reference} contains itself", place)
        target = self._target(str(reference), place)
        return self._resolve(target, place, (*trail, reference))

    def _target(self, reference: str, place: Place) -> Any:
        if not reference.startswith("#"):
            raise self._error(f"{reference} stands in another document, which is not read", place)
        target: Any = self.document
        for step in filter(None, reference[1:].split("/")):
            key = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(target, dict) or key not in target:
                raise self._error(f"{reference} leads nowhere", place)
            target = target[key]
        return target

    def _kind(self, node: Node, place: Place) -> tuple[str, bool]:
        """The one kind of value that a schema allows, and whether null is allowed as well."""
        for word in ("oneOf", "anyOf", "allOf", "not", "patternProperties", "if"):
            if word in node:
                raise self._error(f"{word} is a mixture that has no single shape", place)
        kinds = _kinds(node)
        named = [kind for kind in kinds if kind != "null"]
        if len(named) > 1:
            raise self._error(f"a value that is {' or '.join(named)} has no single type", place)
        if not named:
            raise self._error("no type is given", place)
        if named[0] not in (*_SCALARS, "object", "array"):
            raise self._error(f"there is no type {named[0]}", place)
        return named[0], "null" in kinds

    def _error(self, reason: str, place: Place) -> SchemaError:
        where = "/".join(place) or "the top"
        return SchemaError(f"{reason} (at {where})", span=self._span(place))

    def _span(self, place: Place) -> Span | None:
        key = f'"{place[-1]}"' if place else ""
        if not key or self.text.count(key) != 1:
            return None
        start = self.text.index(key)
        return Span(start, start + len(key))


def _only_option(node: Node) -> Any:
    """X of anyOf or oneOf [X, null], the usual way to write an optional value."""
    options = node.get("anyOf", node.get("oneOf"))
    if not isinstance(options, list) or len(options) != 2 or {"type": "null"} not in options:
        return None
    return next((option for option in options if option != {"type": "null"}), None)


def _nullable(node: Node) -> Node:
    return {**node, "type": [*_kinds(node), "null"]}


def _kinds(node: Node) -> list[str]:
    kinds = node.get("type")
    if kinds is None:
        return _implied(node)
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else [str(kinds)]


def _listed(node: Node, key: str) -> list[Any]:
    values = node.get(key)
    return values if isinstance(values, list) else []


def _implied(node: Node) -> list[str]:
    if "properties" in node:
        return ["object"]
    if "items" in node:
        return ["array"]
    values = [node["const"]] if "const" in node else _listed(node, "enum")
    return list(dict.fromkeys(_kind_of(value) for value in values))


def _kind_of(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return kinds.get(type(value), "object")


def _scalar(kind: str, node: Node) -> ValueType:
    if kind == "string" and node.get("format") in _TIME_FORMATS:
        return ValueType.TIME
    return _SCALARS[kind]
