"""Distinct values of a sequence, in order of first appearance."""

from __future__ import annotations

from collections.abc import Callable

from millstream.compiler import conversions
from millstream.compiler.items import Item, Lexical, Role
from millstream.compiler.sequences import Chain, Choice, Items, Loop, gather, lambda_name
from millstream.compiler.totals import common_type
from millstream.model.schema import ValueType

_KEYS: dict[ValueType, tuple[str, Callable[[Item], str]]] = {
    ValueType.INTEGER: ("BIGINT", conversions.integer),
    ValueType.DECIMAL: ("DOUBLE", conversions.double),
    ValueType.DOUBLE: ("DOUBLE", conversions.double),
    ValueType.TIME: ("TIMESTAMP", conversions.instant),
    ValueType.TEXT: ("STRING", conversions.trimmed),
}


def distinct_values(items: Items, depth: int) -> Items:
    """Each value once, as it was first written; what has no value of its type is like no other."""
    if not isinstance(items, Loop | Chain | Choice):
        return items
    type = common_type(items)
    key_type, key = _KEYS[type]
    entry_type = f"STRUCT<key: {key_type}, text: STRING>"

    def entry(item: Item) -> str:
        shown = conversions.text(item)
        return f"if({shown} IS NULL, NULL, named_struct('key', {key(item)}, 'text', {shown}))"

    known = "exists(kept, other -> other.key = entry.key)"
    kept = (
        f"aggregate({gather(items, entry, entry_type)}, CAST(array() AS ARRAY<{entry_type}>),"
        f" (kept, entry) -> if({known}, kept, concat(kept, array(entry))))"
    )
    each = lambda_name(depth)
    return Loop(kept, each, Lexical(f"{each}.text", type, Role.VALUE))
