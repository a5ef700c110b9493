"""Where tags are is told alike, however it was written down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

import millstream
from millstream.model.tags import Element, StreamAttribute, StreamShape, StreamTuple, tick_tag
from millstream.model.tags.duration import SECOND
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.segments import merge
from millstream.runtime.storage import storage_at
from millstream.runtime.tags.known_tags import Deed
from millstream.runtime.tags.set_tables import TAGGED_FIELDS
from millstream.runtime.tags.storage import TAGGED, write_tables
from millstream.runtime.tags.tagged_items import TaggedItems
from millstream.runtime.tags.tagged_runs import runs_of
from millstream.runtime.tags.tagged_table import TaggedTable

pieces = st.lists(st.tuples(st.integers(1, 30), st.integers(-1, 3)), min_size=1, max_size=8)


@pytest.mark.parametrize("merged", [False, True])
@given(steps=st.lists(pieces, min_size=1, max_size=4), data=st.data())
def test_each_tuple_has_its_set(
    merged: bool,
    steps: list[list[tuple[int, int]]],
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    storage = storage_at(str(tmp_path_factory.mktemp("space")))
    expected: dict[int, int] = {}
    every: list[int] = []
    segments = []
    for step, found in enumerate(steps):
        sets = np.array([number for length, number in found for _ in range(length)])
        positions = step * 10_000 + np.arange(len(sets)) * 7
        every += positions.tolist()
        there = sets >= 0
        expected |= zip(positions[there].tolist(), sets[there].tolist(), strict=True)
        runs = runs_of(positions, sets)
        table = TAGGED_FIELDS.empty_table()
        if there.any():
            columns = [positions[there], sets[there]]
            table = pa.table(columns, schema=TAGGED_FIELDS)
        written = table if runs is None else runs.written
        segments += write_tables(storage, "s", step, {TAGGED: written}).get(TAGGED, [])
    if merged and segments:
        segments = [merge(storage, segments, "s/tags")]
    low = data.draw(st.sampled_from(every))
    high = data.draw(st.sampled_from([each for each in every if each >= low]))
    for within in (None, (low, high)):
        wanted = np.array([each for each in every if within is None or low <= each <= high])
        there, sets = TaggedTable.read(storage, segments, within).at(wanted)
        told = dict(zip(there.tolist(), sets.tolist(), strict=True))
        assert told == {each: expected[each] for each in wanted.tolist() if each in expected}
    whole = TaggedTable.read(storage, segments)
    assert int(whole.tuples.sum()) == len(expected)


SHAPE = StreamShape("S", (StreamAttribute("a"),))


def in_runs() -> list[Element]:
    """A hundred tuples, of which some in a row share a tag, and some have one of their own."""
    found: list[Element] = []
    for number in range(100):
        if number in (10, 50):
            content = f"long {number}"
            tag = tick_tag(content, tagger="ann", timestamp=number * SECOND, lifespan=25 * SECOND)
            found.append(tag)
        if number in (0, 60, 99):
            found.append(tick_tag("short", tagger="bob", timestamp=number * SECOND))
        found.append(StreamTuple(f"o{number}", number * SECOND, (str(number % 3),)))
    return found


QUERIES = {
    "joined": "SELECT x.a, y.a FROM S [2 s] x, S [2 s] y WHERE x.a = y.a WITH TAGS",
    "selected": "SELECT a FROM S WITH TAGS",
    "tagged": "SELECT TAGGED OBJECTS FROM S WHERE TAG LIKE 'long%'",
    "averages": "SELECT AVG(a) FROM S [5 s] WITH TAGS",
}


@pytest.mark.spark
@pytest.mark.parametrize("items", [13, 1000])
def test_runs_are_read_wherever_tuples_are(spark: SparkSession, tmp_path: Path, items: int) -> None:
    lines = write_json_lines(in_runs(), WireOptions(SHAPE))
    (tmp_path / "s.jsonl").write_text("".join(f"{line}\n" for line in lines))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream(
            "S", tmp_path / "s.jsonl", format="tagged", schema="a INT", max_items_per_batch=items
        )
        for name, text in QUERIES.items():
            mill.subscribe(text, name=name)
        mill.run()
        for name, text in QUERIES.items():
            mill.subscribe(text, name=f"late {name}", start="log")
        mill.run()
        for name in ("joined", "selected", "tagged"):
            first, late = (list(mill.subscriptions[each].wire()) for each in (name, f"late {name}"))
            assert sorted(first) == sorted(late)
            assert any('"tag"' in each for each in first) or name == "tagged"
        stream = mill.streams["S"]
        positions = [each.position for each in stream.items()]
        on = stream.tags_on(positions)
        told = {
            number: [tag.content for tag in on.get(position, [])]
            for number, position in enumerate(positions)
        }
        longs = {
            number: [f"long {first}"] for first in (10, 50) for number in range(first, first + 25)
        }
        assert {number: each for number, each in told.items() if each} == {
            **longs,
            0: ["short"],
            99: ["short"],
            60: ["long 50", "short"],
        }
        deeds = mill.tags("S").taggers()
        assert Deed("ann", None, "long 10", 1, 25) in deeds
        assert Deed("bob", None, "short", 3, 3) in deeds
        runner = mill.runner("S")
        items = TaggedItems(mill.space.storage, runner.record, runner.journal)
        newest = items.newest(20)
        assert [each.position for each in newest] == [
            positions[number] for number in (*range(56, 75), 99)
        ]
        assert all(each.text and each.tags for each in newest)
        behind = items.newest(100, "long 10", after=positions[30])
        assert [each.position for each in behind] == positions[31:35]
        assert items.related("short", 5) == [("long 50", 1)]
