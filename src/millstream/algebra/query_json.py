"""Queries as plain JSON values, to be stored and read back exactly.

A node is an object of its class's name and its fields; what has its default is left out. A scan
names its stream only: the schema is the stream's, wherever the query is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from decimal import Decimal
from enum import Enum
from typing import Any, get_args

from millstream.algebra.expressions import Expression, NewAttribute, Step, TupleColumn
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Operator,
    Query,
    Scan,
)
from millstream.algebra.tag_operators import Likeness, TagVariable, TupleAggregation
from millstream.errors import StateError
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.model.tags.mode import Mode
from millstream.model.tags.sign import Sign
from millstream.model.window import EndRule, WindowKind, WindowSpec

KIND = "is"
"""The field that holds the name of a node's class."""

_NODES: tuple[type[Any], ...] = (
    *get_args(Expression),
    *get_args(Operator),
    Step,
    NewAttribute,
    TupleColumn,
    TagVariable,
    TupleAggregation,
    Aggregation,
    Construct,
    Query,
    WindowSpec,
    Element,
    Attribute,
)
_ENUMS: tuple[type[Enum], ...] = (
    AggregateFunction,
    ValueType,
    Occurs,
    Content,
    EndRule,
    WindowKind,
    Likeness,
    Mode,
    Sign,
)
_CLASSES: Mapping[str, type[Any]] = {each.__name__: each for each in (*_NODES, *_ENUMS)}

SchemaOf = Callable[[str], Schema]
"""The schema of a stream, by its name."""


def query_to_json(query: Query) -> dict[str, Any]:
    """A query as JSON values."""
    content: dict[str, Any] = _encoded(query)
    return content


def query_from_json(content: Mapping[str, Any], schema_of: SchemaOf) -> Query:
    """The query that `query_to_json` wrote, over the streams as they are now."""
    try:
        query = _decoded(content, schema_of)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise StateError(f"a stored query cannot be read: {error}", code="query") from error
    if not isinstance(query, Query):
        raise StateError("a stored query cannot be read: it is no query", code="query")
    return query


def _encoded(value: Any) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case tuple():
            return [_encoded(each) for each in value]
        case Decimal() | float():
            return {KIND: type(value).__name__, "value": str(value)}
        case Enum():
            return {KIND: type(value).__name__, "value": value.value}
        case Scan(stream, variable):
            return {KIND: "Scan", "stream": stream, "variable": variable}
        case _:
            return {KIND: type(value).__name__, **_fields(value)}


def _fields(node: Any) -> dict[str, Any]:
    return {
        each.name: _encoded(value)
        for each in fields(node)
        if (value := getattr(node, each.name)) != each.default or each.default is MISSING
    }


def _decoded(content: Any, schema_of: SchemaOf) -> Any:
    if isinstance(content, list):
        return tuple(_decoded(each, schema_of) for each in content)
    if not isinstance(content, Mapping):
        return content
    match content[KIND]:
        case "Decimal":
            return Decimal(content["value"])
        case "float":
            return float(content["value"])
        case "Scan":
            stream = content["stream"]
            return Scan(stream, content["variable"], schema_of(stream))
        case name:
            kind = _CLASSES[name]
    if issubclass(kind, Enum):
        return kind(content["value"])
    known = {each.name for each in fields(kind)}
    return kind(**{key: _decoded(each, schema_of) for key, each in content.items() if key in known})
