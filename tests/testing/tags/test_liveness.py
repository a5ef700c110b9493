"""What the reference says of statements that are asked once."""

from __future__ import annotations

from millstream.languages.tagql import parse
from millstream.model.tags import PlacedTag
from millstream.testing.tags import Relation, TaggedStream, answer
from tests.testing.tags.timelines import item, stream, tag


def asked_once(text: str, *streams: TaggedStream) -> list[object]:
    given = answer(parse(text), {each.shape.name: each for each in streams}, once=True)
    if isinstance(given, Relation):
        return [row.values for row in given]
    return [each.tag.content for each in given if isinstance(each, PlacedTag)]


# t  0   1   2   3   4   5   6   7
#    x       a   b           c       asked at 6
#            [ window of 5 s )
FLOWING = stream(
    item(0, measure="1"),
    tag(2, "instant"),
    tag(2, "short", lives=2),
    tag(2, "long", "*,*,{measure}", lives=60),
    item(2, measure="10"),
    item(3, "p2", measure="30"),
    item(6, measure="20"),
)


def test_a_window_has_its_tuples_with_all_their_tags() -> None:
    assert asked_once("SELECT TAGS FROM Patients [5 s]", FLOWING) == ["instant", "short", "long"]
    assert asked_once("SELECT measure FROM Patients [5 s]", FLOWING) == [(10,), (30,), (20,)]
    assert asked_once("SELECT TAGS FROM Patients [4 s]", FLOWING) == ["short", "long"]


def test_without_a_window_tags_have_a_life() -> None:
    assert asked_once("SELECT TAGS FROM Patients", FLOWING) == ["instant", "long"]
    assert asked_once("SELECT measure FROM Patients", FLOWING) == [(1,), (10,), (30,), (20,)]


def test_each_group_gives_its_last_answer() -> None:
    asked = "SELECT pid, COUNT(*), AVG(measure) FROM Patients [5 s] GROUP BY pid"
    assert asked_once(asked, FLOWING) == [("p2", 1, 30), ("p1", 2, 15)]
    tags = "SELECT TAG, COUNT(*) FROM Patients [5 s] GROUP BY TAGS"
    assert asked_once(tags, FLOWING) == [("instant", 1), ("short", 1), ("long", 1)]


def test_a_tag_that_was_retracted_everywhere_is_over() -> None:
    there = tag(0, "Running", "*,*,{measure}", lives=60)
    gone = tag(3, "", "*,*,{measure}", overwrites=True)
    other = tag(3, "", "*,p1,{measure}", overwrites=True)
    asked = "SELECT TAGS FROM Patients"
    assert asked_once(asked, stream(there, item(1), gone, item(4))) == []
    assert asked_once(asked, stream(there, item(1), other, item(4))) == ["Running"]
    assert asked_once(asked, stream(there, item(1), tag(3, "", overwrites=True), item(4))) == [
        "Running"
    ]


def test_a_tagger_does_not_end_what_another_attached() -> None:
    there = tag(0, "Running", "*,*,{measure}", lives=60)
    gone = tag(3, "", "*,*,{measure}", overwrites=True, by="bob")
    assert asked_once("SELECT TAGS FROM Patients", stream(there, item(1), gone)) == ["Running"]
