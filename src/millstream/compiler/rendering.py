"""Sequences as text: nodes as XML, atomic values with a space between neighbours.

Values alone are joined by concat_ws. Where values and nodes are mixed, whether two values are
neighbours shows only in the data: each value is put between two marks, which no XML can contain,
and the end of one beside the start of the next becomes a space.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from millstream.compiler import conversions
from millstream.compiler.items import Item, Lexical, Markup, Node, Role
from millstream.compiler.names import string
from millstream.compiler.sequences import Chain, Choice, Items, Loop
from millstream.compiler.serialization import escaped_attribute, escaped_text, node_xml

_START, _END = "\x01", "\x02"


@dataclass(frozen=True, slots=True)
class Argument:
    """A text or (many) an array of texts; nulls in it are no values."""

    sql: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class Texts:
    """Atomic values as printed."""

    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Xml:
    """XML that is never null; with marks, atomic values may stand among the nodes."""

    sql: str
    marked: bool = False


Rendered = Texts | Xml


def content(items: Items) -> Rendered:
    """The items as the content of an element or of a result."""
    return _rendered(items, _content_item)


def attribute_value(items: Items) -> str:
    """The items as part of an attribute's value, never null."""
    return finished(_rendered(items, _attribute_item))


def finished(rendered: Rendered) -> str:
    """The text of a whole enclosed expression, never null."""
    match rendered:
        case Texts((Argument(sql, False),)):
            return f"coalesce({sql}, '')"
        case Texts(()):
            return "''"
        case Texts(arguments):
            return f"concat_ws(' ', {', '.join(each.sql for each in arguments)})"
        case Xml(sql, False):
            return sql
        case Xml(sql):
            spaced = f"replace({sql}, {string(_END + _START)}, ' ')"
            return f"translate({spaced}, {string(_START + _END)}, '')"


def concatenated(parts: list[str]) -> str:
    """Texts one after the other."""
    return parts[0] if len(parts) == 1 else f"concat({', '.join(parts)})" if parts else "''"


def _content_item(item: Item) -> Rendered:
    match item:
        case Node(sql, element):
            return Xml(f"coalesce({node_xml(sql, element)}, '')")
        case Markup(sql):
            return Xml(f"coalesce({sql}, '')")
        case Lexical(sql, role=Role.ATTRIBUTE | Role.TEXT):
            return Xml(f"coalesce({escaped_text(sql)}, '')")
        case _:
            return Texts((Argument(_escaped(item, escaped_text)),))


def _attribute_item(item: Item) -> Rendered:
    return Texts((Argument(_escaped(item, escaped_attribute)),))


def _escaped(item: Item, escape: Callable[[str], str]) -> str:
    type = conversions.type_of(item)
    safe = type is None or (type.numeric and not isinstance(item, Node | Lexical))
    return conversions.text(item) if safe else escape(conversions.text(item))


def _rendered(items: Items, item: Callable[[Item], Rendered]) -> Rendered:
    match items:
        case Loop(array, variable, body):
            return _looped(array, variable, _rendered(body, item))
        case Chain(parts):
            return _chained([_rendered(part, item) for part in parts])
        case Choice(condition, then, otherwise):
            return _chosen(condition, _rendered(then, item), _rendered(otherwise, item))
        case _:
            return item(items)


def _looped(array: str, variable: str, body: Rendered) -> Rendered:
    match body:
        case Texts((Argument(sql, False),)):
            return Texts((Argument(f"transform({array}, {variable} -> {sql})", many=True),))
        case _:
            xml = _marked(body)
            joined = f"array_join(transform({array}, {variable} -> {xml.sql}), '')"
            return Xml(f"coalesce({joined}, '')", xml.marked)


def _chained(parts: list[Rendered]) -> Rendered:
    texts = [part for part in parts if isinstance(part, Texts)]
    if len(texts) == len(parts):
        return Texts(tuple(argument for part in texts for argument in part.arguments))
    xml = [_marked(part) for part in parts]
    return Xml(concatenated([each.sql for each in xml]), any(each.marked for each in xml))


def _chosen(condition: str, then: Rendered, otherwise: Rendered) -> Rendered:
    one, other = _only_text(then), _only_text(otherwise)
    if one and other:
        return Texts((Argument(f"if({condition}, {one}, {other})"),))
    first, second = _marked(then), _marked(otherwise)
    sql = f"if({condition}, {first.sql}, {second.sql})"
    return Xml(sql, first.marked or second.marked)


def _only_text(rendered: Rendered) -> str | None:
    """The text of what is at most one value, nullable."""
    match rendered:
        case Texts((Argument(sql, False),)):
            return sql
        case Texts(()):
            return "CAST(NULL AS STRING)"
        case _:
            return None


def _marked(rendered: Rendered) -> Xml:
    match rendered:
        case Texts(arguments):
            return Xml(
                concatenated([_marked_argument(each) for each in arguments]), bool(arguments)
            )
        case xml:
            return xml


def _marked_argument(argument: Argument) -> str:
    start, end = string(_START), string(_END)
    if not argument.many:
        return f"coalesce(concat({start}, {argument.sql}, {end}), '')"
    each = f"transform({argument.sql}, text -> concat({start}, text, {end}))"
    return f"coalesce(array_join({each}, ''), '')"
