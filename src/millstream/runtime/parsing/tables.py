"""Items that come as the rows of a table, such as those of a Parquet file."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.types as pt

from millstream.errors import SchemaError, did_you_mean
from millstream.model.schema import TEXT_FIELD, Content, Element, Schema
from millstream.runtime.parsing.arrow_types import (
    Column,
    compute,
    field_names,
    is_text,
    lists,
    occurrence_type,
)
from millstream.runtime.parsing.canonical import canonical_texts
from millstream.runtime.parsing.chunk import ItemBatch, ParsedChunk, RawOf
from millstream.runtime.parsing.column_faults import column_faults
from millstream.runtime.parsing.rows import parsed_chunk


def rows_from_table(table: pa.Table, schema: Schema) -> ParsedChunk:
    """The rows of a table whose columns are the item's children and '@' attributes.

    Values become text in the form that is canonical for their type; offsets are row numbers. A
    table with columns that the schema lacks is not of this stream: SchemaError.
    """
    columns = {name: _whole(table.column(name)) for name in table.column_names}
    items = _items(schema.item, columns, table.num_rows)
    batch = ItemBatch(np.arange(table.num_rows, dtype=np.int64), items)
    return parsed_chunk(schema, batch, (), _row_text(table), column_faults(schema, items))


def _items(item: Element, columns: dict[str, Column], count: int) -> Column:
    if not is_text(item):
        return _struct(item, columns, pa.repeat(True, count), item.name)
    # An item that is bare text has one column; it may be empty, but not absent.
    texts = _struct(replace(item, content=Content.LEAF), columns, pa.repeat(True, count), item.name)
    return texts.field(TEXT_FIELD)


def _whole(column: Column) -> Column:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _row_text(table: pa.Table) -> RawOf:
    def raw_of(row: int) -> bytes:
        return json.dumps(table.slice(row, 1).to_pylist()[0], default=str).encode()

    return raw_of


def _occurrences(element: Element, array: Column, path: str) -> Column:
    """A column of one element, as rows have it."""
    if pt.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pt.is_null(array.type):
        return pa.nulls(len(array), occurrence_type(element))
    if is_text(element):
        return canonical_texts(array, element.type, path)
    if pt.is_struct(array.type):
        columns = {field.name: compute.struct_field(array, [field.name]) for field in array.type}
        return _struct(element, columns, array.is_valid(), path)
    if element.content is Content.LEAF:
        return _struct(element, {TEXT_FIELD: array}, array.is_valid(), path)
    raise SchemaError(f"column {path} is a {array.type}, not a struct")


def _struct(element: Element, columns: dict[str, Column], present: Column, path: str) -> Column:
    names = field_names(element)
    for name in columns:
        if name not in names:
            help = did_you_mean(name, names)
            raise SchemaError(f"the table has a column '{name}' that {path} lacks", help=help)
    children = {child.name: child for child in element.children}
    types = {f"@{attribute.name}": attribute.type for attribute in element.attributes}
    types[TEXT_FIELD] = element.type
    fields = {}
    for name in names:
        column = columns.get(name, pa.nulls(len(present)))
        if name in children:
            fields[name] = _child(children[name], column, f"{path}/{name}")
        else:
            fields[name] = canonical_texts(column, types[name], f"{path}/{name}")
    if TEXT_FIELD in fields:
        fields[TEXT_FIELD] = compute.fill_null(fields[TEXT_FIELD], "")
    absent = compute.invert(present)
    return pa.StructArray.from_arrays(list(fields.values()), names=list(names), mask=absent)


def _child(child: Element, array: Column, path: str) -> Column:
    """What an element holds of a child: a list when it is repeated, without its nulls."""
    listed = pt.is_list(array.type) or pt.is_large_list(array.type)
    if not child.repeated:
        if listed:
            raise SchemaError(f"column {path} is a {array.type}, but {path} occurs once at most")
        return _occurrences(child, array, path)
    count, parents = len(array), np.arange(len(array))
    if listed:
        parents, array = compute.list_parent_indices(array).to_numpy(), array.flatten()
    valid = array.is_valid().to_numpy(zero_copy_only=False)
    lengths = np.bincount(parents[valid], minlength=count)
    return lists(lengths, _occurrences(child, array.drop_null(), path), child)
