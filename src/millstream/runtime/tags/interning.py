"""Sets of tagged objects by number: tuples with the same tags have one number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from millstream.runtime.tags.numbers import Flags, Hashes, Integers, integers, ranges
from millstream.runtime.tags.pieces import LanePieces, Pieces


@dataclass(frozen=True, slots=True, eq=False)
class TupleSets:
    """The sets that tuples have, numbered from 0 as they first appear; -1 for no tags."""

    of_tuple: Integers
    hashes: tuple[Hashes, Hashes]
    """Of each set."""
    sets: Integers
    """The sets again, once for each member."""
    members: Integers
    """An attachment for each of these."""


def sets_of(pieces: Pieces, hashes: tuple[Hashes, Hashes], count: int) -> TupleSets:
    """The sets of so many tuples, told apart by the sums of their members' hashes."""
    members = _sums(pieces, np.ones(len(hashes[0]), np.uint64), count)
    one, other = (_sums(pieces, each, count) for each in hashes)
    tagged = np.flatnonzero(members)
    order = tagged[np.lexsort((tagged, other[tagged], one[tagged]))]
    new = np.append(True, (np.diff(one[order]) != 0) | (np.diff(other[order]) != 0))[: len(order)]
    first = order[new]
    # Numbers follow the first tuples, not the hashes.
    by_place = np.argsort(first)
    number = np.empty(len(first), np.int64)
    number[by_place] = np.arange(len(first))
    of_tuple = np.full(count, -1)
    of_tuple[order] = number[np.cumsum(new) - 1]
    first = first[by_place]
    sets, attachments = _members(pieces, first)
    return TupleSets(of_tuple, (one[first], other[first]), sets, attachments)


def _sums(pieces: Pieces, values: Hashes, count: int) -> Hashes:
    """For each tuple, the sum of the values of the attachments on it."""
    sums = np.zeros(count, np.uint64)
    attachments, indices = pieces.singles()
    np.add.at(sums, indices, values[attachments])
    for each in pieces.lanes:
        changes = np.zeros(len(each.lane) + 1, np.uint64)
        np.add.at(changes, each.low, values[each.attachments])
        np.subtract.at(changes, each.high, values[each.attachments])
        sums[each.lane.indices] += np.cumsum(changes[:-1])
    return sums


def _members(pieces: Pieces, first: Integers) -> tuple[Integers, Integers]:
    """The attachments on the first tuple of each set; these are in order."""
    attachments, indices = pieces.singles()
    places = np.searchsorted(first, indices)
    there = places < len(first)
    there[there] = first[places[there]] == indices[there]
    found = [(places[there], attachments[there])]
    found += [_lane_members(each, first) for each in pieces.lanes]
    sets, members = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.lexsort((members, sets))
    return integers(sets[order]), integers(members[order])


def _lane_members(pieces: LanePieces, first: Integers) -> tuple[Integers, Integers]:
    wanted: Flags = np.isin(pieces.lane.indices, first, assume_unique=True)
    places = np.flatnonzero(wanted)
    numbers = np.searchsorted(first, pieces.lane.indices[places])
    inside, owners = ranges(
        integers(np.searchsorted(places, pieces.low)),
        integers(np.searchsorted(places, pieces.high)),
    )
    return integers(numbers[inside]), pieces.attachments[owners]
