"""What sets of tags mean, looked up in the tables of streams when results are read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

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
from millstream.runtime.journal import HasState
from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.numbered_rows import NumberedRows
from millstream.runtime.tags.set_tables import MEMBER_FIELDS
from millstream.runtime.tags.tagged_table import TaggedSegments

_AT_ONCE = 4_096
"""Results whose sets are looked up together."""

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class Member:
    """A tag on an object: an attribute, or the whole tuple where it is None."""

    tag: PlacedTag
    attribute: str | None
    granularity: Granularity


class SetReading:
    """The sets and tags of some streams; only what is asked for becomes objects."""

    def __init__(
        self,
        storage: Storage,
        journals: Mapping[str, HasState],
        alive: Collection[int] | None = None,
    ) -> None:
        """Journals are given by the names of streams.

        Where the numbers of tags that are alive are given, sets hold no others, but Instant ones.
        """
        self._storage = storage
        self._journals = journals
        self._alive = alive
        self._tags: dict[int, PlacedTag] = {}
        self._sets: dict[int, tuple[Member, ...]] = {}
        self._members = self._numbered(tables.TAG_SETS, TAGSET, MEMBER_FIELDS.names)
        self._known_tags = self._numbered(tables.TAGS, TAG, TAG_FIELDS.names)
        self._places: dict[str, TaggedSegments] = {}

    def _numbered(self, table: str, number: str, columns: list[str]) -> NumberedRows:
        def segments() -> Iterator[Segment]:
            return chain(*(each.state.tables[table] for each in self._journals.values()))

        return NumberedRows(self._storage, segments, number, columns)

    def learn(self, sets: Iterable[int], tags: Iterable[int] = ()) -> None:
        """Look up many sets and tags at once."""
        wanted = {each for each in sets if each not in self._sets}
        found: dict[int, list[Any]] = {}
        for row in self._members.of(wanted):
            found.setdefault(row[TAGSET], []).append(row)
        named = {row[TAG] for rows in found.values() for row in rows} | set(tags)
        for row in self._known_tags.of(named - self._tags.keys()):
            self._tags[row[TAG]] = _placed(row)
        for number, rows in found.items():
            self._sets[number] = tuple(
                Member(self._tags[row[TAG]], row[ATTRIBUTE], Granularity(row[GRANULARITY]))
                for row in rows
                # What retention has let go of is told no more.
                if row[TAG] in self._tags and self._is_told(row[TAG])
            )

    def _is_told(self, tag: int) -> bool:
        instant = self._tags[tag].tag.lifespan is None
        return self._alive is None or instant or tag in self._alive

    def sets_at(self, stream: str, positions: Iterable[int]) -> dict[int, int]:
        """The sets of the tuples at some positions of a stream, as far as they have tags."""
        if stream not in self._places:
            journal = self._journals[stream]
            self._places[stream] = TaggedSegments(
                self._storage, lambda: journal.state.tables[tables.TAGGED]
            )
        return self._places[stream].sets_at(positions)

    def members(self, number: int) -> tuple[Member, ...]:
        """What is tagged in tuples that have a set."""
        if number not in self._sets:
            self.learn((number,))
        return self._sets.get(number, ())

    def tags(self, numbers: Iterable[int]) -> list[PlacedTag]:
        """The tags with some numbers that were learned, as far as they are kept."""
        return [self._tags[each] for each in numbers if each in self._tags]


def portions(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    """Rows, as many at a time as it is good to look up the sets of together."""
    waiting = iter(rows)
    while some := list(islice(waiting, _AT_ONCE)):
        yield some


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
