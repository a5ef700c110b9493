"""Items of a stream of comma-separated lines as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
import pyarrow as pa

from millstream.errors import SchemaError, did_you_mean
from millstream.model.schema import TEXT_FIELD, Content, Element, Path, Schema
from millstream.runtime.parsing.arrow_types import Column, compute, is_text, lists, occurrence_type
from millstream.runtime.parsing.chunk import (
    DEFAULT_MAX_ITEM_BYTES,
    ItemBatch,
    ParsedChunk,
    Rejected,
    reject,
)
from millstream.runtime.parsing.column_faults import column_faults
from millstream.runtime.parsing.csv_records import Record, RecordCutter
from millstream.runtime.parsing.rows import parsed_chunk

Texts = Mapping[Path, Column]
"""The column of texts at each path that has one."""


class CsvParser:
    """Parses slices of one stream of lines whose fields are leaves; an empty field is absent."""

    def __init__(
        self,
        schema: Schema,
        *,
        columns: Sequence[str],
        delimiter: str = ",",
        max_item_bytes: int = DEFAULT_MAX_ITEM_BYTES,
    ) -> None:
        """A column is named as the path of its leaf from the item: en, coord/cel/ra, @id."""
        self._schema = schema
        self._paths = _column_paths(schema, columns)
        self._delimiter = delimiter
        self._max_item_bytes = max_item_bytes

    def parse(self, data: bytes) -> ParsedChunk:
        """The rows of a slice that holds whole records."""
        good: list[Record] = []
        rejected: list[Rejected] = []
        for record in RecordCutter(data, self._delimiter, self._max_item_bytes).records():
            reason = record.reason or self._count_fault(record)
            if reason is None:
                good.append(record)
            else:
                rejected.append(reject(record.start, reason, data[record.start : record.end]))
        items = self._items([record.fields for record in good])
        ends = {record.start: record.end for record in good}
        return parsed_chunk(
            self._schema,
            ItemBatch(np.array(list(ends), np.int64), items),
            rejected,
            lambda start: data[start : ends[start]],
            column_faults(self._schema, items),
        )

    def _count_fault(self, record: Record) -> str | None:
        found, expected = len(record.fields), len(self._paths)
        return None if found == expected else f"{found} fields instead of {expected}"

    def _items(self, rows: list[list[str]]) -> Column:
        columns = zip(*rows, strict=True) if rows else ((),) * len(self._paths)
        texts = {
            path: pa.array([field or None for field in column], pa.string())
            for path, column in zip(self._paths, columns, strict=True)
        }
        items = _occurrences(self._schema.item, (), texts, len(rows), always=True)
        # Every line is an item: one that is bare text is empty, never absent.
        return compute.fill_null(items, "") if is_text(self._schema.item) else items


def _column_paths(schema: Schema, columns: Sequence[str]) -> tuple[Path, ...]:
    known = {leaf.path for leaf in schema.leaves()} | set(_raw_paths(schema.item, ()))
    paths = tuple(() if name == TEXT_FIELD else tuple(name.split("/")) for name in columns)
    for name, path in zip(columns, paths, strict=True):
        if path not in known:
            names = ("/".join(each) or TEXT_FIELD for each in known)
            raise SchemaError(
                f"column '{name}' is no leaf of item {schema.item.name}",
                help=did_you_mean(name, names),
            )
        if paths.count(path) > 1:
            raise SchemaError(f"column '{name}' occurs more than once")
    return paths


def _raw_paths(element: Element, path: Path) -> list[Path]:
    if element.content is Content.RAW:
        return [path]
    return [p for c in element.children for p in _raw_paths(c, (*path, c.name))]


def _occurrences(
    element: Element, path: Path, texts: Texts, count: int, *, always: bool = False
) -> Column:
    """A column of one element; it is present where some text below it is, or always."""
    nothing = pa.nulls(count, pa.string())
    if is_text(element):
        return texts.get(path, nothing)
    names = [f"@{attribute.name}" for attribute in element.attributes]
    fields = {name: texts.get((*path, name), nothing) for name in names}
    if element.content is Content.LEAF or not (element.children or names):
        fields[TEXT_FIELD] = texts.get(path, nothing)
    for child in element.children:
        fields[child.name] = _child(child, (*path, child.name), texts, count)
    masks = [array.is_valid() for array in fields.values()]
    present = pa.repeat(True, count) if always else reduce(compute.or_, masks)
    if TEXT_FIELD in fields:
        fields[TEXT_FIELD] = compute.if_else(
            present, compute.fill_null(fields[TEXT_FIELD], ""), nothing
        )
    type = occurrence_type(element)
    arrays = [fields[field.name] for field in type]
    return pa.StructArray.from_arrays(arrays, fields=list(type), mask=compute.invert(present))


def _child(child: Element, path: Path, texts: Texts, count: int) -> Column:
    once = _occurrences(child, path, texts, count)
    if not child.repeated:
        return once
    present = once.is_valid().to_numpy(zero_copy_only=False)
    return lists(present.astype(np.int64), once.drop_null(), child)
