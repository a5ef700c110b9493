"""The elements that a step brings: tags with numbers and times, and stix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from millstream.model.tags.step_layout import STEP_NUMBERS, TAG
from millstream.model.tags.tag_type import Classifier
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.indexed import PlacedStix
from millstream.runtime.tags.numbers import LONG_AGO, integers, rows_where
from millstream.runtime.tags.tuples import TupleColumns


@dataclass(frozen=True, slots=True)
class Arrivals:
    """New tags in the order of their numbers, and stix in that of their positions."""

    tags: pa.Table
    stixes: tuple[PlacedStix, ...]


def arrivals(
    elements: pa.Table, stream: str, step: int, tuples: TupleColumns, highest: int
) -> Arrivals:
    """The elements of a step; a tag without a time gets that which the stream has reached."""
    is_stix = compute.is_valid(elements.column("stix")).to_numpy()
    stixes = rows_where(elements.select(["position", "stix"]), is_stix).to_pylist()
    tags = rows_where(elements.drop_columns(["stix"]), ~is_stix)
    numbers = step * STEP_NUMBERS + np.arange(tags.num_rows)
    columns = {
        **{name: tags.column(name) for name in tags.column_names},
        TAG: pa.array(numbers),
        "stream": pa.repeat(stream, tags.num_rows),
        "time": pa.array(_times(tags, tuples, highest)),
    }
    numbered = pa.table([columns[name] for name in TAG_FIELDS.names], schema=TAG_FIELDS)
    return Arrivals(numbered, tuple(PlacedStix(each["position"], each["stix"]) for each in stixes))


def with_types(elements: pa.Table, classify: Classifier) -> pa.Table:
    """Elements in which tags that do not say their type have the one of their content."""
    missing = compute.and_(
        compute.is_null(elements.column("type")), compute.is_null(elements.column("stix"))
    )
    contents = elements.column("content")
    distinct = compute.unique(contents.filter(missing))
    if not len(distinct):
        return elements
    types = pa.array([classify(each).value for each in distinct.to_pylist()], pa.string())
    told = compute.take(types, compute.index_in(contents, value_set=distinct))
    column = compute.if_else(missing, told, elements.column("type"))
    return elements.set_column(elements.column_names.index("type"), "type", column)


def stamped(tags: pa.Table, tuples: TupleColumns) -> pa.Table:
    """Tags that no tuple came before get the time of the first one, once it is there."""
    times = integers(tags.column("time").to_numpy())
    waiting = times == LONG_AGO
    known = tuples.times[tuples.times != LONG_AGO]
    if not waiting.any() or not len(known):
        return tags
    column = pa.array(np.where(waiting, known[0], times))
    return tags.set_column(tags.column_names.index("time"), "time", column)


def _times(tags: pa.Table, tuples: TupleColumns, highest: int) -> np.ndarray:
    given = tags.column("time")
    if not given.null_count:
        return integers(given.to_numpy())
    reached = np.maximum.accumulate(np.concatenate(([highest], tuples.times)))
    positions = integers(tags.column("position").to_numpy())
    passed = reached[np.searchsorted(tuples.positions, positions, side="right")]
    known = tuples.times[tuples.times != LONG_AGO]
    passed = np.where(passed == LONG_AGO, known[0] if len(known) else LONG_AGO, passed)
    times = compute.fill_null(given, 0).to_numpy(zero_copy_only=False)
    return np.where(compute.is_null(given).to_numpy(zero_copy_only=False), passed, times)
