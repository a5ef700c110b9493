"""Which items of a stream have which tags, and which tags are found together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.tags.step_layout import ATTRIBUTE, TAG, TAGSET
from millstream.runtime.journal import Journal
from millstream.runtime.logged_items import items_at, positions_between
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.records import StreamRecord
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.numbers import Integers
from millstream.runtime.tags.set_tables import MEMBER_FIELDS
from millstream.runtime.tags.tagged_table import TaggedTable


@dataclass(frozen=True, slots=True)
class TagOn:
    """A tag as it is on an item."""

    tagger: str
    content: str
    sign: str
    object: str | None
    """An attribute; None for the whole item."""


@dataclass(frozen=True, slots=True)
class TaggedItem:
    """An item, its place in its stream, and the tags that it has."""

    position: int
    text: str | None
    """As XML; None when the log does not hold it any more."""
    tags: tuple[TagOn, ...]


class TaggedItems:
    """Reads the tags of one stream, as far as its tables are kept."""

    def __init__(self, storage: Storage, record: StreamRecord, journal: Journal) -> None:
        self._storage = storage
        self._record = record
        self._journal = journal

    def newest(
        self, most: int, content: str | None = None, after: int | None = None
    ) -> list[TaggedItem]:
        """The newest items behind a position with tags, or with one content; oldest first."""
        tagged, members = self._tagged(), self._members()
        if after is not None:
            tagged = tagged.where(tagged.last > after)
        if content is not None:
            sets = members.filter(compute.equal(members.column("content"), content))
            tagged = tagged.where(np.isin(tagged.sets, sets.column(TAGSET).to_numpy()))
        newer = np.cumsum(tagged.tuples[::-1])[::-1] - tagged.tuples
        positions, numbers = self._tuples(tagged.where(newer < most))
        chosen = np.flatnonzero(positions > (-1 if after is None else after))[-most:]
        return self._with_tags(positions[chosen], numbers[chosen], members)

    def related(self, content: str, most: int) -> list[tuple[str, int]]:
        """The contents of tags that items have besides one, and how many items have both."""
        members = self._members()
        own = members.filter(compute.equal(members.column("content"), content))
        tagged = self._tagged()
        items: Counter[int] = Counter()
        for number, count in zip(tagged.sets.tolist(), tagged.tuples.tolist(), strict=True):
            items[number] += count
        beside = members.filter(_among(members.column(TAGSET), own.column(TAGSET).combine_chunks()))
        pairs = beside.group_by([TAGSET, "content"]).aggregate([]).to_pylist()
        found: Counter[str] = Counter()
        for each in pairs:
            if each["content"] != content:
                found[each["content"]] += items[each[TAGSET]]
        return sorted((+found).items(), key=lambda each: (-each[1], each[0]))[:most]

    def _tuples(self, tagged: TaggedTable) -> tuple[Integers, Integers]:
        """The positions of the tuples of runs, and their sets; those of long ones the log knows."""
        alone = tagged.first[tagged.tuples == 1]
        long = tagged.where(tagged.tuples > 1)
        if not len(long):
            return tagged.at(alone)
        log = self._journal.state.tables["log"]
        within = int(long.first[0]), int(long.last[-1])
        logged = positions_between(self._storage, log, *within)
        return tagged.at(np.union1d(alone, long.at(logged)[0]))

    def _with_tags(
        self, positions: Integers, sets: Integers, members: pa.Table
    ) -> list[TaggedItem]:
        by_set: dict[int, list[TagOn]] = {}
        for row in members.filter(_among(members.column(TAGSET), pa.array(sets))).to_pylist():
            tag = TagOn(row["tagger"], row["content"], row["sign"] or "", row[ATTRIBUTE])
            by_set.setdefault(row[TAGSET], []).append(tag)
        log = self._journal.state.tables["log"]
        texts = dict(items_at(self._storage, self._record, log, positions.tolist()))
        return [
            TaggedItem(position, texts.get(position), tuple(by_set.get(number, ())))
            for position, number in zip(positions.tolist(), sets.tolist(), strict=True)
        ]

    def _tagged(self) -> TaggedTable:
        return TaggedTable.read(self._storage, self._journal.state.tables[tables.TAGGED])

    def _members(self) -> pa.Table:
        """The tags of all sets, with what they say; those that only retract say nothing."""
        known = self._table(tables.TAGS, TAG_FIELDS).select([TAG, "tagger", "content", "sign"])
        said = compute.not_equal(compute.utf8_trim_whitespace(known.column("content")), "")
        members = self._table(tables.TAG_SETS, MEMBER_FIELDS).select([TAGSET, TAG, ATTRIBUTE])
        return members.join(known.filter(said), TAG, join_type="inner").sort_by(TAG)

    def _table(self, name: str, schema: pa.Schema) -> pa.Table:
        found = [
            pq.read_table(self._storage.address(each.name), columns=schema.names, partitioning=None)
            for each in self._journal.state.tables[name]
        ]
        return pa.concat_tables([schema.empty_table(), *(each.cast(schema) for each in found)])


def _among(column: pa.ChunkedArray, values: pa.Array) -> pa.ChunkedArray:
    return compute.is_in(column, values)
