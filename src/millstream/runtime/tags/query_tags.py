"""Tags that queries attach, as elements that stand before the tuples they are on.

Tuples that follow one another and get the same tag share it: one tag names the run. So the number
of tags is that of runs, not of tuples. All is done a column at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from millstream.algebra.tag_operators import Attach
from millstream.model.tags import (
    Applicability,
    Mode,
    NamePattern,
    ObjectName,
)
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.tags.intake.tag_rows import ELEMENT_FIELDS
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.numbers import Flags, Integers, flags, integers

LONGEST_RUN = 64
"""Tuples that may share a tag: its pattern names them all."""
_PLAIN = r"\A\w[\w-]*\z"
"""An id that is a pattern of itself alone."""
_NAMES = "NAMES"
_TOLD = ("tagger", "applicability")


@dataclass(frozen=True, eq=False)
class Chosen:
    """The tuples that get a tag, in the order of their positions."""

    positions: Integers
    times: Integers
    choices: Integers
    ids: Column

    @classmethod
    def of(cls, rows: pa.Table) -> Chosen:
        """The tuples of some rows; one that equal queries have chosen counts once."""
        ordered = rows.sort_by([("position", "ascending"), ("choice", "ascending")])
        names = ("position", "time", "choice")
        columns = [integers(ordered.column(each).to_numpy()) for each in names]
        again = (np.diff(columns[0]) == 0) & (np.diff(columns[2]) == 0)
        kept = np.concatenate(([True], ~again)) if len(columns[0]) else np.zeros(0, np.bool_)
        ids = ordered.column("id").combine_chunks().filter(pa.array(kept))
        return cls(columns[0][kept], columns[1][kept], columns[2][kept], ids)

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, eq=False)
class BatchIds:
    """All tuples of a batch: where they stand, and which ids name more than one of them."""

    positions: Integers
    """In order."""
    repeated: Column

    @classmethod
    def of(cls, positions: Integers, ids: Column) -> BatchIds:
        counted = compute.value_counts(ids)
        often = compute.greater(counted.field("counts"), 1)
        return cls(np.sort(positions), counted.field("values").filter(often))


def query_tags(
    attach: Attach, chosen: Chosen, batch: BatchIds, cuts: Integers, *, named: bool
) -> tuple[pa.Table, Integers]:
    """The elements of a tagger for the tuples that it has chosen, and where their runs begin.

    `cuts` are positions of other tags, behind which a new run begins. Tags are shared where tuples
    are named by ids.
    """
    shared = named and attach.lifespan is None and attach.mode is Mode.COMBINE
    starts = _starts(chosen, batch, np.sort(cuts)) if shared else np.arange(len(chosen))
    contents = np.array(attach.contents, dtype=object)[chosen.choices[starts]]
    count = len(starts)
    columns = {
        "position": pa.array(chosen.positions[starts] - 1),
        "stix": pa.nulls(count, pa.string()),
        "tagger": pa.repeat(attach.tagger, count),
        "applicability": _applicabilities(attach, chosen, starts),
        "content": pa.array(contents, pa.string()),
        "type": pa.nulls(count, pa.string()),
        "sign": pa.repeat(attach.sign.value, count),
        "lifespan": pa.array([attach.lifespan] * count, pa.int64()),
        "mode": pa.repeat(attach.mode.name, count),
        "time": pa.array(chosen.times[starts]),
    }
    elements = pa.table([columns[name] for name in ELEMENT_FIELDS.names], schema=ELEMENT_FIELDS)
    return elements, starts


def _starts(chosen: Chosen, batch: BatchIds, cuts: Integers) -> Integers:
    """Where runs begin: tuples that follow one another, get the same content and have plain ids."""
    places = np.searchsorted(batch.positions, chosen.positions)
    between = np.searchsorted(cuts, chosen.positions)
    plain = _is_plain(chosen.ids)
    if len(batch.repeated):
        # A name in a run is on all that it names there.
        again = compute.is_in(chosen.ids, value_set=batch.repeated)
        plain &= ~again.to_numpy(zero_copy_only=False)
    goes_on = (
        (np.diff(places) == 1)
        & (np.diff(between) == 0)
        & (np.diff(chosen.choices) == 0)
        & (np.diff(chosen.times) >= 0)
        & plain[1:]
        & plain[:-1]
    )
    begins = np.concatenate(([True], ~goes_on))
    first = np.maximum.accumulate(np.where(begins, np.arange(len(chosen)), 0))
    too_long = (np.arange(len(chosen)) - first) % LONGEST_RUN == 0
    return integers(np.flatnonzero(begins | too_long))


def _is_plain(ids: Column) -> Flags:
    return flags(compute.fill_null(compute.match_substring_regex(ids, _PLAIN), False))


def _applicabilities(attach: Attach, chosen: Chosen, starts: Integers) -> pa.Array:
    """What each tag is on: the next tuple, or all tuples of a run by their names."""
    objects = (ObjectName(attach.attribute, attach.of_value),) if attach.attribute else ()
    next_one = str(Applicability(objects=objects))
    ends = np.append(starts[1:], len(chosen))
    alone = ends - starts == 1
    if alone.all():
        return pa.repeat(next_one, len(starts))
    offsets = pa.array(np.append(starts, len(chosen)).astype(np.int32))
    names = compute.binary_join(pa.ListArray.from_arrays(offsets, chosen.ids), "|")
    before, after = str(Applicability(tuples=NamePattern(_NAMES), objects=objects)).split(_NAMES)
    run = compute.binary_join_element_wise(before, names, after, "")
    return compute.if_else(pa.array(alone), next_one, run)


def named_runs(elements: pa.Table) -> set[tuple[str, str]]:
    """The Instant tags that name tuples one by one: who attached them, and to whom."""
    named = compute.invert(compute.starts_with(elements.column("applicability"), "*,*,"))
    rows = elements.filter(compute.and_(named, compute.is_null(elements.column("lifespan"))))
    return set(zip(*(rows.column(each).to_pylist() for each in _TOLD), strict=True))


def without_runs(live: LiveTags, runs: set[tuple[str, str]]) -> LiveTags:
    """What is in play without tags that are on no tuple but those of the batch they came with."""
    told = zip(*(live.table.column(each).to_pylist() for each in _TOLD), strict=True)
    kept = pa.array([each not in runs for each in told], pa.bool_())
    return replace(live, table=live.table.filter(kept))
