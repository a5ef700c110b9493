"""Values that are Avro: read by the schema that they were written with, written down as JSON."""

from __future__ import annotations

import base64
import io
import json
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

import fastavro
from fastavro.schema import SchemaParseException, UnknownType

from millstream.errors import SchemaError, UnsupportedError
from millstream.runtime.kafka.json_values import JsonFramer
from millstream.runtime.kafka.record import Framing, Record, Refusal

REGISTRY_HEAD = 5
"""A zero and four bytes of a number stand before values whose schema a registry knows."""
_SCALARS = {
    "null": "string",
    "boolean": "boolean",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "bytes": "string",
    "string": "string",
    "fixed": "string",
    "enum": "string",
}
_TIMES = ("date", "timestamp-millis", "timestamp-micros", "timestamp-nanos")
_DEEPEST = 32


class AvroFramer(JsonFramer):
    """Writes down values that are a record in Avro."""

    def __init__(self, framing: Framing) -> None:
        super().__init__(framing)
        self._registered = framing.registered
        self._schema = parsed(framing.avro)

    def __call__(self, record: Record) -> bytes:
        """The lines of a record, or Refusal."""
        assert record.value is not None, "a record without a value is refused before"
        content = self._read(record.value)
        return self.lines(record, json.dumps(content, default=_plain, ensure_ascii=False).encode())

    def _read(self, value: bytes) -> Any:
        if self._registered:
            if value[:1] != b"\0" or len(value) < REGISTRY_HEAD:
                raise Refusal("no number of a schema stands before the value")
            value = value[REGISTRY_HEAD:]
        data = io.BytesIO(value)
        try:
            content = fastavro.schemaless_reader(data, self._schema, None)
        except Exception as error:  # whatever bytes do to a reader, they are no value
            reason = str(error) or type(error).__name__
            raise Refusal(f"not Avro of this schema: {reason}") from None
        if data.read(1):
            raise Refusal("not Avro of this schema: bytes are left behind the value")
        return content


def is_avro(text: str) -> bool:
    """True for the schema of a record in Avro."""
    try:
        content = json.loads(text)
    except ValueError:
        return False
    return isinstance(content, dict) and content.get("type") == "record" and "fields" in content


@lru_cache(maxsize=16)
def parsed(text: str) -> Any:
    """A schema of Avro; SchemaError where it is none."""
    try:
        return fastavro.parse_schema(json.loads(text))
    except (ValueError, SchemaParseException, UnknownType, KeyError, TypeError) as error:
        raise SchemaError(f"the Avro schema cannot be read: {error}") from None


def json_schema(text: str) -> str:
    """The JSON Schema of the objects that values of an Avro schema are written down as."""
    parsed(text)
    named: dict[str, Any] = {}
    return json.dumps(_described(json.loads(text), named, "", 0))


def _described(schema: Any, named: dict[str, Any], space: str, depth: int) -> dict[str, Any]:
    if depth > _DEEPEST:
        raise UnsupportedError("the Avro schema holds itself: items have an end", code="avro")
    match schema:
        case str():
            known = named.get(schema) or named.get(f"{space}.{schema}")
            if known is not None:
                return _described(known, named, space, depth + 1)
            return {"type": _SCALARS[schema]}
        case list():
            others = [each for each in schema if each != "null"]
            if len(others) != 1:
                raise UnsupportedError(
                    "a field of the Avro schema may be of several types", code="avro"
                )
            return _described(others[0], named, space, depth)
    return _complex(schema, named, space, depth)


def _complex(schema: Any, named: dict[str, Any], space: str, depth: int) -> dict[str, Any]:
    kind = schema["type"]
    space = schema.get("namespace", space)
    if "name" in schema:
        named[schema["name"]] = named[f"{space}.{schema['name']}"] = schema
    if schema.get("logicalType") in _TIMES:
        return {"type": "string", "format": "date-time"}
    if schema.get("logicalType") == "decimal":
        return {"type": "number"}
    match kind:
        case "record":
            fields = schema["fields"]
            return {
                "type": "object",
                "properties": {
                    each["name"]: _described(each["type"], named, space, depth + 1)
                    for each in fields
                },
                "required": [each["name"] for each in fields if not _optional(each["type"])],
            }
        case "array":
            return {"type": "array", "items": _described(schema["items"], named, space, depth + 1)}
        case "map":
            raise UnsupportedError("maps of Avro have no names that a path could tell", code="avro")
        case "enum" | "fixed":
            return {"type": "string"}
    return _described(kind, named, space, depth)


def _optional(type: Any) -> bool:
    return type == "null" or (isinstance(type, list) and "null" in type)


def _plain(value: Any) -> str:
    """What JSON has no form for, as text."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date | time):
        return value.isoformat()
    assert isinstance(value, Decimal | UUID), f"Avro gave a {type(value).__name__}"
    return str(value)
