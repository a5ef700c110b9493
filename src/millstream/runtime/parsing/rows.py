"""Structured items become the rows of a chunk: values checked, views added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np
import pyarrow as pa

from millstream.model.schema import Leaf, Path, Schema, ValueType
from millstream.runtime.parsing.arrow_types import Column, arrow_schema, compute
from millstream.runtime.parsing.chunk import (
    ItemBatch,
    Offsets,
    ParsedChunk,
    RawOf,
    Rejected,
    reject,
)
from millstream.runtime.parsing.views import typed_view


def parsed_chunk(
    schema: Schema,
    batch: ItemBatch,
    rejected: Iterable[Rejected],
    raw_of: RawOf,
    faults: Mapping[int, str] = MappingProxyType({}),
) -> ParsedChunk:
    """The rows of the items whose values all have their type; the others join the rejected.

    Faults are the rows that are bad for other reasons.
    """
    columns = [batch.items]
    reasons = dict(faults)
    for leaf in schema.leaves():
        if leaf.type is ValueType.TEXT:
            continue
        view, bad = _checked(schema, batch.items, leaf)
        reasons = bad | reasons  # an item is named after its first bad leaf
        if not leaf.repeated:
            columns.append(view)
    table = pa.Table.from_arrays(columns, schema=arrow_schema(schema))
    bad_items = [
        reject(start := int(batch.starts[row]), reason, raw_of(start))
        for row, reason in reasons.items()
    ]
    return _without(table, batch.starts, reasons, [*rejected, *bad_items])


def _without(
    table: pa.Table, starts: Offsets, bad_rows: Iterable[int], rejected: list[Rejected]
) -> ParsedChunk:
    keep = np.ones(len(starts), np.bool_)
    keep[list(bad_rows)] = False
    if not keep.all():
        table, starts = table.filter(pa.array(keep)), starts[keep]
    rejected.sort(key=lambda each: each.offset)
    return ParsedChunk(pa.array(starts, pa.int64()), table, tuple(rejected))


def _checked(schema: Schema, items: Column, leaf: Leaf) -> tuple[Column, dict[int, str]]:
    """The view of a leaf's texts and, by row of the item, why a text has no value."""
    texts, parents = leaf_texts(items, leaf.path)
    view, bad = typed_view(texts, leaf.type)
    path = "/".join((schema.item.name, *leaf.path))
    reasons: dict[int, str] = {}
    for place, reason in bad.items():
        row = place if parents is None else int(parents[place])
        reasons.setdefault(row, f"{path}: {reason}")
    return view, reasons


def leaf_texts(items: Column, path: Path) -> tuple[Column, Offsets | None]:
    """All texts of a leaf and, when some step repeats, the row that each belongs to."""
    texts, parents = items, None
    for name in _steps(items, path):
        if name is None:
            inner = compute.list_parent_indices(texts).to_numpy()
            parents = inner if parents is None else parents[inner]
            texts = texts.flatten()
        else:
            texts = compute.struct_field(texts, [name])
    return texts, parents


def _steps(items: Column, path: Path) -> Iterator[str | None]:
    """The field names on the way to a leaf, with a None wherever a list opens."""
    type = items.type
    for name in path:
        type = type.field(name).type
        yield name
        if pa.types.is_list(type):
            type = type.value_type
            yield None
    if pa.types.is_struct(type):
        yield "#text"
