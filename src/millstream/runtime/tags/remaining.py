"""Which tags stay in play after a batch: those that can be on later tuples, or end others there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa

from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.tags.attachments import Attachments
from millstream.runtime.tags.bindings import Bindings
from millstream.runtime.tags.columns import BOUND, IN_RUN, INDEXED, SPENT, TagColumns
from millstream.runtime.tags.live import OpenIndex
from millstream.runtime.tags.numbers import LONG_AGO, Flags, Integers, integers
from millstream.runtime.tags.overwriting import Overwriting
from millstream.runtime.tags.placement import Placement


def remaining(
    placement: Placement,
    overwriting: Overwriting,
    bindings: Mapping[str, Bindings],
    lateness: int,
    index: OpenIndex | None,
) -> pa.Table:
    """The tags in play after a batch, with their statuses and bindings."""
    tags, attachments, around = placement.tags, placement.attachments, placement.around
    highest = around.highest
    settled = highest if highest == LONG_AGO else highest - lateness
    statuses = _statuses(placement, settled)
    over = ended_for_good(tags, attachments, overwriting.regular, settled)
    alive = (statuses != SPENT) & ~over & (statuses != INDEXED)
    ending = _still_ending(tags, attachments, alive, settled) & ~over
    awaited = np.isin(tags.numbers, index.tags if index else ())
    kept = alive | ending | awaited
    bound = _bound(tags, attachments, bindings.values())
    table = tags.table.set_column(
        tags.table.column_names.index("status"), "status", pa.array(statuses)
    )
    table = table.set_column(table.column_names.index("bound"), "bound", bound)
    return table.filter(pa.array(kept)).combine_chunks()


def _statuses(placement: Placement, settled: int) -> Integers:
    """What has become of each tag."""
    tags = placement.tags
    count = len(placement.around.tuples)
    statuses = tags.statuses.copy()
    statuses[(tags.ends <= settled) & ~tags.instant & (statuses != INDEXED)] = SPENT
    used = placement.next_tuple & (placement.first < count)
    begun = placement.of_run & (placement.first < count) & (statuses != INDEXED)
    statuses[begun & (statuses != SPENT)] = IN_RUN
    statuses[used | placement.run_over] = SPENT
    # To retract needs no tuple, but for what is retracted from a value.
    whole = np.array([not any(p.of_value for p in form.parts) for form in tags.forms], np.bool_)
    statuses[tags.retraction & tags.of_forms(whole) & (statuses != INDEXED)] = SPENT
    return np.where(tags.statuses == INDEXED, INDEXED, statuses)


def ended_for_good(
    tags: TagColumns, attachments: Attachments, regular: Flags, settled: int
) -> Flags:
    """The tags that are ended on every later tuple, as time has passed what ended them."""
    ranks = tags.ranks[attachments.tags]
    enders = regular & tags.overwrite[attachments.tags] & (tags.times[attachments.tags] <= settled)
    groups = attachments.groups
    latest = np.full(int(groups.max(initial=-1)) + 1, -1)
    np.maximum.at(latest, groups[enders], ranks[enders])
    over = np.zeros(len(tags), np.bool_)
    over[attachments.tags] = True
    over[attachments.tags[ranks >= latest[groups]]] = False
    return over


def _still_ending(tags: TagColumns, attachments: Attachments, alive: Flags, settled: int) -> Flags:
    """The overwriting tags before which one is alive, or may still arrive."""
    ranks = tags.ranks[attachments.tags]
    groups = attachments.groups
    earliest = np.full(int(groups.max(initial=-1)) + 1, len(tags))
    living = alive[attachments.tags]
    np.minimum.at(earliest, groups[living], ranks[living])
    found = np.zeros(len(tags), np.bool_)
    found[attachments.tags[earliest[groups] < ranks]] = True
    found |= tags.times > settled
    found &= tags.overwrite & (tags.statuses != INDEXED)
    return found


def _bound(tags: TagColumns, attachments: Attachments, bindings: Iterable[Bindings]) -> pa.Array:
    """What tags are bound to, with what this batch has bound."""
    column = tags.table.column("bound").combine_chunks()
    found = [(_parents(column), *compute.list_flatten(column).flatten())]
    remembered = ~tags.instant | tags.overwrite
    for each in bindings:
        fresh = np.flatnonzero(each.fresh & remembered[attachments.tags[each.attachments]])
        pairs = np.stack((each.attachments[fresh], each.codes[fresh]))
        bound, codes = np.unique(pairs, axis=1)
        keys = each.keys.names.take(pa.array(codes))
        found.append((attachments.tags[bound], pa.array(attachments.numbers[bound]), keys))
    rows, parts, names = zip(*found, strict=True)
    owners = np.concatenate(rows)
    order = np.argsort(owners, kind="stable")
    counts = np.bincount(owners, minlength=len(tags))
    entries = pa.StructArray.from_arrays(
        [pa.concat_arrays(parts), pa.concat_arrays(names)], fields=list(BOUND.value_type)
    ).take(pa.array(order))
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), entries, type=BOUND)


def _parents(column: Column) -> Integers:
    return integers(compute.list_parent_indices(column).to_numpy(zero_copy_only=False))
