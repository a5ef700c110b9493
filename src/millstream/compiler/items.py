"""The items that an expression gives: what is known of each, and the SQL that holds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from millstream.algebra.expressions import Literal
from millstream.compiler import names
from millstream.compiler.columns import text_field
from millstream.model.layout import view_name
from millstream.model.schema import Content, Element, Path, ValueType


@dataclass(frozen=True, slots=True)
class Node:
    """An element of a row, null if absent."""

    sql: str
    element: Element
    views: str | None = None
    """The SQL before the names of typed views, if the views of its item are at hand."""
    path: Path = ()
    """Where it stands below its item; only meant where there are views."""

    @property
    def is_leaf(self) -> bool:
        return self.element.content is Content.LEAF

    @property
    def type(self) -> ValueType:
        return self.element.type if self.is_leaf else ValueType.TEXT

    @property
    def view(self) -> str | None:
        """The typed view of its text."""
        if self.views is None or not self.is_leaf or self.type is ValueType.TEXT:
            return None
        return self.views + names.identifier(view_name(self.path))

    @property
    def text(self) -> str:
        """The text of a leaf."""
        return text_field(self.sql, self.element)


class Role(Enum):
    """Where a text stands."""

    ATTRIBUTE = "attribute"
    TEXT = "text"
    """Between tags."""
    VALUE = "value"
    """By itself: the atomized text of a node."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """A text of the data with the type that its schema gives to it, null if absent."""

    sql: str
    type: ValueType
    role: Role
    name: str = ""
    view: str | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """An atomic value that was computed or given, null for none; without a type a truth value.

    A truth value is never null.
    """

    sql: str
    type: ValueType | None
    literal: Literal | None = None


@dataclass(frozen=True, slots=True)
class Markup:
    """A constructed element as XML text."""

    sql: str
    name: str


Item = Node | Lexical | Value | Markup


def truth_value(sql: str) -> Value:
    """A truth value from SQL that is never null."""
    return Value(sql, None)


def is_node(item: Item) -> bool:
    """True for an element, an attribute or a text node."""
    return not (isinstance(item, Value) or (isinstance(item, Lexical) and item.role is Role.VALUE))
