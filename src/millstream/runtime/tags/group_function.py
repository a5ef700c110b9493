"""The function of SQL that finds groups by tags: in Python, all tuples of a channel at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import arrow_udf

from millstream.algebra.tag_operators import Likeness
from millstream.compiler.tags.tag_groups import GROUPS_FUNCTION, GROUPS_TYPE
from millstream.runtime.tags.grouping import (
    Arrival,
    Nearness,
    by_objects,
    by_table,
    earliest_from,
    labels_of,
)

# The published types of PySpark know only some of the forms that it takes.
_in_arrow: Any = arrow_udf
_FOUND = pa.list_(pa.struct([("position", pa.int64()), ("label", pa.string())]))

Likes = Mapping[str, Mapping[str, float | None]]
"""How alike contents are, by one and then by the other."""


def register_groups(session: SparkSession) -> None:
    """Let the statements of a session find groups."""
    session.udf.register(GROUPS_FUNCTION, _in_arrow(groups_of, GROUPS_TYPE))


def groups_of(
    tuples: pa.Array,
    members: pa.Array,
    likes: pa.Array,
    likeness: pa.Array,
    least: pa.Array,
    window: pa.Array,
) -> pa.Array:
    """For each channel the groups of its tuples, or nothing where no tuples are given."""
    rows = zip(tuples, members, likes, likeness, least, window, strict=True)
    return pa.array([_groups(*row) for row in rows], _FOUND)


def _groups(
    tuples: Any, members: Any, likes: Any, likeness: Any, least: Any, window: Any
) -> list[dict[str, Any]] | None:
    if not tuples.is_valid:
        return None
    rows = sorted(_rows(tuples), key=lambda row: row[0])
    table = {one: dict(others) for one, others in likes.as_py() or ()}
    # Without a window times do not matter, and some tuples may have none.
    times = [row[1] or 0 for row in rows]
    arrivals = (
        Arrival(labels, time, earliest, _near(likeness.as_py(), least.as_py(), table, objects))
        for (_, _, labels, objects), time, earliest in zip(
            rows, times, earliest_from(times), strict=True
        )
    )
    found = labels_of(arrivals, _known(members), window.as_py())
    return [{"position": row[0], "label": label} for row, label in zip(rows, found, strict=True)]


def _rows(listed: Any) -> Iterator[Sequence[Any]]:
    """The structs of a list as rows of their fields."""
    return zip(*(each.to_pylist() for each in listed.values.flatten()), strict=True)


def _known(members: Any) -> Iterator[tuple[str, int]]:
    """The groups and times of earlier tuples, in the order in which these came."""
    for _, time, label in sorted(_rows(members), key=lambda row: row[0]):
        yield label, time or 0


def _near(
    likeness: str,
    least: float,
    likes: Likes,
    objects: Iterable[tuple[str, Sequence[str]]] | None,
) -> Nearness | None:
    match likeness:
        case Likeness.FUNCTION.value:
            return by_table(likes, least)
        case Likeness.JACCARD.value:
            found = {content: frozenset(keys) for content, keys in objects or ()}
            return by_objects(found, least)
        case _:
            return None
