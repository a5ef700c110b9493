"""The Arrow types of rows, as the model's layout describes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from millstream.errors import SchemaError
from millstream.model.layout import ITEM, view_name, viewed_leaves
from millstream.model.schema import TEXT_FIELD, Content, Element, Schema, ValueType

# The published types of pyarrow lag behind it, so that what is made of them is not checked.
Column = Any
"""An Arrow array."""
ColumnType = Any
"""The type of an Arrow array."""
compute: Any = pyarrow.compute
"""Arrow's functions on arrays."""

VIEW_TYPES: dict[ValueType, ColumnType] = {
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


def element_type(element: Element) -> ColumnType:
    """The type of an element's field in its parent."""
    one = occurrence_type(element)
    # Spark names the elements of an array so; the same name spares it a conversion.
    return pa.list_(pa.field("element", one)) if element.repeated else one


def occurrence_type(element: Element) -> ColumnType:
    """The type of one occurrence of an element."""
    if element.content is Content.RAW and (element.attributes or element.children):
        raise SchemaError(f"raw element '{element.name}' cannot have parts of its own")
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


def lists(lengths: npt.NDArray[np.integer], values: Column, element: Element) -> Column:
    """A repeated element's field: each row takes so many values, and is absent without any."""
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    absent = np.append(lengths == 0, False)
    ends: Column = pa.array(offsets, mask=absent)
    return pa.ListArray.from_arrays(ends, values, type=element_type(element))
