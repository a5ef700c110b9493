"""Sets of tagged objects as tables: the tuples that have them, their members, what may recur."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from millstream.model.tags.granularity import Granularity
from millstream.model.tags.step_layout import (
    ATTRIBUTE,
    GRANULARITY,
    ON_POSITION,
    STEP_NUMBERS,
    TAG,
    TAGSET,
)
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.tags.attachments import Attachments
from millstream.runtime.tags.columns import INDEXED, TAG_FIELDS, TagColumns
from millstream.runtime.tags.interning import TupleSets
from millstream.runtime.tags.live import SET_FIELDS
from millstream.runtime.tags.numbers import Flags, Hashes, Integers, rows_where
from millstream.runtime.tags.tagged_runs import TaggedRuns, runs_of

MEMBER_FIELDS = pa.schema(
    [(TAGSET, pa.int64()), (TAG, pa.int64()), (ATTRIBUTE, pa.string()), (GRANULARITY, pa.string())]
)
TAGGED_FIELDS = pa.schema([("position", pa.int64()), (TAGSET, pa.int64())])
_OTHERS = STEP_NUMBERS // 2
"""Where the indexes of sets begin that are not one tag on whole tuples."""


@dataclass(frozen=True, slots=True)
class ResolvedSets:
    """The sets of a batch."""

    tagged: pa.Table
    """The positions of tagged tuples, with the numbers of their sets."""
    runs: TaggedRuns | None
    """The same as runs, where these are far fewer."""
    members: pa.Table
    """The tags and objects of these sets."""
    new: Flags
    """Which rows of the members are of sets that were not known before."""
    earlier_tags: pa.Table
    """The tags of earlier steps that the sets name."""
    recurring: pa.Table
    """The sets that may come again."""
    fleeting: bool
    """True when no tag in the sets is on more than one tuple."""


def numbered_sets(
    positions: Integers,
    tags: TagColumns,
    attachments: Attachments,
    sets: TupleSets,
    known: pa.Table,
    lasting: Flags,
    first: int,
) -> ResolvedSets:
    """The sets of tuples with their numbers; those that are known keep theirs."""
    rows = attachments.tags[sets.members]
    parts = attachments.kinds[sets.members]
    own = first + _OTHERS + np.arange(len(sets.hashes[0]))
    alone = _alone(sets) & attachments.where(_whole(attachments))[sets.members]
    alone &= tags.numbers[rows] >= first
    own[sets.sets[alone]] = tags.numbers[rows[alone]]
    numbers, new = _numbers(sets.hashes, known, own)
    there = sets.of_tuple >= 0
    of_tuple = np.append(numbers, -1)[sets.of_tuple]
    tagged = pa.table([positions[there], of_tuple[there]], schema=TAGGED_FIELDS)
    members = pa.table(
        [
            pa.array(numbers[sets.sets]),
            pa.array(tags.numbers[rows]),
            _taken([each.attribute for each in attachments.parts], parts),
            _taken([each.granularity.value for each in attachments.parts], parts),
        ],
        schema=MEMBER_FIELDS,
    )
    shown = np.zeros(len(tags), np.bool_)
    shown[rows] = True
    earlier = rows_where(tags.table.select(TAG_FIELDS.names), shown & (tags.numbers < first))
    recurring = _recurring(sets, numbers, lasting[rows], known, tags, lasting)
    runs = runs_of(positions, of_tuple)
    next_tuple = tags.of_forms(np.array([each.one_tuple for each in tags.forms], np.bool_))
    fleeting = bool((next_tuple[rows] & (tags.statuses[rows] != INDEXED)).all())
    return ResolvedSets(tagged, runs, members, new[sets.sets], earlier, recurring, fleeting)


def alone_in_sets(members: pa.Table) -> Granularity | None:
    """What all tags are attached to, where each is a set that has its number."""
    one, other = (members.column(name).to_numpy() for name in (TAGSET, TAG))
    kinds = compute.unique(members.column(GRANULARITY)).to_pylist()
    whole = members.column(ATTRIBUTE).null_count == members.num_rows
    return Granularity(kinds[0]) if whole and len(kinds) == 1 and (one == other).all() else None


def with_positions(tags: pa.Table, tagged: pa.Table) -> pa.Table:
    """Tags, each a set that has its number, with the position of the tuple that they are on."""
    numbers, sets = tags.column(TAG).to_numpy(), tagged.column(TAGSET).to_numpy()
    # Mostly no number is missing.
    whole = len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1
    places = sets - numbers[0] if whole else np.searchsorted(numbers, sets)
    positions = np.full(len(numbers), -1)
    positions[places] = tagged.column("position").to_numpy()
    return tags.append_column(ON_POSITION, pa.array(positions, mask=positions < 0))


def _taken(names: list[str | None], which: Integers) -> pa.Array:
    return compute.take(pa.array(names, pa.string()), pa.array(which))


def _alone(sets: TupleSets) -> Flags:
    """Which members are the only ones of their sets."""
    sizes = np.bincount(sets.sets, minlength=len(sets.hashes[0]))
    alone: Flags = sizes[sets.sets] == 1
    return alone


def _whole(attachments: Attachments) -> Flags:
    """Which parts are whole tuples."""
    return np.array([each.attribute is None for each in attachments.parts], np.bool_)


def _numbers(
    hashes: tuple[Hashes, Hashes], known: pa.Table, own: Integers
) -> tuple[Integers, Flags]:
    """The numbers of sets, their own unless they are known, and which of them are new."""
    one, other = hashes
    new = np.ones(len(one), np.bool_)
    numbers = own.copy()
    ones, others = (known.column(name).to_numpy() for name in ("one", "other"))
    if len(ones):
        # The table is in the order of its first column.
        places = np.minimum(np.searchsorted(ones, one), len(ones) - 1)
        new = (ones[places] != one) | (others[places] != other)
        numbers = np.where(new, own, known.column(TAGSET).to_numpy()[places])
    return numbers, new


def _recurring(
    sets: TupleSets,
    numbers: Integers,
    member_lasts: Flags,
    known: pa.Table,
    tags: TagColumns,
    lasting: Flags,
) -> pa.Table:
    """The sets of this batch all of whose tags are still alive, in the order of their hashes."""
    count = len(numbers)
    lasts = np.ones(count, np.bool_)
    lasts[sets.sets[~member_lasts]] = False
    columns = [sets.hashes[0][lasts], sets.hashes[1][lasts], numbers[lasts]]
    order = np.argsort(columns[0])
    return pa.table([each[order] for each in columns], schema=SET_FIELDS)
