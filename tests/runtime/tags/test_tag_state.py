"""What stays in play between steps: after a crash, when tags are attached, and how much."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.generators.tagged.emotions import Moods, tag_with_emotions
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.model.tags import (
    Element,
    Mode,
    StreamTuple,
    TickTag,
    on_attributes,
    place,
    tick_tag,
)
from millstream.model.tags.duration import SECOND
from millstream.runtime.housekeeping import Housekeeping
from millstream.runtime.tags.attaching import attach
from millstream.testing.tags import resolve
from tests.runtime.tags.stepping import Broken, TaggedSteps, Told

HOUR = 3_600 * SECOND


def elements() -> list[Element]:
    """Measurements with moods, and tags that last over many batches, some of them overwritten."""
    found: list[Element] = []
    for number, each in enumerate(tag_with_emotions(patient_measurements(90), Moods(share=0.3))):
        if number % 9 == 4 and isinstance(each, StreamTuple):
            found.append(
                tick_tag(
                    f"note {number}",
                    tagger=("ann", "bob")[number % 2],
                    timestamp=each.time,
                    applicability=on_attributes("measure", "loc.value"),
                    lifespan=HOUR,
                    mode=(Mode.COMBINE, Mode.OVERWRITE)[number % 27 == 13],
                )
            )
        found.append(each)
    return found


def wanted(found: list[Element]) -> list[set[Told]]:
    """What is on the tuples that are tagged, in their order."""
    marked = resolve(place(found), PATIENTS)
    told = (
        {
            (mark.attribute, mark.granularity.value, mark.tag.tag.tagger, mark.tag.tag.content)
            for mark in each.marks
        }
        for each in marked
    )
    return [each for each in told if each]


def in_order(marks: dict[int, set[Told]]) -> list[set[Told]]:
    return [marks[position] for position in sorted(marks)]


@pytest.mark.parametrize("items", [7, 40, 1000])
def test_steps_agree_with_the_rules(items: int, tmp_path: Path) -> None:
    steps = TaggedSteps(tmp_path, elements(), PATIENTS)
    for parts in steps.chunks(items):
        steps.run(parts)
    assert in_order(steps.marks()) == wanted(elements())


@pytest.mark.parametrize("point", ["begun", "resolved", "committed"])
def test_a_crash_changes_nothing(point: str, tmp_path: Path) -> None:
    unbroken = TaggedSteps(tmp_path / "unbroken", elements(), PATIENTS)
    for parts in unbroken.chunks(20):
        unbroken.run(parts)
    steps = TaggedSteps(tmp_path / "broken", elements(), PATIENTS)
    for parts in steps.chunks(20):
        with pytest.raises(Broken):
            steps.run(parts, crash=point)
        steps = TaggedSteps(tmp_path / "broken", elements(), PATIENTS)
        if steps.journal.state.pending is not None:
            steps.finish()
    assert steps.marks() == unbroken.marks()
    for table in ("tags", "tag_sets", "tagged"):
        assert steps.rows(table) == unbroken.rows(table)


def test_attached_tags_enter_the_next_step_once(tmp_path: Path) -> None:
    steps = TaggedSteps(tmp_path, elements(), PATIENTS)
    for number, parts in enumerate(steps.chunks(20)):
        for who in ("eve", "joe"):
            fields = {"tagger": who, "lifespan": "10 h" if who == "eve" else "I"}
            attach(steps.tags, steps.record, steps.journal, f"by hand {number}", fields)
        with pytest.raises(Broken):
            steps.run(parts, crash="committed" if number % 2 else "resolved")
        steps = TaggedSteps(tmp_path, elements(), PATIENTS)
        if steps.journal.state.pending is not None:
            steps.finish()
    batches = steps.journal.state.batch + 1
    contents = [row["content"] for row in steps.rows("tags") if row["tagger"] == "joe"]
    assert contents == [f"by hand {number}" for number in range(batches)]
    on = {told[3] for told in steps.marks()[max(steps.marks())] if told[2] == "eve"}
    assert on == set(contents)
    by_joe = [told for marks in steps.marks().values() for told in marks if told[2] == "joe"]
    assert len({told[3] for told in by_joe}) == batches


def test_sets_that_come_again_keep_their_number(tmp_path: Path) -> None:
    tag = tick_tag("x", tagger="ann", timestamp=0, lifespan=10**6 * SECOND)
    plain = [each for each in patient_measurements(60) if isinstance(each, StreamTuple)]
    steps = TaggedSteps(tmp_path, [tag, *plain], PATIENTS)
    for parts in steps.chunks(9):
        steps.run(parts)
        steps = TaggedSteps(tmp_path, [], PATIENTS)
    assert {row["tagset"] for row in steps.rows("tagged")} == {steps.rows("tag_sets")[0]["tagset"]}
    assert len(steps.rows("tag_sets")) == 1


def test_without_tags_in_play_nothing_is_done(tmp_path: Path) -> None:
    plain = [each for each in patient_measurements(30) if not isinstance(each, TickTag)]
    steps = TaggedSteps(tmp_path, plain, PATIENTS)
    assert [steps.run(parts) for parts in steps.chunks(10)] == [None] * 3


def test_many_steps_leave_few_files(tmp_path: Path) -> None:
    steps = TaggedSteps(tmp_path, elements(), PATIENTS)
    for parts in steps.chunks(3):
        steps.run(parts)
        folder = f"streams/{PATIENTS.name}"
        Housekeeping(steps.storage, folder, steps.journal, "all").after_step()
    Housekeeping(steps.storage, folder, steps.journal, "all").sweep()
    assert len(steps.journal.state.tables["tags"]) < 20 < steps.journal.state.step
    assert len(steps.storage.names(f"{folder}/elements")) == 0
    steps = TaggedSteps(tmp_path, [], PATIENTS)
    assert in_order(steps.marks()) == wanted(elements())
