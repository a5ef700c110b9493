"""Which tags are on which tuples of a batch: the rules, a column at a time.

One pass serves all subscriptions. What is left for the next batch is what can still be on tuples,
and what can still end others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from millstream.model.tags.granularity import Granularity
from millstream.model.tags.step_layout import STEP_NUMBERS
from millstream.runtime.tags.attachments import Attachments, attachments_of, hashes
from millstream.runtime.tags.batch import Batch, Resolved
from millstream.runtime.tags.bindings import bind
from millstream.runtime.tags.columns import INDEXED, TagColumns, arrived
from millstream.runtime.tags.forms import Part
from millstream.runtime.tags.indexed import IndexedMark, IndexedTags, read_indexes
from millstream.runtime.tags.interning import TupleSets, sets_of
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.numbers import Integers, integers
from millstream.runtime.tags.overwriting import Overwriting
from millstream.runtime.tags.passing import passing
from millstream.runtime.tags.pieces import Pieces
from millstream.runtime.tags.placement import Placement
from millstream.runtime.tags.remaining import remaining
from millstream.runtime.tags.set_tables import ResolvedSets, numbered_sets
from millstream.runtime.tags.tuples import Surroundings


def resolve(live: LiveTags, batch: Batch, names: Sequence[str], lateness: int) -> Resolved:
    """The tags on the tuples of a batch; `names` are the attributes in the order of stix."""
    return passing(live, batch) or resolve_all(live, batch, names, lateness)


def resolve_all(live: LiveTags, batch: Batch, names: Sequence[str], lateness: int) -> Resolved:
    """The same by the rules for tags of all kinds."""
    around = Surroundings(batch.tuples, live.highest, lateness)
    indexed = _indexed(live, batch)
    tags = TagColumns(_in_play(live, batch.tags, indexed))
    attachments = attachments_of(tags)
    breaks = np.sort(
        np.concatenate(
            (
                integers(batch.tags.column("position").to_numpy()),
                integers([each.position for each in batch.stixes]),
            )
        )
    )
    placement = Placement(tags, attachments, around, breaks)
    valued = attachments.of_value
    bindings, of_values = bind(placement, np.flatnonzero(valued))
    shown = ~tags.retraction[attachments.tags]
    pieces = placement.place(np.flatnonzero(~valued & shown))
    pieces = _joined(pieces, of_values.where(shown))
    overwriting = Overwriting(placement, bindings)
    pieces = overwriting.apply(pieces)
    attachments, pieces = _with_indexed(attachments, pieces, tags, indexed.marks, names)
    sums = hashes(tags.numbers[attachments.tags], attachments.numbers)
    sets = sets_of(pieces, sums, len(batch.tuples))
    staying = remaining(placement, overwriting, bindings, lateness, indexed.index)
    resolved = _resolved(batch, tags, attachments, sets, live, staying)
    kept = replace(
        live,
        table=staying,
        highest=around.highest,
        index=indexed.index,
        overwritten=live.overwritten,
        sets=resolved.recurring,
    )
    return Resolved(resolved, kept)


def _indexed(live: LiveTags, batch: Batch) -> IndexedTags:
    own = batch.tags.slice(batch.attached)
    return read_indexes(
        live.index,
        batch.stixes,
        batch.tuples.positions,
        integers(own.column("position").to_numpy()),
        integers(own.column("tag").to_numpy()),
    )


def _in_play(live: LiveTags, tags: pa.Table, indexed: IndexedTags) -> pa.Table:
    """The tags that are alive and those that are new, told apart by whether a stix has them."""
    joined = pa.concat_tables([live.table, arrived(tags)]).combine_chunks()
    if not indexed.tags:
        return joined
    numbers = integers(joined.column("tag").to_numpy())
    told = np.isin(numbers, list(indexed.tags))
    statuses = np.where(told, INDEXED, integers(joined.column("status").to_numpy()))
    place = joined.column_names.index("status")
    return joined.set_column(place, "status", pa.array(statuses))


def _joined(one: Pieces, other: Pieces) -> Pieces:
    together = Pieces(one.lanes + other.lanes)
    together.add_singles(*one.singles())
    together.add_singles(*other.singles())
    return together


def _with_indexed(
    attachments: Attachments,
    pieces: Pieces,
    tags: TagColumns,
    marks: Sequence[IndexedMark],
    names: Sequence[str],
) -> tuple[Attachments, Pieces]:
    """Attachments and pieces with those that stix ask for."""
    rows = {number: row for row, number in enumerate(tags.numbers.tolist())} if marks else {}
    usable = [
        each
        for each in marks
        if each.attribute <= len(names) and not tags.retraction[rows[each.tag]]
    ]
    if not usable:
        return attachments, pieces
    parts = dict.fromkeys(attachments.parts)
    kinds = {part: code for code, part in enumerate(parts)}
    wanted = {(each.tag, each.attribute): None for each in usable}
    places = {key: len(attachments) + number for number, key in enumerate(wanted)}
    new = [kinds.setdefault(_part(attribute, names), len(kinds)) for _, attribute in wanted]
    more = Attachments(
        np.append(attachments.tags, [rows[tag] for tag, _ in wanted]),
        np.append(attachments.numbers, [attribute for _, attribute in wanted]),
        np.append(attachments.kinds, new),
        tuple(kinds),
        np.append(attachments.groups, [-1] * len(new)),
    )
    pieces.add_singles(
        integers([places[each.tag, each.attribute] for each in usable]),
        integers([each.index for each in usable]),
    )
    return more, pieces


def _part(attribute: int, names: Sequence[str]) -> Part:
    if not attribute:
        return Part(None, Granularity.TUPLE, Granularity.TUPLE)
    return Part(names[attribute - 1], Granularity.ATTRIBUTE, Granularity.ATTRIBUTE)


def _resolved(
    batch: Batch,
    tags: TagColumns,
    attachments: Attachments,
    sets: TupleSets,
    live: LiveTags,
    staying: pa.Table,
) -> ResolvedSets:
    kept: Integers = integers(staying.column("tag").to_numpy())
    lasting = np.isin(tags.numbers, kept) & ~tags.instant
    first = batch.step * STEP_NUMBERS
    return numbered_sets(batch.tuples.positions, tags, attachments, sets, live.sets, lasting, first)
