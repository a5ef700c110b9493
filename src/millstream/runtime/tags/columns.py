"""Tags in play as columns: what arrived, and what earlier steps left alive."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa

from millstream.model.tags.mode import Mode
from millstream.model.tags.step_layout import TAG, TAG_COLUMNS
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.tags.forms import Form, form_of
from millstream.runtime.tags.numbers import NEVER, Flags, Integers, flags, integers

WAITING: Final = 0
"""Nothing was used up yet."""
IN_RUN: Final = 1
"""The run of tuples that an Instant tag is on has begun, and may go on."""
SPENT: Final = 2
"""On nothing any more; it is remembered because it still ends others."""
INDEXED: Final = 3
"""A stix says what it is on."""

_TYPES = {"BIGINT": pa.int64(), "STRING": pa.string()}
TAG_FIELDS: Final = pa.schema([pa.field(name, _TYPES[type]) for name, type in TAG_COLUMNS])
"""The columns of tags as they are written down."""
BOUND: Final = pa.list_(pa.struct([("part", pa.int64()), ("key", pa.string())]))
LIVE_FIELDS: Final = TAG_FIELDS.append(pa.field("status", pa.int64())).append(
    pa.field("bound", BOUND)
)
"""The columns of tags in play: their status, and the values that they are bound to."""


def arrived(tags: pa.Table) -> pa.Table:
    """Tags that have just arrived, as tags in play."""
    count = tags.num_rows
    fresh = tags.append_column("status", pa.array(np.zeros(count, np.int64)))
    return fresh.append_column("bound", pa.nulls(count, BOUND)).cast(LIVE_FIELDS)


@dataclass(frozen=True)
class TagColumns:
    """Tags in the order of their numbers, with the columns that decide what they are on."""

    table: pa.Table

    def __len__(self) -> int:
        count: int = self.table.num_rows
        return count

    def integers(self, name: str) -> Integers:
        """A column of numbers."""
        return integers(self._column(name).to_numpy(zero_copy_only=False))

    @cached_property
    def numbers(self) -> Integers:
        return self.integers(TAG)

    @cached_property
    def positions(self) -> Integers:
        return self.integers("position")

    @cached_property
    def times(self) -> Integers:
        return self.integers("time")

    @cached_property
    def statuses(self) -> Integers:
        return self.integers("status")

    @cached_property
    def instant(self) -> Flags:
        return flags(compute.is_null(self._column("lifespan")))

    @cached_property
    def ends(self) -> Integers:
        """Just after the last time that each is on; never for Instant tags."""
        lifespans = compute.fill_null(self._column("lifespan"), 0).to_numpy(zero_copy_only=False)
        return np.where(self.instant, NEVER, self.times + lifespans)

    @cached_property
    def overwrite(self) -> Flags:
        return flags(compute.equal(self._column("mode"), Mode.OVERWRITE.name))

    @cached_property
    def retraction(self) -> Flags:
        trimmed = compute.utf8_trim_whitespace(self._column("content"))
        return flags(compute.equal(trimmed, ""))

    @cached_property
    def taggers(self) -> Integers:
        """A code for each tagger."""
        codes = compute.dictionary_encode(self._column("tagger")).indices
        return integers(codes.to_numpy(zero_copy_only=False))

    @cached_property
    def ranks(self) -> Integers:
        """The order in which they were written: by time, then as they arrived."""
        ranks = np.empty(len(self), np.int64)
        ranks[np.lexsort((self.numbers, self.times))] = np.arange(len(self))
        return ranks

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """The forms that there are among them."""
        return self._coded_forms[0]

    @cached_property
    def form_codes(self) -> Integers:
        """The form of each."""
        return self._coded_forms[1]

    @cached_property
    def _coded_forms(self) -> tuple[tuple[Form, ...], Integers]:
        written = compute.dictionary_encode(self._column("applicability"))
        codes = integers(written.indices.to_numpy(zero_copy_only=False))
        keys = codes * 4 + self.instant * 2 + self.retraction
        known, of_tag = np.unique(keys, return_inverse=True)
        texts = written.dictionary.to_pylist()
        forms = tuple(
            form_of(texts[key // 4], bool(key & 2), bool(key & 1)) for key in known.tolist()
        )
        return forms, integers(of_tag)

    def of_forms(self, wanted: Flags) -> Flags:
        """Which tags have one of the forms that are wanted."""
        return wanted[self.form_codes] if len(wanted) else np.zeros(len(self), np.bool_)

    def _column(self, name: str) -> Column:
        return self.table.column(name).combine_chunks()
