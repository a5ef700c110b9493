"""The effective boolean value of a sequence."""

from __future__ import annotations

from millstream.compiler.items import Item, Lexical, Value, is_node
from millstream.compiler.sequences import Choice, Items, exists, leaves, present, some
from millstream.model.schema import ValueType


def truth_of(items: Items) -> str:
    """True for nodes, a number other than 0 and NaN, a text with characters; never null."""
    if all(is_node(leaf) for leaf in leaves(items)):
        return exists(items)
    if isinstance(items, Choice):
        then, otherwise = truth_of(items.then), truth_of(items.otherwise)
        return f"if({items.condition}, {then}, {otherwise})"
    return some(items, _is_true)


def _is_true(item: Item) -> str:
    match item:
        case Lexical(sql) if not is_node(item):
            return f"coalesce({sql} <> '', false)"
        case Value(sql, None):
            return sql
        case Value(sql, ValueType.TEXT):
            return f"coalesce({sql} <> '', false)"
        case Value(sql, ValueType.DOUBLE):
            return f"coalesce({sql} <> 0D AND NOT isnan({sql}), false)"
        case Value(sql, ValueType.INTEGER | ValueType.DECIMAL):
            return f"coalesce({sql} <> 0, false)"
        case _:
            return present(item)
