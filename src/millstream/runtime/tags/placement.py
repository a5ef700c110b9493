"""Which tuples of a batch attachments are on, as long as nothing ends them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from millstream.model.tags.name_pattern import NamePattern
from millstream.runtime.tags.attachments import Attachments
from millstream.runtime.tags.columns import IN_RUN, SPENT, TagColumns
from millstream.runtime.tags.lanes import Lane
from millstream.runtime.tags.numbers import (
    LONG_AGO,
    NEVER,
    Flags,
    Integers,
    integers,
    occurring,
    ranges,
)
from millstream.runtime.tags.pieces import Pieces
from millstream.runtime.tags.tuples import ABSENT, Keyed, Surroundings

MANY = 256
"""Tuples with one name, from which on it is worth to look for a range of them."""


class Placement:
    """Finds the tuples of attachments by place, time, name and attribute."""

    def __init__(
        self, tags: TagColumns, attachments: Attachments, around: Surroundings, breaks: Integers
    ) -> None:
        """`breaks` are the positions of what interrupts a run of tuples."""
        self.tags = tags
        self.attachments = attachments
        self.around = around
        forms = tags.forms
        self._listed = [form.tuples.names() for form in forms]
        self.next_tuple = tags.of_forms(np.array([each.one_tuple for each in forms], np.bool_))
        self.of_run = tags.of_forms(np.array([each.of_run for each in forms], np.bool_))
        positions = around.tuples.positions
        self.first = integers(np.searchsorted(positions, tags.positions, side="right"))
        """The first tuple that each tag can be on; beyond the last where there is none."""
        self.last = np.full(len(tags), len(positions))
        """Just after the last tuple."""
        self.run_over = self._find_runs(breaks)
        """The tags whose run of tuples has ended."""
        self._find_next()
        self.first[tags.statuses == SPENT] = self.last[tags.statuses == SPENT] = len(positions)

    def _find_runs(self, breaks: Integers) -> Flags:
        positions, tags = self.around.tuples.positions, self.tags
        goes_on = self.of_run & (tags.statuses == IN_RUN)
        self.first[goes_on] = 0
        begun = np.flatnonzero(self.of_run & ((self.first < len(positions)) | goes_on))
        # A run that goes on from the batch before is broken by whatever comes first.
        since = np.append(positions, LONG_AGO)[self.first[begun]]
        since[goes_on[begun]] = LONG_AGO
        places = np.searchsorted(breaks, since)
        ends = np.append(breaks, NEVER)[places]
        self.last[begun] = np.searchsorted(positions, ends)
        over = np.zeros(len(tags), np.bool_)
        over[begun] = places < len(breaks)
        return over

    def _find_next(self) -> None:
        """Let each tag that one tuple uses up have that tuple."""
        wanted: dict[tuple[str, ...], list[int]] = {}
        for code, form in enumerate(self.tags.forms):
            if form.one_tuple:
                wanted.setdefault(form.attributes, []).append(code)
        for attributes, codes in wanted.items():
            rows = np.flatnonzero(np.isin(self.tags.form_codes, codes))
            lane = self.around.lane(NamePattern(), attributes)
            start = lane.behind(self.tags.positions[rows])
            found = lane.first(start, self.tags.times[rows]) if len(lane) else start
            indices = np.append(lane.indices, len(self.around.tuples))
            self.first[rows] = indices[np.minimum(found, len(lane))]
            self.last[rows] = np.minimum(self.first[rows] + 1, len(self.around.tuples))

    def place(self, chosen: Integers) -> Pieces:
        """The tuples of some attachments, each with a value for the attribute it is on."""
        pieces = Pieces()
        rows = self.attachments.tags[chosen]
        next_tuple = self.next_tuple[rows]
        self._place_next(pieces, chosen[next_tuple])
        others = chosen[~next_tuple]
        by_name = self.lists_names(others)
        self._place_in_lanes(pieces, others[~by_name])
        self._place_by_name(pieces, others[by_name])
        return pieces

    def _place_next(self, pieces: Pieces, chosen: Integers) -> None:
        rows = self.attachments.tags[chosen]
        there = self.first[rows] < self.last[rows]
        for attribute, sharing in self._by_attribute(chosen[there]):
            indices = self.first[self.attachments.tags[sharing]]
            if attribute is not None:
                present = self.around.tuples.attribute(attribute).present[indices]
                sharing, indices = sharing[present], indices[present]
            pieces.add_singles(sharing, indices)

    def _place_in_lanes(self, pieces: Pieces, chosen: Integers) -> None:
        for attribute, sharing in self._by_attribute(chosen):
            codes = self.tags.form_codes[self.attachments.tags[sharing]]
            texts = [form.tuples.text for form in self.tags.forms]
            for text in dict.fromkeys(texts[code] for code in occurring(codes)):
                alike = np.array([each == text for each in texts], np.bool_)[codes]
                attributes = () if attribute is None else (attribute,)
                lane = self.around.lane(NamePattern(text), attributes)
                self.place_in(pieces, lane, sharing[alike])

    def place_in(self, pieces: Pieces, lane: Lane, chosen: Integers) -> None:
        """Attachments that are on all tuples of a lane within their time and place."""
        if not len(lane):
            return
        rows = self.attachments.tags[chosen]
        spans = lane.spans(
            lane.places(self.first[rows]), self.tags.times[rows], self.tags.ends[rows]
        )
        high = np.minimum(spans.high, lane.places(self.last[rows])[spans.owners])
        kept = spans.low < high
        pieces.add(lane, chosen[spans.owners[kept]], spans.low[kept], high[kept])

    def _place_by_name(self, pieces: Pieces, chosen: Integers) -> None:
        if not len(chosen):
            return
        keys = self.around.tuples.id_keys()
        for attribute, sharing in self._by_attribute(chosen):
            named, codes = self.named(sharing)
            present = None if attribute is None else self.around.tuples.attribute(attribute).present
            self.place_keyed(pieces, keys, sharing[named], codes, present)

    def lists_names(self, chosen: Integers) -> Flags:
        """Which attachments name their tuples one by one."""
        listing = np.array([each is not None for each in self._listed], np.bool_)
        return listing[self.tags.form_codes[self.attachments.tags[chosen]]]

    def named(self, chosen: Integers) -> tuple[Integers, Integers]:
        """Attachments that list names: which, once for each name that a tuple has, and its code."""
        forms = self.tags.form_codes[self.attachments.tags[chosen]]
        used, which = np.unique(forms, return_inverse=True)
        listed = [self._codes_of(form) for form in used.tolist()]
        lengths = integers([len(each) for each in listed])
        starts = np.cumsum(lengths) - lengths
        flat = integers([code for each in listed for code in each])
        places, owners = ranges(starts[which], starts[which] + lengths[which])
        return owners, flat[places]

    def _codes_of(self, form: int) -> list[int]:
        """The codes of the names that a form lists, as far as tuples have them."""
        keys = self.around.tuples.id_keys()
        return sorted({keys.code(name) for name in self._listed[form] or ()} - {ABSENT})

    def is_named(self, rows: Integers, indices: Integers) -> Flags:
        """Whether tags name tuples."""
        forms, codes = self.tags.forms, self.tags.form_codes[rows]
        found: Flags = np.array([each.everywhere for each in forms], np.bool_)[codes]
        pairs, count = [], len(self.around.tuples) + 1
        for form in occurring(codes[~found]):
            if self._listed[form] is not None:
                pairs += [form * count + code for code in self._codes_of(form)]
            else:
                alike = codes == form
                found[alike] = self.around.named(forms[form].tuples)[indices[alike]]
        if pairs:
            keys = codes * count + self.around.tuples.id_keys().codes[indices]
            found |= np.isin(keys, pairs)
        return found

    def is_inside(self, rows: Integers, indices: Integers, since: Integers) -> Flags:
        """Whether tuples are where and when tags can be on them."""
        inside: Flags = (
            (indices >= since) & (indices < self.last[rows]) & self.around.timed()[indices]
        )
        inside &= self.around.tuples.times[indices] >= self.tags.times[rows]
        inside &= self.around.effective[indices] < self.tags.ends[rows]
        return inside

    def place_keyed(
        self,
        pieces: Pieces,
        keys: Keyed,
        chosen: Integers,
        codes: Integers,
        allowed: Flags | None = None,
        since: Integers | None = None,
    ) -> None:
        """Attachments that are on the tuples with a code, as far as these are allowed.

        `since` are the tuples from which on they are, if not from the first of their tags.
        """
        few = keys.counts(codes) <= MANY
        indices, owners = keys.pairs(codes[few])
        rows = self.attachments.tags[chosen[few][owners]]
        inside = self.is_inside(
            rows, indices, self.first[rows] if since is None else since[few][owners]
        )
        if allowed is not None:
            inside &= allowed[indices]
        pieces.add_singles(chosen[few][owners[inside]], indices[inside])
        usable = self.around.timed() if allowed is None else allowed & self.around.timed()
        for code in occurring(codes[~few]):
            members = keys.members(code)
            lane = self.around.lane_of(members[usable[members]])
            sharing = ~few & (codes == code)
            self._place_since(pieces, lane, chosen[sharing], since, sharing)

    def _place_since(
        self,
        pieces: Pieces,
        lane: Lane,
        chosen: Integers,
        since: Integers | None,
        sharing: Flags,
    ) -> None:
        if since is None:
            self.place_in(pieces, lane, chosen)
            return
        found = Pieces()
        self.place_in(found, lane, chosen)
        begun = np.zeros(len(self.attachments), np.int64)
        begun[chosen] = lane.places(since[sharing])
        for each in found.lanes:
            low = np.maximum(each.low, begun[each.attachments])
            kept = low < each.high
            pieces.add(lane, each.attachments[kept], low[kept], each.high[kept])
        attachments, indices = found.singles()
        there = lane.places(indices) >= begun[attachments]
        pieces.add_singles(attachments[there], indices[there])

    def _by_attribute(self, chosen: Integers) -> Iterator[tuple[str | None, Integers]]:
        names = [part.attribute for part in self.attachments.parts]
        kinds = self.attachments.kinds[chosen]
        for name in dict.fromkeys(names[kind] for kind in occurring(kinds)):
            alike = np.array([each == name for each in names], np.bool_)[kinds]
            yield name, chosen[alike]
