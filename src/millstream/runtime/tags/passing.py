"""Tags that pass by: each is on the next tuple, alone there, and then gone.

Streams in which each tuple has a tag of its own are made of such tags. The rules are short:
nothing is ended, nothing is kept, and each set is a tag. Whatever else is in play, or among them,
calls for the rules of all tags.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from millstream.model.tags.granularity import Granularity
from millstream.model.tags.mode import Mode
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.tags.batch import Batch, Resolved
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.forms import form_of
from millstream.runtime.tags.live import SET_FIELDS, LiveTags
from millstream.runtime.tags.numbers import LONG_AGO, Integers, integers
from millstream.runtime.tags.set_tables import MEMBER_FIELDS, TAGGED_FIELDS, ResolvedSets


def passing(live: LiveTags, batch: Batch) -> Resolved | None:
    """The tags on the tuples of a batch, where all of them pass by; None if they may not."""
    if not live.idle or batch.stixes or not batch.tags.num_rows:
        return None
    granularity = _granularity(batch.tags)
    if granularity is None:
        return None
    places = _next_tuples(batch)
    if places is None:
        return None
    count = len(places)
    numbers = batch.tags.column("tag")
    members = [numbers, numbers, pa.nulls(count, pa.string()), pa.repeat(granularity.value, count)]
    sets = ResolvedSets(
        tagged=pa.table([batch.tuples.positions[places], numbers], schema=TAGGED_FIELDS),
        runs=None,
        members=pa.table(members, schema=MEMBER_FIELDS),
        new=np.ones(count, np.bool_),
        earlier_tags=TAG_FIELDS.empty_table(),
        recurring=SET_FIELDS.empty_table(),
        fleeting=True,
    )
    highest = max(live.highest, int(batch.tuples.times.max()))
    return Resolved(sets, replace(live, highest=highest, sets=sets.recurring))


def _granularity(tags: pa.Table) -> Granularity | None:
    """What the tags are attached to, if each is used up by one whole tuple and ends nothing."""
    if tags.column("lifespan").null_count < tags.num_rows:
        return None
    # What retracts overwrites as well.
    if compute.unique(tags.column("mode")).to_pylist() != [Mode.COMBINE.name]:
        return None
    texts = compute.unique(tags.column("applicability")).to_pylist()
    forms = [form_of(each, True, False) for each in texts]
    parts = {part for form in forms for part in form.parts}
    if len(parts) > 1 or not all(form.one_tuple and not form.attributes for form in forms):
        return None
    return parts.pop().granularity


def _next_tuples(batch: Batch) -> Integers | None:
    """The tuple behind each tag, if each has one to itself, and one that is not before its time."""
    tuples = batch.tuples
    positions = integers(batch.tags.column("position").to_numpy())
    places = np.searchsorted(tuples.positions, positions, side="right")
    if places.max() >= len(tuples) or (np.diff(places) <= 0).any():
        return None
    times = tuples.times[places]
    stamps = integers(batch.tags.column("time").to_numpy())
    if ((times < stamps) | (times == LONG_AGO)).any():
        return None
    return places
