"""Sets of tagged objects by number: tuples with the same tags have one number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

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
    numbers, first = _told_apart(one[tagged], other[tagged])
    of_tuple = np.full(count, -1)
    of_tuple[tagged] = numbers
    first = tagged[first]
    sets, attachments = _members(pieces, first)
    return TupleSets(of_tuple, (one[first], other[first]), sets, attachments)


def _told_apart(one: Hashes, other: Hashes) -> tuple[Integers, Integers]:
    """Equal pairs numbered as they first appear, and where they do."""
    numbers, _ = pd.factorize(one)
    first = np.zeros(int(numbers.max(initial=-1)) + 1, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    if np.array_equal(other, other[first][numbers]):
        return integers(numbers), first
    # Two sets with one hash: there is the other.
    numbers, _ = pd.factorize(one.astype(object) * 2**64 + other.astype(object))
    first = np.zeros(int(numbers.max(initial=-1)) + 1, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return integers(numbers), first


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
    return integers(sets), integers(members)


def _lane_members(pieces: LanePieces, first: Integers) -> tuple[Integers, Integers]:
    wanted: Flags = np.isin(pieces.lane.indices, first, assume_unique=True)
    places = np.flatnonzero(wanted)
    numbers = np.searchsorted(first, pieces.lane.indices[places])
    inside, owners = ranges(
        integers(np.searchsorted(places, pieces.low)),
        integers(np.searchsorted(places, pieces.high)),
    )
    return integers(numbers[inside]), pieces.attachments[owners]
