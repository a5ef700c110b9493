"""Which bindings of a continuous query can have changed: the anchors that news touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from millstream.algebra.standing import Entry, Need, Standing
from millstream.model.filler import FillerKey
from millstream.model.tag_structure import TagStructure
from millstream.model.time_shift import TimeShift
from millstream.runtime.history.filler_index import FillerIndex
from millstream.runtime.history.history_rows import HistoryRow

_FOREVER = 2**62


class Anchor(NamedTuple):
    """All versions with an id, or one event."""

    stream: str
    tsid: int
    id: int
    valid: int | None = None
    arrival: int | None = None

    @property
    def key(self) -> FillerKey:
        return FillerKey(self.id, self.tsid)

    def __str__(self) -> str:
        event = "" if self.arrival is None else f".{self.arrival}"
        return f"{self.stream} {self.tsid} {self.id}{event}"


@dataclass
class News:
    """What a step brings: fillers, and the holes that came or went with them, by stream."""

    rows: Mapping[str, list[HistoryRow]] = field(default_factory=dict)
    holes: Mapping[str, set[FillerKey]] = field(default_factory=dict)


@dataclass
class Affected:
    """Finds anchors in the index."""

    standing: Standing
    structures: Mapping[str, TagStructure]
    index: FillerIndex

    def by_news(self, news: News) -> list[set[Anchor]]:
        """For each entry, the anchors that new fillers touch."""
        return [
            set(self._touched(entry, news.rows.get(entry.stream, ())))
            | set(self._moved(entry, news.holes.get(entry.stream, set())))
            for entry in self.standing.entries
        ]

    def by_time(self, before: int, now: int) -> list[set[Anchor]]:
        """For each entry, the anchors that matter anew because now has moved."""
        return [
            {
                anchor
                for shift in self.standing.shifts
                for tsid in sorted(_tags(entry.need))
                for row in self.index.moments(
                    entry.stream, tsid, (-shift).after(before), (-shift).after(now)
                )
                for anchor in self._above(entry, row)
            }
            for entry in self.standing.entries
        ]

    def _touched(self, entry: Entry, rows: Iterable[HistoryRow]) -> Iterator[Anchor]:
        read = _tags(entry.need)
        for row in rows:
            if row.tsid in read:
                yield from self._above(entry, row)

    def _above(self, entry: Entry, row: HistoryRow) -> Iterator[Anchor]:
        """The anchors that a filler stands in, or is."""
        if row.tsid == entry.tsid:
            yield anchor_of(entry, row)
            return
        for parent, _ in self.index.parents(entry.stream, FillerKey(row.id, row.tsid)):
            yield from self._above(entry, parent)

    def _moved(self, entry: Entry, holes: Iterable[FillerKey]) -> Iterator[Anchor]:
        """The anchors that stand in some holes, or below: they may have come into view."""
        line = {tag.id for tag in self.structures[entry.stream].line(entry.tsid)}
        for hole in holes:
            if hole.tsid == entry.tsid:
                yield from self.anchors_in(entry, hole)
            elif hole.tsid in line:
                yield from self._moved(entry, self.index.holes_of(entry.stream, hole))

    def anchors_in(self, entry: Entry, hole: FillerKey) -> Iterator[Anchor]:
        """The anchors that stand in a hole."""
        if not entry.event:
            yield Anchor(entry.stream, hole.tsid, hole.id)
            return
        for row in self.index.versions(entry.stream, hole):
            yield anchor_of(entry, row)

    # Joins.

    def reached(self, start: int, anchors: Iterable[Anchor]) -> list[set[Anchor]]:
        """For each entry, the events that links lead to from some of one entry."""
        found: list[set[Anchor]] = [set() for _ in self.standing.entries]
        found[start] = set(anchors)
        for number, (least, most) in self._spans(start).items():
            for begin, end in _stretches(found[start], least, most):
                found[number] |= self._events(self.standing.entries[number], begin, end)
        return found

    def _events(self, entry: Entry, begin: int, end: int) -> set[Anchor]:
        rows = self.index.moments(entry.stream, entry.tsid, begin, end)
        return {anchor_of(entry, row) for row in rows}

    def _spans(self, start: int) -> dict[int, tuple[int | None, int | None]]:
        """How far in time the events of other entries lie from those of one."""
        spans: dict[int, tuple[int | None, int | None]] = {start: (0, 0)}
        waiting = [start]
        while waiting:
            here = waiting.pop()
            for link in self.standing.links:
                ends = {link.one: link.other, link.other: link.one}
                there = ends.get(here)
                if there is None or there in spans:
                    continue
                least, most = _length(link.least), _length(link.most)
                if here == link.other:
                    least, most = _negated(most), _negated(least)
                spans[there] = (_sum(spans[here][0], least), _sum(spans[here][1], most))
                waiting.append(there)
        del spans[start]
        return spans


def anchor_of(entry: Entry, row: HistoryRow) -> Anchor:
    """The anchor that a filler is, or is a version of."""
    if entry.event:
        return Anchor(entry.stream, row.tsid, row.id, row.valid, row.arrival)
    return Anchor(entry.stream, row.tsid, row.id)


def _tags(need: Need) -> set[int]:
    return {need.tsid}.union(*(_tags(each) for each in need.inside))


def _length(shift: TimeShift | None) -> int | None:
    """A shift in microseconds; months are as long as they may be."""
    if shift is None or shift.months:
        return None
    return shift.microseconds


def _negated(length: int | None) -> int | None:
    return None if length is None else -length


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _stretches(
    anchors: Iterable[Anchor], least: int | None, most: int | None
) -> list[tuple[int, int]]:
    """The stretches of time around some events, those that meet put together."""
    found: list[tuple[int, int]] = []
    times = sorted({anchor.valid for anchor in anchors if anchor.valid is not None})
    for time in times:
        begin = -_FOREVER if least is None else time + least
        end = _FOREVER if most is None else time + most
        if found and begin <= found[-1][1]:
            found[-1] = (min(found[-1][0], begin), max(found[-1][1], end))
        elif begin <= end:
            found.append((begin, end))
    return found
