"""The tuples of some files of a log, as far as tags ask for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa

from millstream.errors import InternalError
from millstream.model.layout import ITEM, POSITION, view_name
from millstream.model.schema import Path, ValueType
from millstream.model.tags.event_time import TimeForm, parse_time
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.parsing.rows import leaf_texts
from millstream.runtime.records import StreamRecord
from millstream.runtime.side_by_side import in_slices, read_files
from millstream.runtime.tags.numbers import LONG_AGO, Integers, integers
from millstream.runtime.tags.tuples import TupleColumns
from millstream.runtime.tags.value_keys import value_keys

_MICROSECONDS = pa.decimal128(18, 6)
"""Whole microseconds of up to 12 digits of seconds."""


def read_tuples(
    record: StreamRecord, files: Sequence[str], excluded: Collection[int]
) -> TupleColumns:
    """The tuples of files, without those at excluded positions; columns are read when needed."""
    reader = _LogReader(record, files, excluded)
    if record.tuple_time is None:
        raise InternalError(f"stream '{record.name}' has tags, but no time")
    types = {each.name: each.type for each in record.shape.attributes}
    return TupleColumns(
        reader.positions,
        reader.times(record.tuple_time),
        lambda: reader.ids(record.tuple_id, exact=record.tagged),
        lambda name: value_keys(reader.texts(tuple(name.split("/"))), types[name]),
    )


class _LogReader:
    def __init__(
        self, record: StreamRecord, files: Sequence[str], excluded: Collection[int]
    ) -> None:
        self._schema = record.schema
        self._files = files
        positions = integers(self._column(POSITION, POSITION).to_numpy())
        self._kept = None
        if excluded:
            self._kept = pa.array(~np.isin(positions, list(excluded)))
        self.positions = integers(self._wanted(pa.array(positions)).to_numpy())

    def texts(self, path: Path) -> Column:
        """The texts of a leaf; null where it is absent."""
        if not self._files:
            return pa.array([], pa.string())
        whole = any("." in name for name in path)
        items = self._column(ITEM if whole else ".".join((ITEM, *path)), ITEM)
        texts, _ = leaf_texts(items, path)
        return self._wanted(texts)

    def ids(self, path: Path | None, *, exact: bool) -> Column:
        """The ids of tuples; null where they have none. Keys do not count the space around."""
        if path is None:
            return pa.nulls(len(self.positions), pa.string())
        return self.texts(path) if exact else compute.utf8_trim_whitespace(self.texts(path))

    def times(self, path: Path) -> Integers:
        """The times of tuples, in microseconds."""
        leaf = self._schema.leaf(path)
        assert leaf is not None, "a time is a leaf of the schema"
        if leaf.type is ValueType.TIME:
            view = self._wanted(self._column(view_name(path), view_name(path)))
            return _filled(view.cast(pa.int64()))
        return np.concatenate(in_slices(seconds_in_microseconds, self.texts(path)))

    def _column(self, wanted: str, name: str) -> Column:
        tables = read_files(self._files, [wanted])
        if not tables:
            return pa.array([], pa.int64())
        return pa.concat_tables(tables).column(name).combine_chunks()

    def _wanted(self, column: Column) -> Column:
        return column if self._kept is None else column.filter(self._kept)


def seconds_in_microseconds(texts: Column) -> Integers:
    """Times that are written in seconds; what cannot be counted is long ago."""
    trimmed = compute.utf8_trim_whitespace(texts)
    try:
        exact = trimmed.cast(_MICROSECONDS)
    except pa.ArrowInvalid:
        return integers([_microseconds(each) for each in trimmed.to_pylist()])
    halves = np.frombuffer(exact.buffers()[1], np.int64)
    found = halves[2 * exact.offset : 2 * (exact.offset + len(exact)) : 2].copy()
    found[exact.is_null().to_numpy(zero_copy_only=False)] = LONG_AGO
    return found


def _microseconds(text: str | None) -> int:
    try:
        return LONG_AGO if text is None else parse_time(text, TimeForm.SECONDS)
    except ValueError:
        return LONG_AGO


def _filled(column: Column) -> Integers:
    return integers(compute.fill_null(column, LONG_AGO).to_numpy(zero_copy_only=False))
