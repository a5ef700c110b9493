"""What a step leaves of tags for the next: those alive, how far time is, and known sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from millstream.model.tags.step_layout import STEP_NUMBERS, TAG, TAGSET
from millstream.runtime.tags.columns import LIVE_FIELDS
from millstream.runtime.tags.numbers import LONG_AGO

SET_FIELDS = pa.schema([("one", pa.uint64()), ("other", pa.uint64()), ("tagset", pa.int64())])
"""A set that may come again: the sums of its members' hashes, and its number."""


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """A stix whose tags or tuples may not all have come yet."""

    stix: str
    tags: tuple[int, ...] = ()
    """The numbers of its tags that have come."""
    seen: int = 0
    """How many of its tuples have come."""


@dataclass(frozen=True, slots=True, eq=False)
class LiveTags:
    """The tags of a stream that are in play, between two steps."""

    table: pa.Table = field(default_factory=LIVE_FIELDS.empty_table)
    highest: int = LONG_AGO
    """The time that the stream has reached, as far as tags have looked at it."""
    overwritten: dict[str, int] = field(default_factory=dict)
    """By tagger, the latest time of a tag of theirs that overwrites."""
    index: OpenIndex | None = None
    sets: pa.Table = field(default_factory=SET_FIELDS.empty_table)

    def __len__(self) -> int:
        count: int = self.table.num_rows
        return count

    @property
    def idle(self) -> bool:
        """True when nothing is in play."""
        return not len(self) and self.index is None

    @property
    def steps(self) -> frozenset[int]:
        """The steps that have brought what is in play: tags, and sets that may come again."""
        numbers = chain(*(self.table.column(TAG).chunks, self.sets.column(TAGSET).chunks))
        found = (np.unique(each.to_numpy() // STEP_NUMBERS).tolist() for each in numbers)
        return frozenset(chain(*found))

    def facts(self) -> dict[str, Any]:
        """All but the tables, as JSON."""
        index = self.index
        return {
            "highest": self.highest,
            "overwritten": self.overwritten,
            "index": index and {"stix": index.stix, "tags": list(index.tags), "seen": index.seen},
        }

    @staticmethod
    def of(facts: dict[str, Any], table: pa.Table, sets: pa.Table) -> LiveTags:
        """What was written down."""
        index = facts["index"]
        return LiveTags(
            table,
            facts["highest"],
            facts["overwritten"],
            index and OpenIndex(index["stix"], tuple(index["tags"]), index["seen"]),
            sets,
        )
