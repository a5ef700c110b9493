"""Tags that queries attach: one for each run of tuples that follow one another."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from millstream.algebra.expressions import TRUE
from millstream.algebra.operators import Scan
from millstream.algebra.tag_operators import Attach
from millstream.model.schema import Content, Element, Schema
from millstream.runtime.tags.numbers import integers
from millstream.runtime.tags.query_tags import LONGEST_RUN, BatchIds, Chosen, query_tags

SCAN = Scan("R", "R", Schema("stream", Element("tuple", content=Content.NESTED)))


def attach(*contents: str, lifespan: int | None = None) -> Attach:
    return Attach(SCAN, "R", contents, "q", lifespan=lifespan, predicate=TRUE)


def tags(
    positions: list[int],
    *,
    choices: list[int] | None = None,
    ids: list[str | None] | None = None,
    cuts: tuple[int, ...] = (),
    lifespan: int | None = None,
    contents: tuple[str, ...] = ("x",),
    repeated: tuple[str, ...] = (),
) -> list[tuple[int, str, str]]:
    rows = pa.table(
        {
            "position": pa.array(positions, pa.int64()),
            "time": pa.array([each * 10 for each in positions], pa.int64()),
            "choice": pa.array(choices or [0] * len(positions), pa.int64()),
            "id": pa.array(ids or [f"o{each}" for each in positions], pa.string()),
        }
    )
    found, _ = query_tags(
        attach(*contents, lifespan=lifespan),
        Chosen.of(rows),
        BatchIds(integers(np.arange(200)), pa.array(repeated, pa.string())),
        integers(cuts),
        named=True,
    )
    names = ("position", "applicability", "content")
    return list(zip(*(found.column(name).to_pylist() for name in names), strict=True))


def test_tuples_that_follow_one_another_share_a_tag() -> None:
    assert tags([3, 4, 5, 9]) == [(2, "*,o3|o4|o5,{}", "x"), (8, "*,*,{}", "x")]


def test_another_content_begins_a_run() -> None:
    found = tags([3, 4, 5], choices=[0, 0, 1], contents=("x", "y"))
    assert found == [(2, "*,o3|o4,{}", "x"), (4, "*,*,{}", "y")]


def test_other_tags_end_a_run() -> None:
    assert tags([3, 4, 5], cuts=(4,)) == [(2, "*,o3|o4,{}", "x"), (4, "*,*,{}", "x")]


def test_ids_that_are_patterns_are_not_listed() -> None:
    found = tags([3, 4, 5], ids=["a.b", "c", "d"])
    assert found == [(2, "*,*,{}", "x"), (3, "*,c|d,{}", "x")]


def test_tags_that_live_on_are_not_shared() -> None:
    assert len(tags([3, 4, 5], lifespan=1)) == 3


def test_runs_are_not_too_long() -> None:
    assert [each[0] for each in tags(list(range(1, 151)))] == [0, LONGEST_RUN, 2 * LONGEST_RUN]


def test_what_equal_queries_choose_counts_once() -> None:
    assert tags([3, 3, 4]) == [(2, "*,o3|o4,{}", "x")]


def test_ids_of_several_tuples_are_not_listed() -> None:
    found = tags([3, 4, 5], repeated=("o4",))
    assert found == [(2, "*,*,{}", "x"), (3, "*,*,{}", "x"), (4, "*,*,{}", "x")]


def test_ids_that_come_again_are_told() -> None:
    ids = BatchIds.of(integers((5, 3, 4)), pa.array(["a", "b", "a"]))
    assert ids.repeated.to_pylist() == ["a"]
    assert ids.positions.tolist() == [3, 4, 5]
