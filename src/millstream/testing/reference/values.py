"""Atomic values: what stands in a node, as a number, an instant, a text or a truth value."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from millstream.errors import QueryError
from millstream.model.schema import ValueType
from millstream.model.values import format_number, parse_instant, parse_value
from millstream.testing.reference.nodes import (
    XML_SPACE,
    AttributeNode,
    ElementNode,
    Node,
    TextNode,
    string_value,
)


@dataclass(frozen=True, slots=True)
class Lexical:
    """The text of a node, with the type that the schema gives to it."""

    text: str
    type: ValueType

    @property
    def trimmed(self) -> str:
        return self.text.strip(XML_SPACE)


Number = int | Decimal | float
Atomic = bool | Number | str | Lexical
Value = Node | Atomic
Values = tuple[Value, ...]

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": python.eq,
    "!=": python.ne,
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
}


def is_node(value: Value) -> bool:
    """True for an element, attribute or text node."""
    return isinstance(value, ElementNode | AttributeNode | TextNode)


def atomize(values: Values) -> tuple[Atomic, ...]:
    """The values with each node replaced by its text."""
    return tuple(_atom(value) for value in values)


def truth(values: Values) -> bool:
    """The effective boolean value of a sequence."""
    if not values:
        return False
    if is_node(values[0]):
        return True
    if len(values) > 1:
        raise QueryError("a sequence of several atomic values has no truth value")
    (value,) = atomize(values)
    if isinstance(value, Lexical):
        return value.text != ""
    return bool(value) and value == value


def as_text(value: Atomic) -> str:
    """The value as it prints; a node's text stays as it was written."""
    match value:
        case Lexical():
            return value.text
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case _:
            return format_number(value)


def as_number(value: Atomic) -> int | float | None:
    """The value as an integer if it is one, else as a double; None if it is no number."""
    match value:
        case bool():
            return None
        case int() | float():
            return value
        case Decimal():
            return float(value)
        case Lexical() if value.type.numeric:
            return _int_or_double(_parsed(value.text, value.type))
        case _:
            return _int_or_double(_parsed(as_text(value), ValueType.DOUBLE))


def as_exact(value: Atomic) -> Decimal | None:
    """The value of an integer or decimal without loss; None if it is no such number."""
    match value:
        case bool() | float() | str():
            return None
        case int() | Decimal():
            return Decimal(value)
        case Lexical(type=ValueType.INTEGER | ValueType.DECIMAL):
            number = _parsed(value.text, value.type)
            return None if number is None else Decimal(number)
        case Lexical():
            return None


def as_instant(value: Atomic) -> datetime | None:
    """The instant that a text stands for."""
    try:
        return parse_instant(as_text(value))
    except ValueError:
        return None


def is_related(comparison: str, left: Atomic, right: Atomic) -> bool:
    """True if the two values are comparable and so related."""
    one, other = _comparable(left, right)
    return one is not None and other is not None and COMPARISONS[comparison](one, other)


def is_numeric(value: Atomic) -> bool:
    """True for a number and for the text of a node of numeric type."""
    return _is_number(value) or (isinstance(value, Lexical) and value.type.numeric)


def _comparable(left: Atomic, right: Atomic) -> tuple[Any, Any]:
    if isinstance(left, bool) or isinstance(right, bool):
        return _as_truth(left), _as_truth(right)
    if _is_number(left) or _is_number(right) or (is_numeric(left) and is_numeric(right)):
        return _as_same_numbers(as_number(left), as_number(right))
    if (_is_time(left) and _may_be_time(right)) or (_is_time(right) and _may_be_time(left)):
        return as_instant(left), as_instant(right)
    return _trimmed(left), _trimmed(right)


def _as_same_numbers(left: int | float | None, right: int | float | None) -> tuple[Any, Any]:
    if left is None or right is None or (isinstance(left, int) and isinstance(right, int)):
        return left, right
    return float(left), float(right)


def _as_truth(value: Atomic) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "1": True, "false": False, "0": False}.get(_trimmed(value))


def _is_number(value: Atomic) -> bool:
    return isinstance(value, int | Decimal | float) and not isinstance(value, bool)


def _is_time(value: Atomic) -> bool:
    return isinstance(value, Lexical) and value.type is ValueType.TIME


def _may_be_time(value: Atomic) -> bool:
    return isinstance(value, str) or _is_time(value)


def _int_or_double(number: Number | None) -> int | float | None:
    return float(number) if isinstance(number, Decimal) else number


def _parsed(text: str, value_type: ValueType) -> Any:
    """The value of a text, or None: text that is no number takes no part in anything."""
    try:
        return parse_value(text, value_type)
    except ValueError:
        return None


def _trimmed(value: Atomic) -> str:
    """The text that is compared: a node's is trimmed, a literal stays as it is."""
    return value.trimmed if isinstance(value, Lexical) else as_text(value)


def _atom(value: Value) -> Atomic:
    match value:
        case ElementNode() | AttributeNode() | TextNode():
            return Lexical(string_value(value), value.type)
        case _:
            return value
