"""Tagged streams cut into batches and resolved as a step would do it, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from millstream.model.tags import (
    Granularity,
    Mark,
    MarkedTuple,
    Placed,
    PlacedTag,
    Stix,
    StreamShape,
    StreamTuple,
    TickTag,
    format_stix,
)
from millstream.model.tags.step_layout import STEP_NUMBERS
from millstream.runtime.tags.batch import Batch, Resolved
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.indexed import PlacedStix
from millstream.runtime.tags.lateness import late_tags
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.numbers import LONG_AGO
from millstream.runtime.tags.resolution import resolve
from millstream.runtime.tags.tuples import TupleColumns
from millstream.runtime.tags.value_keys import value_keys

EVER = 10**15
"""A lateness within which nothing is late."""


def tuple_columns(placed: Sequence[Placed], shape: StreamShape) -> TupleColumns:
    """The tuples among some elements."""
    found = [(p.position, p.element) for p in placed if isinstance(p.element, StreamTuple)]

    def values(name: str) -> pa.Array:
        number = shape.names.index(name)
        texts = pa.array([each.texts[number] for _, each in found], pa.string())
        return value_keys(texts, shape.attributes[number].type)

    return TupleColumns(
        np.array([position for position, _ in found], np.int64),
        np.array([each.time for _, each in found], np.int64),
        lambda: pa.array([each.id for _, each in found], pa.string()),
        values,
    )


def tag_table(placed: Sequence[Placed], stream: str, first: int) -> pa.Table:
    """The tags among some elements, numbered from the first on."""
    found = [(p.position, p.element) for p in placed if isinstance(p.element, TickTag)]
    rows = [
        {
            "tag": first + number,
            "stream": stream,
            "position": position,
            "tagger": tag.tagger,
            "applicability": str(tag.applicability),
            "content": tag.content,
            "type": tag.type.value,
            "sign": tag.sign.value,
            "lifespan": tag.lifespan,
            "mode": tag.mode.name,
            "time": tag.timestamp,
        }
        for number, (position, tag) in enumerate(found)
    ]
    return pa.Table.from_pylist(rows, schema=TAG_FIELDS)


def batch_of(placed: Sequence[Placed], shape: StreamShape, step: int) -> Batch:
    """Some elements as a step gets them."""
    stixes = [
        PlacedStix(each.position, format_stix(each.element))
        for each in placed
        if isinstance(each.element, Stix)
    ]
    return Batch(
        step,
        tuple_columns(placed, shape),
        tag_table(placed, shape.name, step * STEP_NUMBERS),
        stixes=stixes,
    )


def in_batches(
    elements: Iterable[Placed], shape: StreamShape, cuts: Iterable[int], lateness: int = EVER
) -> tuple[tuple[MarkedTuple, ...], LiveTags]:
    """The tuples of a stream with their marks, resolved in batches that are cut at some places."""
    ordered = sorted(elements, key=lambda each: each.position)
    tags = {each.position: each.element for each in ordered if isinstance(each.element, TickTag)}
    tuples = {each.position: each.element for each in ordered}
    bounds = [0, *sorted(min(cut, len(ordered)) for cut in cuts), len(ordered)]
    live, known, found = LiveTags(), {}, []
    for step, (low, high) in enumerate(pairwise(bounds), 1):
        batch = batch_of(ordered[low:high], shape, step)
        late, overwritten = late_tags(
            batch.tags, batch.tuples, live.highest, lateness, live.overwritten
        )
        batch = replace(batch, tags=batch.tags.filter(pa.array(~late)))
        live = replace(live, overwritten=overwritten)
        resolved = resolve(live, batch, shape.names, lateness)
        live = resolved.live
        known |= members(resolved, batch, tags, shape)
        sets = dict(
            zip(*(resolved.sets.tagged.column(each).to_pylist() for each in (0, 1)), strict=True)
        )
        for position in batch.tuples.positions.tolist():
            marks = known[sets[position]] if position in sets else frozenset()
            found.append(MarkedTuple(position, tuples[position], marks))
    return tuple(found), live


def on_time(elements: Sequence[Placed], shape: StreamShape, lateness: int) -> tuple[Placed, ...]:
    """The elements without the tags that are set aside because they are late."""
    batch = batch_of(elements, shape, 1)
    late, _ = late_tags(batch.tags, batch.tuples, LONG_AGO, lateness, {})
    gone = set(batch.tags.filter(pa.array(late)).column("position").to_pylist())
    return tuple(each for each in elements if each.position not in gone)


def members(
    resolved: Resolved, batch: Batch, tags: dict[int, TickTag], shape: StreamShape
) -> dict[int, frozenset[Mark]]:
    """The marks that each set of a step stands for."""
    positions = {
        number: position
        for each in (batch.tags, resolved.sets.earlier_tags)
        for number, position in zip(
            each.column("tag").to_pylist(), each.column("position").to_pylist(), strict=True
        )
    }
    found: dict[int, set[Mark]] = {}
    for row in resolved.sets.members.to_pylist():
        position = positions[row["tag"]]
        tag = PlacedTag(shape.name, position, tags[position])
        names = shape.names if row["attribute"] is None else (row["attribute"],)
        granularity = Granularity(row["granularity"])
        found.setdefault(row["tagset"], set()).update(
            Mark(name, granularity, tag) for name in names
        )
    return {number: frozenset(marks) for number, marks in found.items()}
