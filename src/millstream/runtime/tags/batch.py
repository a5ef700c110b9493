"""What a step brings, and what is known once its tags are resolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from millstream.runtime.tags.indexed import PlacedStix
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.set_tables import ResolvedSets
from millstream.runtime.tags.tuples import TupleColumns


@dataclass(frozen=True, slots=True)
class Batch:
    """What a step brings: tuples, new tags with their numbers, and stix."""

    step: int
    tuples: TupleColumns
    tags: pa.Table
    """In the order of their numbers."""
    attached: int = 0
    """How many of the tags, the first, did not come with the source: no stix speaks of them."""
    stixes: Sequence[PlacedStix] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a step knows of tags: the sets of its tuples, and what stays in play."""

    sets: ResolvedSets
    live: LiveTags
