"""Rows of a stream's items with only the elements that a narrower schema keeps."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from millstream.model.layout import ITEM, POSITION, view_name, viewed_leaves
from millstream.model.schema import TEXT_FIELD, Element, Schema
from millstream.runtime.parsing.arrow_types import (
    Column,
    compute,
    element_type,
    field_names,
    is_text,
    occurrence_type,
)


def narrowed(rows: pa.Table, schema: Schema) -> pa.Table:
    """Rows of a wider schema as rows of this one: position, item and views."""
    columns = {
        POSITION: rows.column(POSITION),
        ITEM: narrowed_item(rows.column(ITEM), schema.item),
    }
    for leaf in viewed_leaves(schema):
        columns[view_name(leaf.path)] = rows.column(view_name(leaf.path))
    return pa.table(columns)


def columns_of(schema: Schema) -> list[str]:
    """The columns of a log that rows of a schema are made of, as a Parquet reader names them."""
    views = [view_name(leaf.path) for leaf in viewed_leaves(schema)]
    parts = list(_parts(schema.item, ITEM))
    # A reader takes points in names for steps: then it must read the items whole.
    pointed = any(path.count(".") > depth for path, depth in parts)
    return [POSITION, *([ITEM] if pointed else (path for path, _ in parts)), *views]


def _parts(element: Element, path: str, depth: int = 0) -> Iterator[tuple[str, int]]:
    """What is read of an element without lists on the way, and the steps that lead there."""
    if is_text(element) or element.attributes or not element.children:
        yield path, depth
        return
    for child in element.children:
        below = f"{path}.{child.name}"
        if child.repeated:
            yield below, depth + 1
        else:
            yield from _parts(child, below, depth + 1)


def narrowed_item(items: Column, element: Element) -> Column:
    """A column of items, each with only what the element has."""
    return _occurrences(whole_column(items), element)


def whole_column(column: Column) -> Column:
    """A column of a table as one array."""
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _occurrences(array: Column, element: Element) -> Column:
    type = occurrence_type(element)
    if array.type == type:
        return array
    if is_text(element):
        # A leaf whose attributes were left out is its bare text.
        return compute.struct_field(array, [TEXT_FIELD])
    children = {child.name: child for child in element.children}
    fields = [_field(array, name, children.get(name)) for name in field_names(element)]
    return pa.StructArray.from_arrays(fields, fields=list(type), mask=array.is_null())


def _field(array: Column, name: str, child: Element | None) -> Column:
    if array.type.get_field_index(name) < 0:
        return pa.repeat(pa.scalar("", pa.string()), len(array))  # nothing is left of the element
    values = compute.struct_field(array, [name])
    if child is None:
        return values
    return _listed(values, child) if child.repeated else _occurrences(values, child)


def _listed(array: Column, element: Element) -> Column:
    if array.type == element_type(element):
        return array
    lengths = compute.fill_null(compute.list_value_length(array), 0)
    ends = compute.cumulative_sum(lengths.cast(pa.int32()))
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    values = _occurrences(array.flatten(), element)
    return pa.ListArray.from_arrays(
        offsets, values, type=element_type(element), mask=array.is_null()
    )
