"""Versions of fillers and their order in the temporal view, found in this process.

For histories of up to some hundred thousand fillers, of which no more than ids, times and holes is
looked at: Spark would take minutes to plan what is done here in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import pyarrow as pa

from millstream.model.filler import ROOT_ID, FillerKey
from millstream.model.filler_layout import OPEN, START
from millstream.model.tag_structure import TagStructure, TagType

NARROW = ("id", "valid", "arrival", "hole_ids", "hole_tags")
"""The columns that are looked at."""
Bodies = Callable[[int, Sequence[int]], Mapping[int, object]]
"""What fillers of a tag hold, by their arrivals: asked only of those with one id and time."""


@dataclass(frozen=True, slots=True)
class Version:
    """A filler that counts, as far as its place depends on it."""

    tsid: int
    id: int
    arrival: int
    number: int
    begin: int
    until: int
    holes: tuple[FillerKey, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The columns that a table of versions has beside those that are stored."""

    arrival: list[int]
    version: list[int]
    begin: list[int]
    until: list[int]
    rank: list[int]


def placed_versions(
    tables: Mapping[int, pa.Table], structure: TagStructure, bodies: Bodies
) -> dict[int, Placed]:
    """The fillers in view, by tag, with their versions and ranks."""
    versions: dict[FillerKey, list[Version]] = {}
    for tsid, table in tables.items():
        for each in _versions(tsid, table, structure.tag(tsid).type, bodies):
            versions.setdefault(FillerKey(each.id, tsid), []).append(each)
    found = {tsid: Placed([], [], [], [], []) for tsid in tables}
    root = FillerKey(ROOT_ID, structure.root.id)
    seen = {root}
    waiting = list(reversed(versions.get(root, [])))
    rank = 0
    while waiting:
        version = waiting.pop()
        rank += 1
        _add(found[version.tsid], version, rank)
        further: list[Version] = []
        for hole in version.holes:
            if hole not in seen:
                seen.add(hole)
                further += versions.get(hole, ())
        waiting += reversed(further)
    return found


def _add(placed: Placed, version: Version, rank: int) -> None:
    placed.arrival.append(version.arrival)
    placed.version.append(version.number)
    placed.begin.append(version.begin)
    placed.until.append(version.until)
    placed.rank.append(rank)


def _versions(tsid: int, table: pa.Table, type: TagType, bodies: Bodies) -> list[Version]:
    """The fillers of a tag that count, in order of ids and versions."""
    columns = (table[name].to_pylist() for name in NARROW)
    rows = sorted(zip(*columns, strict=True), key=lambda row: row[:3])
    found: list[Version] = []
    for id, same in groupby(rows, key=lambda row: row[0]):
        kept = _counting(tsid, list(same), type, bodies)
        for place, (_, valid, arrival, ids, tags) in enumerate(kept):
            begin = START if type is TagType.SNAPSHOT and place == 0 else valid
            last = place + 1 == len(kept)
            until = valid if type is TagType.EVENT else OPEN if last else kept[place + 1][1]
            holes = tuple(map(FillerKey, ids, tags))
            found.append(Version(tsid, id, arrival, place + 1, begin, until, holes))
    return found


_Row = tuple[int, int, int, list[int], list[int]]


def _counting(tsid: int, rows: list[_Row], type: TagType, bodies: Bodies) -> list[_Row]:
    """Of the fillers of one id those that count: no repeats, and of what was replaced the last."""
    kept: list[_Row] = []
    for _, group in groupby(rows, key=lambda row: row[1]):
        same = list(group)
        if len(same) == 1:
            kept += same
            continue
        held = bodies(tsid, [row[2] for row in same])
        if type is TagType.EVENT:
            first = {held[row[2]]: row for row in reversed(same)}
            kept += sorted(first.values(), key=lambda row: row[2])
        else:
            said = [
                row
                for place, row in enumerate(same)
                if place == 0 or held[row[2]] != held[same[place - 1][2]]
            ]
            kept.append(said[-1])
    return kept
