"""Tags are told as long as there is a result that names them, and are read no more than that."""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from millstream.model.tags import Element, StreamAttribute, StreamShape, StreamTuple, tick_tag
from millstream.model.tags.duration import SECOND
from millstream.runtime.housekeeping import Housekeeping
from millstream.runtime.logged_items import positions_between
from millstream.runtime.tags.set_reading import SetReading
from tests.runtime.tags.stepping import TaggedSteps

SHAPE = StreamShape("S", (StreamAttribute("a"),))
FOLDER = f"streams/{SHAPE.name}"
MINUTE = 60
TUPLES, LONG = 90, 40


def elements() -> list[Element]:
    """A tuple a minute; the first forty share a tag, and each fifth has one of its own."""
    long = tick_tag("long", tagger="ann", timestamp=0, lifespan=LONG * MINUTE * SECOND)
    found: list[Element] = [long]
    for number in range(TUPLES):
        moment = number * MINUTE * SECOND
        if number % 5 == 0:
            found.append(tick_tag(f"own {number}", tagger="bob", timestamp=moment))
        found.append(StreamTuple(f"o{number}", moment, (str(number),)))
    return found


def contents(number: int) -> set[str]:
    """What is on a tuple."""
    own = {f"own {number}"} if number % 5 == 0 else set()
    return own | {"long"} if number < LONG else own


def told(steps: TaggedSteps) -> list[set[str]]:
    """What is on the tuples that the log still holds."""
    reading = SetReading(steps.storage, {SHAPE.name: steps.journal})
    log = steps.journal.state.tables["log"]
    positions = positions_between(steps.storage, log, 0, 2**62).tolist()
    sets = reading.sets_at(SHAPE.name, positions)
    return [
        {each.tag.tag.content for each in reading.members(sets[position])}
        if position in sets
        else set()
        for position in positions
    ]


@pytest.mark.parametrize("retention", ["300s", "12kB"])
def test_what_is_alive_is_not_let_go(
    retention: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    steps = TaggedSteps(tmp_path, elements(), SHAPE, lateness=0)
    housekeeping = Housekeeping(
        *(steps.storage, FOLDER, steps.journal, retention),
        in_play=lambda: steps.tags.in_play()[0].steps,
    )
    come = 0
    for parts in steps.chunks(1):
        steps.run(parts)
        now[0] += MINUTE
        housekeeping.after_step()
        come += sum(part["rows"] for part in parts)
        found = told(steps)
        if retention == "300s" or come <= LONG:
            assert found == [contents(each) for each in range(come - len(found), come)]
    assert come == TUPLES
    assert 0 < len(found) < TUPLES // 2
    assert "long" not in {row["content"] for row in steps.rows("tags")}


def test_only_what_is_named_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = TaggedSteps(tmp_path, elements(), SHAPE, lateness=0)
    come = 0
    for parts in steps.chunks(10):
        steps.run(parts)
        before, come = come, come + sum(part["rows"] for part in parts)
    opened: list[str] = []
    read = pq.read_table

    def spy(source: str, **options: object) -> object:
        opened.append(Path(source).name)
        return read(source, **options)

    log = steps.journal.state.tables["log"]
    last = positions_between(steps.storage, log, 0, 2**62).tolist()[before:]
    monkeypatch.setattr(pq, "read_table", spy)
    reading = SetReading(steps.storage, {SHAPE.name: steps.journal})
    sets = reading.sets_at(SHAPE.name, last)
    reading.learn(set(sets.values()))
    found = [{each.tag.tag.content for each in reading.members(one)} for one in sets.values()]
    assert found == [each for each in map(contents, range(before, come)) if each]
    assert sorted(each.split("-")[0] for each in opened) == ["tag_sets", "tagged", "tags"]
    assert all(f"{steps.journal.state.step:012d}" in each for each in opened)
