"""How a stream's items lie in rows: the contract of parsers, logs and compiled queries.

A row of a stream's log has these columns:

  position    bigint   the item's place in the stream; grows along the stream, never repeats
  item        struct   the item, as follows
  =a/b/c      the typed view of each leaf that has a type other than text and is not repeated

Element to field: a leaf without attributes is its text; a leaf with attributes is a struct of
'#text' and one '@name' each; a nested element is a struct of '@name' fields and its children in
schema order; a raw element is its XML text, tag included. A repeated element is an array of
these. What is absent is null; an empty leaf is the empty string. A nested element without any
attribute or child is a struct of the single field '#text', which holds the empty string.

A stream between peers also has columns >a/b/c: for each of these views, the highest value that the
original stream had brought before the item, in items that may not be among those of this stream.
They tell, as the views of all items before do for an original stream, what an item is too late for.

View types: integer → bigint, decimal and double → double, time → timestamp in UTC.
Decimal leaves are aggregated from their text, exactly.
"""

from __future__ import annotations

from millstream.model.schema import Leaf, Path, Schema, ValueType

POSITION = "position"
ITEM = "item"
VIEW_PREFIX = "="
PASSED_PREFIX = ">"


def view_name(path: Path) -> str:
    """The column that holds the typed view of a leaf."""
    return VIEW_PREFIX + "/".join(path)


def passed_name(path: Path) -> str:
    """The column that holds how far a leaf had come before the item."""
    return PASSED_PREFIX + "/".join(path)


def viewed_leaves(schema: Schema) -> tuple[Leaf, ...]:
    """The leaves that have a typed view column, in schema order."""
    return tuple(
        leaf for leaf in schema.leaves() if leaf.type is not ValueType.TEXT and not leaf.repeated
    )
