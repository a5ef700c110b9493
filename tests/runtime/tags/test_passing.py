"""Tags that pass by are resolved in a short way, which gives what the rules for all tags give."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from millstream.model.tags import (
    Applicability,
    Element,
    Mode,
    NamePattern,
    Placed,
    StreamShape,
    StreamTuple,
    TickTag,
    place,
    tick_tag,
)
from millstream.model.tags.duration import SECOND
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.numbers import LONG_AGO
from millstream.runtime.tags.passing import passing
from millstream.runtime.tags.resolution import resolve_all
from millstream.testing.tags.strategies.streams import ATTRIBUTES, tags, tuples
from tests.runtime.tags.batches import batch_of

SHAPE = StreamShape("R", ATTRIBUTES)
NEXT = Applicability(NamePattern(), NamePattern(), ())


def tag(content: str = "sad", time: int = 0) -> TickTag:
    return tick_tag(content, tagger="ann", applicability=NEXT, timestamp=time, mode=Mode.COMBINE)


def one(time: int | None = 0) -> StreamTuple:
    return StreamTuple("a", LONG_AGO if time is None else time, (None, None, None))


@st.composite
def tagged_tuples(draw: st.DrawFn) -> tuple[Placed, ...]:
    """Tuples that mostly have a tag before them, now and then something else."""
    elements: list[Element] = []
    time = 0
    for _ in range(draw(st.integers(1, 8))):
        time += draw(st.sampled_from((0, 0, 1, 2, -1))) * SECOND
        elements += _before(draw, time)
        behind = draw(st.sampled_from((0, 0, 0, 0, 1, -1))) * SECOND
        elements.append(replace(draw(tuples()), time=max(0, time + behind)))
    return tuple(place(elements))


def _before(draw: st.DrawFn, time: int) -> list[TickTag]:
    kinds: SearchStrategy[int] = st.sampled_from((1, 1, 1, 1, 1, 0, 4, 2, 3))
    match draw(kinds):
        case 0 | 4:
            return []
        case 1:
            return [tag(draw(st.sampled_from(("sad", "x"))), max(0, time))]
        case 2:
            return [tag(time=max(0, time)), tag("two", max(0, time))]
        case _:
            return [replace(draw(tags()), timestamp=max(0, time))]


@settings(max_examples=400)
@given(tagged_tuples(), st.sampled_from((0, SECOND, 10**15)))
def test_both_ways_give_the_same(placed: tuple[Placed, ...], lateness: int) -> None:
    batch = batch_of(placed, SHAPE, 3)
    short = passing(LiveTags(), batch)
    event(f"short: {short is not None}")
    if short is None:
        return
    whole = resolve_all(LiveTags(), batch, SHAPE.names, lateness)
    assert _rows(short.sets.tagged) == _rows(whole.sets.tagged)
    assert _rows(short.sets.members) == _rows(whole.sets.members)
    assert short.sets.new.tolist() == whole.sets.new.tolist()
    assert short.sets.fleeting == whole.sets.fleeting
    assert short.sets.runs is None and whole.sets.runs is None
    assert not short.sets.earlier_tags.num_rows and not whole.sets.earlier_tags.num_rows
    assert _rows(short.sets.recurring) == _rows(whole.sets.recurring)
    assert short.live.facts() == whole.live.facts()
    assert _rows(short.live.table) == _rows(whole.live.table) == []


def test_each_tag_is_on_the_tuple_behind_it() -> None:
    batch = batch_of(tuple(place([tag(), one(), one(), tag("x"), one()])), SHAPE, 1)
    short = passing(LiveTags(), batch)
    assert short is not None
    wanted = [batch.tuples.positions[each] for each in (0, 2)]
    assert short.sets.tagged.column("position").to_pylist() == wanted
    assert short.sets.fleeting
    assert short.live.idle


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param([tag(), tag("two"), one()], id="two on one tuple"),
        pytest.param([one(), tag()], id="one that waits"),
        pytest.param([tag(time=5 * SECOND), one(), one(9 * SECOND)], id="one of a later time"),
        pytest.param([tag(), one(None), one()], id="a tuple without a time"),
        pytest.param([replace(tag(), mode=Mode.OVERWRITE), one()], id="one that ends others"),
        pytest.param([replace(tag(), lifespan=SECOND), one()], id="one that stays"),
        pytest.param([one()], id="no tags"),
    ],
)
def test_anything_else_is_for_the_other_rules(elements: list[Element]) -> None:
    assert passing(LiveTags(), batch_of(tuple(place(elements)), SHAPE, 1)) is None


def _rows(table: pa.Table) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = table.to_pylist()
    return rows
