"""The tags of a stream: attached from here, and read as opinions, clouds and deeds."""

from __future__ import annotations

import math
import threading
from collections import Counter
from typing import Any, TypedDict, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.errors import QueryError
from millstream.model.tags.duration import parse_duration
from millstream.model.tags.event_time import format_time
from millstream.model.tags.step_layout import ATTRIBUTE, TAG, TAGSET
from millstream.model.tags.vocabulary import TagVocabulary
from millstream.runtime.journal import Journal
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.records import StreamRecord
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.attaching import attach
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.known_tags import CloudWord, Deed, KnownTag, Opinion, Spell
from millstream.runtime.tags.numbers import integers
from millstream.runtime.tags.set_tables import MEMBER_FIELDS
from millstream.runtime.tags.stream_tags import StreamTags
from millstream.runtime.tags.tagged_table import TaggedTable
from millstream.runtime.tags.tuple_reading import read_tuples

LARGEST = 9
"""The size of the most frequent content of a cloud."""


class TagOptions(TypedDict, total=False):
    """The fields of a tag besides its content, as texts of the wire; only a tagger is needed."""

    tagger: str
    applicability: str
    type: str
    sign: str
    lifespan: str
    mode: str
    time: str


class TagBook:
    """Attaches tags to one stream, and tells what is known of its tags."""

    def __init__(
        self,
        storage: Storage,
        record: StreamRecord,
        journal: Journal,
        lock: threading.RLock,
        vocabulary: TagVocabulary | None = None,
    ) -> None:
        self._storage = storage
        self._record = record
        self._journal = journal
        self._lock = lock
        self._tags = StreamTags(storage, record, journal, vocabulary)
        self._form = record.shape.time

    def attach(self, content: str, **fields: Unpack[TagOptions]) -> KnownTag:
        """Attach a tag; it enters the stream with its next step, exactly once.

        Without a time it has none yet: it gets what the stream has reached by then.
        """
        with self._lock:
            given = {name: str(value) for name, value in fields.items() if value is not None}
            return attach(self._tags, self._record, self._journal, content, given)

    def all(self) -> list[KnownTag]:
        """All tags that have come and are kept, in the order of their arrival."""
        rows = self._table(tables.TAGS, TAG_FIELDS).to_pylist()
        return [KnownTag.of(each, self._form) for each in rows]

    def live(self) -> list[KnownTag]:
        """The tags that can be on the next tuple, and those that wait for the next step."""
        while True:
            _, taken = self._tags.in_play()
            waiting = self._tags.attached.still(taken).to_pylist()
            alive = self._tags.living().to_pylist()
            # A step that was committed meanwhile may have taken what waited.
            if self._tags.in_play()[1] == taken:
                return [KnownTag.of(each, self._form) for each in (*alive, *waiting)]

    def opinion(self, tuple: str | None = None) -> list[Opinion]:
        """The signs of the tags on each attribute, and on whole tuples; on request of one tuple.

        A tag that is on many tuples counts once.
        """
        members = self._members(tuple)
        pairs = members.group_by([ATTRIBUTE, TAG]).aggregate([]).join(self._signs(), TAG)
        rows = pairs.group_by([ATTRIBUTE, "sign"]).aggregate([([], "count_all")]).to_pylist()
        counted = Counter({(row[ATTRIBUTE], row["sign"]): row["count_all"] for row in rows})
        names = (None, *self._record.shape.names)
        found = [Opinion(each, *(counted[each, sign] for sign in ("+", "-", ""))) for each in names]
        return [each for each in found if each.tags]

    def cloud(self, most: int | None = None) -> list[CloudWord]:
        """The contents of all tags, the most frequent first; sizes grow with the logarithm."""
        counted = self._contents().most_common(most)
        highest = math.log(counted[0][1] + 1) if counted else 1.0
        return [
            CloudWord(content, count, max(1, round(LARGEST * math.log(count + 1) / highest)))
            for content, count in counted
        ]

    def distribution(self, every: str = "1 min") -> list[Spell]:
        """How many tags with each content were attached in each stretch of time."""
        length = _stretch(every)
        tags = self._filled()
        begins = integers(tags.column("time").to_numpy()) // length * length
        counted = Counter(zip(begins.tolist(), tags.column("content").to_pylist(), strict=True))
        return [
            Spell(format_time(begin, self._form), content, count)
            for (begin, content), count in sorted(counted.items())
        ]

    def taggers(self) -> list[Deed]:
        """Who has tagged what: tags, and tuples that they are on, by tagger, object and content."""
        known = self._table(tables.TAGS, TAG_FIELDS).select([TAG, "tagger", "content"])
        members = self._members(None).join(known, TAG)
        deed = ["tagger", ATTRIBUTE, "content"]
        tags = members.group_by(deed).aggregate([(TAG, "count_distinct")])
        # A set with several tags of one deed is still on as many tuples.
        sets = members.group_by([*deed, TAGSET]).aggregate([]).join(self._tuples_of_sets(), TAGSET)
        tuples = sets.group_by(deed).aggregate([("tuples", "sum")])
        counted = {_key(row): row["tuples_sum"] or 0 for row in tuples.to_pylist()}
        found = (
            Deed(*_key(row), row[f"{TAG}_count_distinct"], counted[_key(row)])
            for row in tags.to_pylist()
        )
        return sorted(found, key=lambda each: (each.tagger, each.object or "", each.content))

    # Tables.

    def _table(self, name: str, schema: pa.Schema) -> pa.Table:
        files = [each.name for each in self._journal.state.tables[name]]
        found = [
            pq.read_table(self._storage.address(each), columns=schema.names, partitioning=None)
            for each in files
        ]
        return pa.concat_tables([schema.empty_table(), *(each.cast(schema) for each in found)])

    def _members(self, tuple: str | None) -> pa.Table:
        """The tags and objects of all sets, or of those that a tuple has had."""
        members = self._table(tables.TAG_SETS, MEMBER_FIELDS)
        if tuple is None:
            return members
        _, sets = self._tagged().at(self._positions(tuple))
        return members.filter(compute.is_in(members.column(TAGSET), pa.array(sets)))

    def _tagged(self) -> TaggedTable:
        return TaggedTable.read(self._storage, self._journal.state.tables[tables.TAGGED])

    def _tuples_of_sets(self) -> pa.Table:
        """On how many tuples each set is."""
        found = self._tagged()
        tagged = pa.table({TAGSET: found.sets, "tuples": found.tuples})
        counted = tagged.group_by(TAGSET).aggregate([("tuples", "sum")])
        return counted.rename_columns([TAGSET, "tuples"])

    def _positions(self, tuple: str) -> np.ndarray:
        files = [self._storage.address(each.name) for each in self._journal.state.tables["log"]]
        tuples = read_tuples(self._record, files, ())
        keys = tuples.id_keys()
        code = keys.code(tuple)
        if code < 0:
            raise QueryError(f"stream '{self._record.name}' has had no tuple '{tuple}'")
        return tuples.positions[keys.members(code)]

    def _filled(self) -> pa.Table:
        """The tags that say something; those that only retract do not."""
        tags = self._table(tables.TAGS, TAG_FIELDS)
        said = compute.not_equal(compute.utf8_trim_whitespace(tags.column("content")), "")
        return tags.filter(said)

    def _contents(self) -> Counter[str]:
        counted = compute.value_counts(self._filled().column("content"))
        return Counter({each["values"]: each["counts"] for each in counted.to_pylist()})

    def _signs(self) -> pa.Table:
        return self._table(tables.TAGS, TAG_FIELDS).select([TAG, "sign"])


def _key(row: dict[str, Any]) -> tuple[str, str | None, str]:
    return row["tagger"], row[ATTRIBUTE], row["content"]


def _stretch(text: str) -> int:
    try:
        length = parse_duration(text)
    except ValueError as error:
        raise QueryError(str(error), code="duration") from None
    if not length:
        raise QueryError("a stretch of time is above 0", code="duration")
    return length
