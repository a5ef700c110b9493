"""The fillers that some bindings need, as a document for whoever asks it in XQuery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from xml.sax.saxutils import quoteattr

from millstream.algebra.standing import Entry, Need
from millstream.history.body import Body, cut_body
from millstream.history.filler_document import NAMESPACE, tags_attribute
from millstream.model.filler import ROOT_ID, WRAPPER, FillerKey
from millstream.model.filler_layout import instant_of
from millstream.model.lifespan import format_instant
from millstream.model.tag_structure import TagStructure, TagType
from millstream.runtime.history.affected import Anchor
from millstream.runtime.history.filler_index import FillerIndex
from millstream.runtime.history.history_rows import HistoryRow

_FOREVER = 2**62
Rank = tuple[int, ...]
"""Where something stands in the temporal view."""


@dataclass
class Hydration:
    """The part of one stream that is read, gathered from the index."""

    stream: str
    structure: TagStructure
    index: FillerIndex
    now: int
    places: int = 1
    place: int = 0
    """The stream's place among so many: arrivals in documents tell the streams apart."""
    rows: dict[FillerKey, dict[int, HistoryRow]] = field(default_factory=dict)
    """By key and arrival."""
    owners: dict[int, set[Anchor]] = field(default_factory=dict)
    """The anchors that a filler stands in, by its arrival."""
    _ranks: dict[FillerKey, Rank | None] = field(default_factory=dict)
    _anchors: dict[FillerKey, Rank] = field(default_factory=dict)
    _bodies: dict[int, Body] = field(default_factory=dict)

    def add(self, entry: Entry, anchors: Iterable[Anchor]) -> None:
        """Gather what an entry reads of some anchors; those out of view are left out."""
        for anchor in anchors:
            rank = self._rank(anchor.key)
            if rank is None:
                continue
            self._anchors[anchor.key] = rank
            for row in self._anchor_rows(anchor):
                self._take(row, entry.inside, anchor)

    def add_all(self) -> None:
        """Gather everything there is."""
        for row in self.index.all(self.stream):
            self.rows.setdefault(FillerKey(row.id, row.tsid), {})[row.arrival] = row
        self._anchors[FillerKey(ROOT_ID, self.structure.root.id)] = ()

    def _anchor_rows(self, anchor: Anchor) -> list[HistoryRow]:
        if anchor.valid is None or anchor.arrival is None:
            return self.index.versions(self.stream, anchor.key)
        return self.index.event(self.stream, anchor.key, anchor.valid, anchor.arrival)

    def _take(self, row: HistoryRow, needs: tuple[Need, ...], anchor: Anchor) -> None:
        self.rows.setdefault(FillerKey(row.id, row.tsid), {})[row.arrival] = row
        self.owners.setdefault(row.arrival, set()).add(anchor)
        if not needs:
            return
        by_tag = {need.tsid: need for need in needs}
        for hole in self._body(row).holes:
            need = by_tag.get(hole.tsid)
            if need is not None:
                for inner in self._needed(hole, need):
                    self._take(inner, need.inside, anchor)

    def _needed(self, hole: FillerKey, need: Need) -> list[HistoryRow]:
        window = need.window
        if window is None:
            return self.index.versions(self.stream, hole)
        begin, end = window.begin.at(self.now), window.end.at(self.now)
        low, high = -_FOREVER if begin is None else begin, _FOREVER if end is None else end
        if self.structure.tag(hole.tsid).type is TagType.EVENT:
            return self.index.between(self.stream, hole, low, high)
        return self.index.holding(self.stream, hole, low, high)

    def _rank(self, key: FillerKey) -> Rank | None:
        """Where the first hole of a key is in the temporal view; None if it is in no view."""
        if key.id == ROOT_ID:
            return ()
        if key not in self._ranks:
            self._ranks[key] = self._found_rank(key)
        return self._ranks[key]

    def _found_rank(self, key: FillerKey) -> Rank | None:
        for parent, place in self.index.parents(self.stream, key):
            above = self._rank(FillerKey(parent.id, parent.tsid))
            if above is not None:
                return (*above, parent.valid, parent.arrival, place)
        return None

    def _body(self, row: HistoryRow) -> Body:
        if row.arrival not in self._bodies:
            self._bodies[row.arrival] = cut_body(row.content)
        return self._bodies[row.arrival]

    def row(self, arrival: int) -> HistoryRow | None:
        """The filler that arrived so, if it was gathered."""
        return self._by_arrival.get(arrival)

    @cached_property
    def _by_arrival(self) -> dict[int, HistoryRow]:
        return {arrival: row for rows in self.rows.values() for arrival, row in rows.items()}

    # The document.

    def document(self) -> str:
        """The fillers in the order of the view, each in the first hole that it fills."""
        pieces = [f'<{WRAPPER} xmlns:xcql="{NAMESPACE}" xcql:stream={quoteattr(self.stream)}>']
        filled: set[FillerKey] = set()
        inner = {
            hole
            for rows in self.rows.values()
            for row in rows.values()
            for hole in self._body(row).holes
        }
        tops = [key for key in self._anchors if key not in inner]
        for key in sorted(tops, key=self._anchors.__getitem__):
            pieces += self._filled(key, filled)
        pieces.append(f"</{WRAPPER}>")
        return "".join(pieces)

    def _filled(self, key: FillerKey, filled: set[FillerKey]) -> Iterator[str]:
        if key in filled:
            return
        filled.add(key)
        rows = self.rows.get(key, {}).values()
        for row in sorted(rows, key=lambda each: (each.valid, each.arrival)):
            yield from self._filler(row, filled)

    def _filler(self, row: HistoryRow, filled: set[FillerKey]) -> Iterator[str]:
        time = format_instant(instant_of(row.valid))
        arrival = row.arrival * self.places + self.place
        tags = tags_attribute(row.tags)
        head = f'id="{row.id}" tsid="{row.tsid}" validTime="{time}" arrival="{arrival}"'
        yield f"<filler {head}{tags}>"
        body = self._body(row)
        yield body.pieces[0]
        for hole, piece in zip(body.holes, body.pieces[1:], strict=True):
            yield f'<hole id="{hole.id}" tsid="{hole.tsid}">'
            yield from self._filled(hole, filled)
            yield f"</hole>{piece}"
        yield "</filler>"
