"""Tags that are alone in their sets, and those that are never met again, are known as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.model.tags import Element, StreamAttribute, StreamShape, StreamTuple, tick_tag
from millstream.model.tags.applicability import parse_applicability
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.stix_text import parse_stix
from millstream.runtime.tags.stream_tags import StepTagging
from tests.runtime.tags.stepping import TaggedSteps

SHAPE = StreamShape("S", (StreamAttribute("a"),))


def tag(content: str, on: str = "*,*,{}", lifespan: int | None = None, time: int = 0) -> Element:
    return tick_tag(
        content,
        tagger="ann",
        timestamp=time,
        applicability=parse_applicability(on),
        lifespan=lifespan,
    )


def row(number: int) -> Element:
    return StreamTuple(f"o{number}", number, ("x",))


def steps(folder: Path, elements: list[Element], items: int = 100) -> list[StepTagging | None]:
    run = TaggedSteps(folder, elements, SHAPE)
    return [run.run(parts) for parts in run.chunks(items)]


ONE_BY_ONE = [tag("x"), row(1), tag("y"), row(2), row(3), tag("z"), row(4)]
IN_RUNS = [tag("x", "*,o.*,{}"), row(1), row(2), tag("y", "*,o.*,{}"), row(3)]
TOGETHER = [tag("x"), tag("y"), row(1), row(2)]
ON_ATTRIBUTES = [tag("x", "*,*,{a}"), row(1)]
LASTING = [tag("x", lifespan=1000), row(1), row(2)]
MIXED = [tag("x"), row(1), tag("y", "*,o.*,{}"), row(2)]
INDEXED = [parse_stix("(1-2)1"), tag("x"), row(1), row(2)]


@pytest.mark.parametrize(
    ("elements", "alone", "fleeting"),
    [
        (ONE_BY_ONE, Granularity.TUPLE, True),
        (IN_RUNS, Granularity.SUB_STREAM, False),
        (TOGETHER, None, False),
        (ON_ATTRIBUTES, None, False),
        (LASTING, Granularity.STREAM, False),
        (MIXED, None, False),
        (INDEXED, Granularity.TUPLE, False),
    ],
)
def test_what_tags_of_a_step_have_in_common(
    tmp_path: Path, elements: list[Element], alone: Granularity | None, fleeting: bool
) -> None:
    (found,) = steps(tmp_path, elements)
    assert found is not None
    assert (found.alone, found.fleeting) == (alone, fleeting)


def test_tags_that_are_never_met_again_know_their_tuples(tmp_path: Path) -> None:
    run = TaggedSteps(tmp_path, [*ONE_BY_ONE, tag("nothing")], SHAPE)
    (parts,) = run.chunks(100)
    run.run(parts)
    tagged = {each["tagset"]: each["position"] for each in run.rows("tagged")}
    on = {each["tag"]: each["on_position"] for each in run.rows("tags")}
    assert len(tagged) == 3
    assert on == {number: tagged.get(number) for number in on}
    assert None in on.values()


def test_a_tag_of_an_earlier_step_is_not_alone(tmp_path: Path) -> None:
    first, second = steps(tmp_path, [row(1), tag("x"), row(2)], items=2)
    assert first is not None
    assert not first.tagged
    assert second is not None
    assert second.tagged
    assert second.alone is None


def test_a_stix_that_may_go_on_is_known(tmp_path: Path) -> None:
    first, *_ = steps(tmp_path / "indexed", [*INDEXED, row(3)], items=3)
    (other,) = steps(tmp_path / "other", ONE_BY_ONE)
    assert first is not None
    assert other is not None
    assert (first.indexed, other.indexed) == (True, False)


def test_sets_never_have_the_number_of_another_tag(tmp_path: Path) -> None:
    elements = [tag("x"), tag("y"), row(1), tag("z"), row(2), tag("w", lifespan=10**9), row(3)]
    run = TaggedSteps(tmp_path, elements, SHAPE)
    for parts in run.chunks(100):
        run.run(parts)
    members: dict[int, set[int]] = {}
    for each in run.rows("tag_sets"):
        members.setdefault(each["tagset"], set()).add(each["tag"])
    tags = {each["tag"] for each in run.rows("tags")}
    assert len(members) == 3
    assert all(number not in tags or found == {number} for number, found in members.items())
