"""Tuples without a usable time are set aside: no tag could tell whether it is on them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from millstream.model.layout import view_name
from millstream.model.schema import Schema
from millstream.model.tags.event_time import LATEST
from millstream.model.tags.stream_shape import WIRE_TIME
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.parsing.chunk import ParsedChunk, reject


def with_times(chunk: ParsedChunk, schema: Schema, raw_of: Callable[[int], bytes]) -> ParsedChunk:
    """The chunk without the tuples whose time is missing or not to be counted."""
    times = chunk.rows.column(view_name(WIRE_TIME))
    good = compute.is_valid(times)
    if not pa.types.is_timestamp(times.type):
        good = compute.and_(good, compute.less_equal(compute.abs(times), LATEST))
    usable = compute.fill_null(good, False).to_numpy().astype(np.bool_)
    if usable.all():
        return chunk
    starts = chunk.offsets.to_numpy()
    bad = [
        reject(int(start), f"{schema.item.name}: the tuple has no time that can be counted", raw)
        for start in starts[~usable]
        for raw in (raw_of(int(start)),)
    ]
    rejected = sorted((*chunk.rejected, *bad), key=lambda each: each.offset)
    kept = pa.array(usable)
    return ParsedChunk(chunk.offsets.filter(kept), chunk.rows.filter(kept), tuple(rejected))
