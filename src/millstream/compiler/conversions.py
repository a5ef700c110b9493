"""An item as text, number, instant or truth value: SQL that is null where it stands for none."""

from __future__ import annotations

from decimal import Decimal

from millstream.compiler import names
from millstream.compiler.columns import field, text_field
from millstream.compiler.items import Item, Lexical, Markup, Node, Value
from millstream.compiler.numbers import (
    decimal_of,
    double_of,
    exact_of,
    integer_of,
    matched,
    number_text,
)
from millstream.model.schema import Content, Element, ValueType
from millstream.model.values import XML_SPACE, format_number, parse_instant, parse_value

TIME_MARK = "\x01"
"""Stands between an instant and its text where a partial aggregate keeps both."""

_DATE = "(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?"
_MIDNIGHT = "24:00(?::00(?:\\.0{1,9})?)?"
_ZONE = "(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)?"
_INSTANT = f"{_DATE}(?:[T ](?:{_CLOCK}|{_MIDNIGHT}){_ZONE})?"
# What ISO 8601 allows and Spark does not read: 24:00, no seconds before a zone, +02, +0200.
_REWRITTEN = (
    ("[T ]24:", "T00:"),
    ("([T ][0-9]{2}:[0-9]{2})(?!:)", "$1:00"),
    ("(:[0-9.]+[+-][0-9]{2})$", "$1:00"),
    ("([+-][0-9]{2})([0-9]{2})$", "$1:$2"),
)


def type_of(item: Item) -> ValueType | None:
    """The type of an item's value; None for a truth value."""
    return ValueType.TEXT if isinstance(item, Markup) else item.type


def text(item: Item) -> str:
    """An item as it prints; the text of the data as it was written."""
    match item:
        case Node():
            return _string_value(item.sql, item.element, 0)
        case Lexical(sql):
            return sql
        case Markup(sql):
            return _text_in(sql)
        case Value(literal=literal) if literal is not None:
            return names.string(literal_text(literal.value))
        case Value(sql, type):
            return _value_text(sql, type)


def _value_text(sql: str, type: ValueType | None) -> str:
    match type:
        case None:
            return f"CAST({sql} AS STRING)"
        case ValueType.TEXT:
            return sql
        case ValueType.TIME:
            return f"substring_index(CAST({sql} AS STRING), {names.string(TIME_MARK)}, -1)"
        case _:
            return number_text(sql, type)


def trimmed(item: Item) -> str:
    """The text that is compared: that of the data is trimmed, other text is as it is."""
    if isinstance(item, Value):
        return text(item)
    return f"btrim({text(item)}, {names.string(XML_SPACE)})"


def integer(item: Item) -> str:
    """The bigint that an item of type integer holds."""
    match item:
        case Node(view=str(view)) | Lexical(view=str(view)):
            return view
        case Value(sql, literal=literal):
            return sql if literal is not None else f"try_cast({sql} AS BIGINT)"
        case _:
            return integer_of(text(item))


def double(item: Item) -> str:
    """The double that an item stands for."""
    match item:
        case Value(literal=literal) if literal is not None:
            return _literal_double(literal.value)
        case Value(sql, type) if type is not None and type.numeric:
            return f"CAST({sql} AS DOUBLE)"
        case Value(type=None):
            return "CAST(NULL AS DOUBLE)"
    match type_of(item):
        case ValueType.INTEGER:
            return f"CAST({integer(item)} AS DOUBLE)"
        case ValueType.DECIMAL:
            return _view(item) or decimal_of(text(item))
        case ValueType.DOUBLE:
            return _view(item) or double_of(text(item))
        case _:
            return double_of(text(item))


def exact(item: Item) -> str:
    """The decimal(38,18) that an item of type integer or decimal holds."""
    if isinstance(item, Value):
        literal = item.literal
        if literal is not None and isinstance(literal.value, int | Decimal):
            return names.exact(Decimal(literal.value))
        return f"try_cast({item.sql} AS DECIMAL(38,18))"
    if type_of(item) is ValueType.INTEGER:
        return f"try_cast({integer(item)} AS DECIMAL(38,18))"
    return exact_of(text(item))


def instant(item: Item) -> str:
    """The timestamp that an item stands for."""
    match item:
        case Value(literal=literal) if literal is not None:
            return _literal_instant(str(literal.value))
        case Value(sql, ValueType.TIME):
            kept = f"substring_index(CAST({sql} AS STRING), {names.string(TIME_MARK)}, 1)"
            return f"try_cast({kept} AS TIMESTAMP)"
        case _:
            return _view(item) or _instant_of(text(item))


def sortable_time(item: Item) -> str:
    """A text that sorts by an item's instant and ends with the item's own text, trimmed."""
    shown = f"date_format({instant(item)}, 'yyyy-MM-dd HH:mm:ss.SSSSSS')"
    return f"concat({shown}, {names.string(TIME_MARK)}, {trimmed(item)})"


def truth(item: Item) -> str:
    """The truth value that an item is compared as."""
    if isinstance(item, Value) and item.type is None:
        return item.sql
    return f"try_cast({matched(trimmed(item), 'true|false|0|1')} AS BOOLEAN)"


def literal_text(value: int | Decimal | float | str | bool) -> str:
    """A constant as it prints."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else format_number(value)


def _view(item: Item) -> str | None:
    return item.view if isinstance(item, Node | Lexical) else None


def _literal_double(value: int | Decimal | float | str | bool) -> str:
    if isinstance(value, bool):
        return "CAST(NULL AS DOUBLE)"
    if not isinstance(value, str):
        return names.double(names.nearest_double(value))
    try:
        return names.double(float(parse_value(value, ValueType.DOUBLE)))  # type: ignore[arg-type]
    except ValueError:
        return "CAST(NULL AS DOUBLE)"


def _literal_instant(value: str) -> str:
    try:
        return names.timestamp(parse_instant(value))
    except ValueError:
        return "CAST(NULL AS TIMESTAMP)"


def _instant_of(text: str) -> str:
    # A cast alone would read '10:30' as a time of today.
    time = matched(text, _INSTANT)
    for pattern, replacement in _REWRITTEN:
        time = f"regexp_replace({time}, {names.string(pattern)}, {names.string(replacement)})"
    days = f"if({text} RLIKE '[T ]24:', 1, 0)"
    return f"timestampadd(DAY, {days}, try_cast({time} AS TIMESTAMP))"


def _string_value(sql: str, element: Element, depth: int) -> str:
    """All text inside an element of a row."""
    match element.content:
        case Content.LEAF:
            return text_field(sql, element)
        case Content.RAW:
            return _text_in(sql)
    parts = [_child_text(sql, child, depth) for child in element.children]
    return f"if({sql} IS NULL, NULL, concat({', '.join(parts) or repr('')}))"


def _child_text(sql: str, child: Element, depth: int) -> str:
    below = field(sql, child.name)
    if not child.repeated:
        return f"coalesce({_string_value(below, child, depth)}, '')"
    name = f"part_{depth}"
    each = _string_value(name, child, depth + 1)
    return f"coalesce(array_join(transform({below}, {name} -> {each}), ''), '')"


def _text_in(xml: str) -> str:
    return f"xpath_string({xml}, 'string(/*)')"
