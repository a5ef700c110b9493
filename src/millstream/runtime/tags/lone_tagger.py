"""A tagger in a stream without other tags: what it attaches is told where a tuple is read.

Which set a tuple has is one number more in its row, told by the tagger's condition. What these
sets mean is written down after the step, from the results of the tagger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.algebra.tag_operators import Attach
from millstream.compiler.branch import batch_sql
from millstream.compiler.statement import Statement
from millstream.compiler.step_tags import ALL_TAGS, CONTENTS
from millstream.compiler.tags.attaching import AttachStatement
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.step_layout import STEP_NUMBERS, TAG, TAG_MARKS
from millstream.model.tags.tag_type import Classifier
from millstream.runtime.ledger import Json
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.step_channels import StepChannels
from millstream.runtime.tags.arrivals import with_types
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.numbers import Integers, integers
from millstream.runtime.tags.query_tags import BatchIds, Chosen, query_tags
from millstream.runtime.tags.set_tables import MEMBER_FIELDS, TAGGED_FIELDS

_RESULT = ("channel", "ordering", "values")


@dataclass(frozen=True, slots=True)
class LoneTagger:
    """The only tagger of a step, and how its tuples get their numbers."""

    attach: Attach
    channel: int
    sql: str
    """The number of the set of a tuple b, or null."""
    base: int
    """The number that the first tuple of the batch could have."""


def lone_tagger(
    statements: Mapping[str, Statement], step: StepChannels, begun: Json
) -> LoneTagger | None:
    """The tagger of a step, if it is the only one and nobody asks what tags say."""
    taggers = {
        signature: each
        for signature, each in statements.items()
        if isinstance(each, AttachStatement)
    }
    if len(taggers) != 1:
        return None
    ((signature, statement),) = taggers.items()
    channels = step.of_signature(signature)
    asked = batch_sql(statements, full=False, tags=ALL_TAGS)
    if not statement.alone or len(channels) > 1 or TAG_MARKS in asked or CONTENTS in asked:
        return None
    first = min(part["first_position"] for part in begun["parts"])
    base = begun["step"] * STEP_NUMBERS
    sql = statement.numbered(channels[0].constants, base, first)
    return LoneTagger(statement.attach, channels[0].number, sql, base)


@dataclass(frozen=True, slots=True)
class AttachedTables:
    """What a tagger has attached in a step."""

    tags: pa.Table
    members: pa.Table
    tagged: pa.Table


def attached_tables(
    tagger: LoneTagger, files: Sequence[str], stream: str, classify: Classifier, *, named: bool
) -> AttachedTables:
    """The tags and sets that the results of a tagger speak of."""
    chosen, sets, batch = _chosen(tagger, files)
    elements, starts = query_tags(tagger.attach, chosen, batch, integers(()), named=named)
    numbers = sets[starts]
    counts = np.diff(np.append(starts, len(chosen)))
    return AttachedTables(
        _tags(with_types(elements, classify), numbers, stream),
        _members(sets, np.repeat(numbers, counts), np.repeat(counts, counts)),
        pa.table([chosen.positions, sets], schema=TAGGED_FIELDS),
    )


def _chosen(tagger: LoneTagger, files: Sequence[str]) -> tuple[Chosen, Integers, BatchIds]:
    """The tuples that got a tag, in the order of their positions, their sets, and all tuples."""
    read = (pq.read_table(each, columns=list(_RESULT), partitioning=None) for each in files)
    found = pa.concat_tables(list(read))
    own = found.filter(compute.equal(found.column("channel"), tagger.channel))
    positions = integers(compute.list_flatten(own.column("ordering")).to_numpy())
    order = np.argsort(positions, kind="stable")
    ids, times, sets = _slots(own.column("values").combine_chunks().take(pa.array(order)))
    there = compute.is_valid(sets).to_numpy(zero_copy_only=False)
    kept = pa.array(there)
    numbers = _numbers(sets.filter(kept))
    chosen = Chosen(
        positions[order][there],
        _numbers(times.filter(kept)),
        integers((numbers - tagger.base) % len(tagger.attach.contents)),
        ids.filter(kept),
    )
    return chosen, numbers, BatchIds.of(positions, ids)


def _slots(values: Column) -> tuple[Column, Column, Column]:
    """The ids, times and sets of results."""
    if not len(values):
        return (pa.array([], pa.string()),) * 3
    last = values.value_lengths()[0].as_py() - 1
    ids, times, sets = (compute.list_element(values, place) for place in (0, 1, last))
    return ids, times, sets


def _numbers(texts: Column) -> Integers:
    return integers(texts.cast(pa.int64()).to_numpy(zero_copy_only=False))


def _tags(elements: pa.Table, numbers: Integers, stream: str) -> pa.Table:
    columns = {
        **{name: elements.column(name) for name in elements.column_names},
        TAG: pa.array(numbers),
        "stream": pa.repeat(stream, len(numbers)),
    }
    return pa.table([columns[name] for name in TAG_FIELDS.names], schema=TAG_FIELDS)


def _members(sets: Integers, tags: Integers, sharing: Integers) -> pa.Table:
    """One tag a set; a tag that several tuples share names them, and is one of a sub-stream."""
    words = pa.array([Granularity.TUPLE.value, Granularity.SUB_STREAM.value])
    columns = [
        pa.array(sets),
        pa.array(tags),
        pa.nulls(len(sets), pa.string()),
        compute.take(words, pa.array((sharing > 1).astype(np.int64))),
    ]
    return pa.table(columns, schema=MEMBER_FIELDS)
