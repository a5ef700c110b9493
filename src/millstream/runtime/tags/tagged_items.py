"""Which items of a stream have which tags, and which tags are found together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.tags.step_layout import ATTRIBUTE, TAG, TAGSET
from millstream.runtime.journal import Journal
from millstream.runtime.logged_items import items_at
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.records import StreamRecord
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.set_tables import MEMBER_FIELDS, TAGGED_FIELDS


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
        tagged = self._table(tables.TAGGED, TAGGED_FIELDS)
        members = self._members()
        if after is not None:
            tagged = tagged.filter(compute.greater(tagged.column("position"), after))
        if content is not None:
            sets = members.filter(compute.equal(members.column("content"), content))
            tagged = tagged.filter(_among(tagged.column(TAGSET), sets.column(TAGSET)))
        tagged = tagged.sort_by("position")
        tagged = tagged.slice(max(0, tagged.num_rows - most))
        return self._with_tags(tagged, members)

    def related(self, content: str, most: int) -> list[tuple[str, int]]:
        """The contents of tags that items have besides one, and how many items have both."""
        members = self._members()
        own = members.filter(compute.equal(members.column("content"), content))
        tagged = self._table(tables.TAGGED, TAGGED_FIELDS).column(TAGSET).to_pylist()
        items = Counter(tagged)
        beside = members.filter(_among(members.column(TAGSET), own.column(TAGSET)))
        pairs = beside.group_by([TAGSET, "content"]).aggregate([]).to_pylist()
        found: Counter[str] = Counter()
        for each in pairs:
            if each["content"] != content:
                found[each["content"]] += items[each[TAGSET]]
        return sorted((+found).items(), key=lambda each: (-each[1], each[0]))[:most]

    def _with_tags(self, tagged: pa.Table, members: pa.Table) -> list[TaggedItem]:
        by_set: dict[int, list[TagOn]] = {}
        for row in members.filter(
            _among(members.column(TAGSET), tagged.column(TAGSET))
        ).to_pylist():
            tag = TagOn(row["tagger"], row["content"], row["sign"] or "", row[ATTRIBUTE])
            by_set.setdefault(row[TAGSET], []).append(tag)
        positions = tagged.column("position").to_pylist()
        log = self._journal.state.tables["log"]
        texts = dict(items_at(self._storage, self._record, log, positions))
        return [
            TaggedItem(position, texts.get(position), tuple(by_set.get(number, ())))
            for position, number in zip(positions, tagged.column(TAGSET).to_pylist(), strict=True)
        ]

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


def _among(column: pa.ChunkedArray, values: pa.ChunkedArray) -> pa.ChunkedArray:
    return compute.is_in(column, values.combine_chunks())
