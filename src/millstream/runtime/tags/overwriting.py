"""Which attachments are ended by later ones of the same tagger on the same object.

Mostly an overwriting tag reaches all tuples from one on: then it cuts off the ranges of earlier
tags there. Where it names tuples or is on a value, or where time goes back, the tuples that it
reaches are listed one by one, and so are those of the tags that it contends with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from millstream.model.tags.granularity import Granularity
from millstream.model.tags.name_pattern import NamePattern
from millstream.runtime.tags.attachments import Attachments
from millstream.runtime.tags.bindings import Bindings
from millstream.runtime.tags.columns import TagColumns
from millstream.runtime.tags.lanes import Lane, Spans
from millstream.runtime.tags.numbers import NEVER, NONE, Flags, Integers, occurring, ranges
from millstream.runtime.tags.pieces import Pieces
from millstream.runtime.tags.placement import Placement
from millstream.runtime.tags.tuples import ABSENT


@dataclass(frozen=True, slots=True)
class Reached:
    """Overwriting attachments with tuples that they reach, one by one."""

    attachments: Integers
    indices: Integers


def reaching_all(tags: TagColumns, attachments: Attachments) -> Flags:
    """The attachments that would end what is on any tuple, whatever its id and values."""
    named = tags.of_forms(np.array([not each.everywhere for each in tags.forms], np.bool_))
    found: Flags = ~attachments.of_value & ~named[attachments.tags]
    return found


class Overwriting:
    """What the overwriting attachments of a batch end."""

    def __init__(self, placement: Placement, bindings: Mapping[str, Bindings]) -> None:
        self._placement = placement
        self._attachments = attachments = placement.attachments
        self._around = placement.around
        self._ranks = placement.tags.ranks[attachments.tags]
        self._bindings = bindings
        overwriting = placement.tags.overwrite[attachments.tags]
        self._enders = np.flatnonzero(overwriting & self._contending())
        self.regular = reaching_all(placement.tags, attachments)

    def _contending(self) -> Flags:
        """The attachments before which there is another of the same group."""
        groups = self._attachments.groups
        order = np.lexsort((self._ranks, groups))
        first = np.ones(len(groups), np.bool_)
        first[order[1:]] = groups[order[1:]] != groups[order[:-1]]
        return ~first

    def apply(self, pieces: Pieces) -> Pieces:
        """What is left of attachments where later ones have ended them."""
        if not len(self._enders):
            return pieces
        regular = self._enders[self.regular[self._enders]]
        lane = self._around.lane(NamePattern())
        rows = self._attachments.tags[regular]
        settled, early = self._reach(lane, rows)
        indices = np.append(lane.indices, NEVER)[np.minimum(settled, len(lane))]
        kept = self._cut(pieces, self._cuts(regular, indices))
        listed = [Reached(regular[early.owners], lane.indices[early.low])]
        listed += self._named() + self._valued()
        return self._without(kept, listed)

    def _cuts(self, enders: Integers, indices: Integers) -> Integers:
        """The tuple from which on each attachment is ended; never for those that are not."""
        count = len(self._placement.tags) + 1
        keys = self._attachments.groups * count + self._ranks
        order = np.argsort(keys[enders])
        sorted_keys, sorted_groups = keys[enders][order], self._attachments.groups[enders][order]
        # The earliest reach among those of the group that were written at least this late.
        earliest = _lowest_from(indices[order], sorted_groups)
        places = np.searchsorted(sorted_keys, keys, side="right")
        padded = np.append(sorted_groups, -1)
        same = padded[places] == self._attachments.groups
        return np.where(same, np.append(earliest, NEVER)[places], NEVER)

    def _cut(self, pieces: Pieces, cuts: Integers) -> Pieces:
        attachments, indices = pieces.singles()
        there = indices < cuts[attachments]
        left = Pieces()
        left.add_singles(attachments[there], indices[there])
        for each in pieces.lanes:
            high = np.minimum(each.high, each.lane.places(cuts[each.attachments]))
            kept = each.low < high
            left.add(each.lane, each.attachments[kept], each.low[kept], high[kept])
        return left

    def _named(self) -> list[Reached]:
        """What attachments to named tuples reach."""
        parts = self._attachments.parts
        valued = np.array([each.layer is Granularity.VALUE for each in parts], np.bool_)
        enders = self._enders[
            ~self.regular[self._enders] & ~valued[self._attachments.kinds[self._enders]]
        ]
        listing = self._placement.lists_names(enders)
        found = [self._listed(enders[listing])]
        for pattern, sharing in self._by_pattern(enders[~listing]):
            lane = self._around.lane(pattern)
            settled, early = self._reach(lane, self._attachments.tags[sharing])
            places, owners = ranges(settled, np.full(len(settled), len(lane)))
            found.append(Reached(sharing[owners], lane.indices[places]))
            found.append(Reached(sharing[early.owners], lane.indices[early.low]))
        return found

    def _listed(self, enders: Integers) -> Reached:
        if not len(enders):
            return Reached(NONE, NONE)
        which, codes = self._placement.named(enders)
        indices, pairs = self._around.tuples.id_keys().pairs(codes)
        owners = enders[which[pairs]]
        there = self._is_reached(self._attachments.tags[owners], indices)
        return Reached(owners[there], indices[there])

    def _by_pattern(self, enders: Integers) -> Iterator[tuple[NamePattern, Integers]]:
        forms = self._placement.tags.forms
        codes = self._placement.tags.form_codes[self._attachments.tags[enders]]
        for code in occurring(codes):
            yield forms[code].tuples, enders[codes == code]

    def _reach(self, lane: Lane, rows: Integers) -> tuple[Integers, Spans]:
        tags = self._placement.tags
        return lane.reach(lane.behind(tags.positions[rows]), tags.times[rows])

    def _is_reached(self, rows: Integers, indices: Integers) -> Flags:
        """Whether tuples come after tags, in place and in time."""
        tags, around = self._placement.tags, self._around
        after: Flags = around.tuples.positions[indices] > tags.positions[rows]
        return after & (around.effective[indices] >= tags.times[rows])

    def _valued(self) -> list[Reached]:
        """What attachments to values reach: tuples with that value, once they are bound to it."""
        overwriting = np.zeros(len(self._attachments), np.bool_)
        overwriting[self._enders] = True
        return [self._with_value(each, overwriting) for each in self._bindings.values()]

    def _with_value(self, bound: Bindings, overwriting: Flags) -> Reached:
        usable = overwriting[bound.attachments] & (bound.codes != ABSENT)
        enders, since = bound.attachments[usable], bound.since[usable]
        indices, owners = bound.keys.pairs(bound.codes[usable])
        rows = self._attachments.tags[enders[owners]]
        reached = self._is_reached(rows, indices) & (indices >= since[owners])
        reached &= self._placement.is_named(rows, indices)
        return Reached(enders[owners[reached]], indices[reached])

    def _without(self, pieces: Pieces, listed: list[Reached]) -> Pieces:
        """Pieces without the tuples on which one of the listed attachments ends them."""
        enders = np.concatenate([each.attachments for each in listed])
        indices = np.concatenate([each.indices for each in listed])
        if not len(enders):
            return pieces
        groups = self._attachments.groups
        contested = np.isin(groups, groups[enders])
        attachments, places = pieces.where(contested).spread()
        last = _latest(groups[enders], indices, self._ranks[enders], len(self._around.tuples))
        ended = last(groups[attachments], places) > self._ranks[attachments]
        left = pieces.where(~contested)
        left.add_singles(attachments[~ended], places[~ended])
        return left


class _latest:  # noqa: N801 used as a function
    """The highest rank of what reaches a tuple in a group."""

    def __init__(self, groups: Integers, indices: Integers, ranks: Integers, count: int) -> None:
        self._count = count + 1
        keys = groups * self._count + indices
        order = np.lexsort((ranks, keys))
        ends = np.append(keys[order][1:] != keys[order][:-1], True)
        self._keys, self._ranks = keys[order][ends], ranks[order][ends]

    def __call__(self, groups: Integers, indices: Integers) -> Integers:
        keys = groups * self._count + indices
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[places] == keys, self._ranks[places], -1)


def _lowest_from(values: Integers, groups: Integers) -> Integers:
    """The lowest of the values from each on, within runs of equal groups."""
    if not len(values):
        return NONE
    # Going backwards, a later group must not bring its values into an earlier one.
    _, codes = np.unique(groups, return_inverse=True)
    order = np.lexsort((values, codes))
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.arange(len(values))
    lowest = np.minimum.accumulate(ranks[::-1])[::-1]
    return values[order][lowest]
