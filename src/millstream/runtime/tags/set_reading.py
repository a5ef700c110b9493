"""What sets of tags mean, looked up in the tables of streams when results are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.tags import (
    Granularity,
    Mode,
    PlacedTag,
    Sign,
    TagType,
    TickTag,
    parse_applicability,
)
from millstream.model.tags.step_layout import ATTRIBUTE, GRANULARITY, TAG, TAGSET
from millstream.runtime.journal import Journal
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.set_tables import MEMBER_FIELDS
from millstream.runtime.tags.tags_on_items import sets_at


@dataclass(frozen=True, slots=True)
class Member:
    """A tag on an object: an attribute, or the whole tuple where it is None."""

    tag: PlacedTag
    attribute: str | None
    granularity: Granularity


class SetReading:
    """The sets and tags of some streams; only what is asked for becomes objects."""

    def __init__(self, storage: Storage, journals: Mapping[str, Journal]) -> None:
        """Journals are given by the names of streams."""
        self._storage = storage
        self._journals = journals
        self._tags: dict[int, PlacedTag] = {}
        self._sets: dict[int, tuple[Member, ...]] = {}

    def learn(self, sets: Iterable[int], tags: Iterable[int] = ()) -> None:
        """Look up many sets and tags at once."""
        wanted = {each for each in sets if each not in self._sets}
        found: dict[int, list[Any]] = {}
        for row in _chosen(self._members, TAGSET, wanted):
            found.setdefault(row[TAGSET], []).append(row)
        named = {row[TAG] for rows in found.values() for row in rows} | set(tags)
        for row in _chosen(self._known_tags, TAG, named - set(self._tags)):
            self._tags[row[TAG]] = _placed(row)
        for number, rows in found.items():
            self._sets[number] = tuple(
                Member(self._tags[row[TAG]], row[ATTRIBUTE], Granularity(row[GRANULARITY]))
                for row in rows
            )

    def sets_at(self, stream: str, positions: Iterable[int]) -> dict[int, int]:
        """The sets of the tuples at some positions of a stream, as far as they have tags."""
        return sets_at(self._storage, self._journals[stream].state.tables, positions)

    def members(self, number: int) -> tuple[Member, ...]:
        """What is tagged in tuples that have a set."""
        if number not in self._sets:
            self.learn((number,))
        return self._sets.get(number, ())

    def tag(self, number: int) -> PlacedTag:
        """The tag with a number."""
        if number not in self._tags:
            self.learn((), (number,))
        return self._tags[number]

    @cached_property
    def _members(self) -> pa.Table:
        return self._read(tables.TAG_SETS, MEMBER_FIELDS)

    @cached_property
    def _known_tags(self) -> pa.Table:
        return self._read(tables.TAGS, TAG_FIELDS)

    def _read(self, name: str, schema: pa.Schema) -> pa.Table:
        files = [
            each.name for journal in self._journals.values() for each in journal.state.tables[name]
        ]
        found = [
            pq.read_table(self._storage.address(each), columns=schema.names, partitioning=None)
            for each in files
        ]
        return pa.concat_tables([schema.empty_table(), *(each.cast(schema) for each in found)])


def _chosen(table: pa.Table, column: str, wanted: set[int]) -> list[dict[str, Any]]:
    if not wanted:
        return []
    numbers = pa.array(sorted(wanted), pa.int64())
    rows: list[dict[str, Any]] = table.filter(
        compute.is_in(table.column(column), numbers)
    ).to_pylist()
    return rows


def _placed(row: Mapping[str, Any]) -> PlacedTag:
    tag = TickTag(
        row["tagger"],
        parse_applicability(row["applicability"]),
        row["content"],
        TagType(row["type"]),
        Sign(row["sign"] or ""),
        row["lifespan"],
        Mode[row["mode"]],
        row["time"],
    )
    return PlacedTag(row["stream"], row["position"], tag)
