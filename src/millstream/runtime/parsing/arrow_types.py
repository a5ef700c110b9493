"""The Arrow types of rows, as the model's layout describes them."""

from __future__ import annotations

import pyarrow as pa

from millstream.model.layout import ITEM, view_name, viewed_leaves
from millstream.model.schema import TEXT_FIELD, Content, Element, Schema, ValueType

VIEW_TYPES: dict[ValueType, pa.DataType] = {
    ValueType.INTEGER: pa.int64(),
    ValueType.DECIMAL: pa.float64(),
    ValueType.DOUBLE: pa.float64(),
    ValueType.TIME: pa.timestamp("us", tz="UTC"),
}


def arrow_schema(schema: Schema) -> pa.Schema:
    """The columns of parsed rows: the item, then the typed view of each leaf that has one."""
    views = [
        pa.field(view_name(leaf.path), VIEW_TYPES[leaf.type]) for leaf in viewed_leaves(schema)
    ]
    return pa.schema([pa.field(ITEM, occurrence_type(schema.item)), *views])


def element_type(element: Element) -> pa.DataType:
    """The type of an element's field in its parent."""
    one = occurrence_type(element)
    # Spark names the elements of an array so; the same name spares it a conversion.
    return pa.list_(pa.field("element", one)) if element.repeated else one


def occurrence_type(element: Element) -> pa.DataType:
    """The type of one occurrence of an element."""
    if is_text(element):
        return pa.string()
    children = {child.name: element_type(child) for child in element.children}
    return pa.struct([pa.field(n, children.get(n, pa.string())) for n in field_names(element)])


def is_text(element: Element) -> bool:
    """True when an element is bare text in its row: a leaf without attributes, or raw XML."""
    return element.plain_leaf or element.content is Content.RAW


def field_names(element: Element) -> tuple[str, ...]:
    """The fields of an element's struct, in order."""
    attributes = tuple(f"@{attribute.name}" for attribute in element.attributes)
    if element.content is Content.LEAF:
        return (TEXT_FIELD, *attributes)
    return (*attributes, *(child.name for child in element.children)) or (TEXT_FIELD,)
