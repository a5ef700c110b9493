"""Which tags are on items of a stream, as steps have resolved them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from millstream.model.tags.step_layout import ATTRIBUTE, TAG, TAGSET
from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.numbers import integers
from millstream.runtime.tags.tagged_table import TaggedTable


@dataclass(frozen=True, slots=True)
class TagOnItem:
    """A tag that is on an item."""

    object: str | None
    """The attribute that it is on; None for the whole item."""
    content: str
    tagger: str
    sign: str
    type: str


def tags_on_items(
    storage: Storage, held: Mapping[str, Sequence[Segment]], positions: Iterable[int]
) -> dict[int, list[TagOnItem]]:
    """The tags on the items at some positions; those without any are left out."""
    sets = sets_at(storage, held, positions)
    members = list(_rows(storage, held.get(tables.TAG_SETS, ()), TAGSET, sets.values()))
    numbers = (each[TAG] for each in members)
    known = {row[TAG]: row for row in _rows(storage, held.get(tables.TAGS, ()), TAG, numbers)}
    by_set: dict[int, list[TagOnItem]] = {}
    for each in sorted(members, key=lambda row: (row[TAG], row[ATTRIBUTE] or "")):
        tag = known.get(each[TAG])
        if tag is not None:
            said = (tag["content"], tag["tagger"], tag["sign"], tag["type"])
            by_set.setdefault(each[TAGSET], []).append(TagOnItem(each[ATTRIBUTE], *said))
    return {position: by_set[each] for position, each in sets.items() if each in by_set}


def sets_at(
    storage: Storage, held: Mapping[str, Sequence[Segment]], positions: Iterable[int]
) -> dict[int, int]:
    """The sets of tags of the items at some positions; those without any are left out."""
    wanted = np.unique(integers(list(positions)))
    if not len(wanted):
        return {}
    within = int(wanted[0]), int(wanted[-1])
    there, sets = TaggedTable.read(storage, held.get(tables.TAGGED, ()), within).at(wanted)
    return dict(zip(there.tolist(), sets.tolist(), strict=True))


def _rows(
    storage: Storage, segments: Sequence[Segment], column: str, wanted: Iterable[int]
) -> list[dict[str, Any]]:
    chosen = sorted(set(wanted))
    if not chosen or not segments:
        return []
    found = [
        pq.read_table(
            storage.address(each.name), filters=[(column, "in", chosen)], partitioning=None
        )
        for each in segments
    ]
    rows: list[dict[str, Any]] = pa.concat_tables(found, promote_options="default").to_pylist()
    return rows
