"""The statements of TAG-QL, answered by the reference."""

from __future__ import annotations

from decimal import Decimal

import pytest

from millstream.languages.tagql import parse, syntax
from millstream.model.schema import ValueType
from millstream.model.tags import (
    PlacedTag,
    Sign,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    place,
    read_thesaurus,
)
from millstream.model.tags.duration import SECOND
from millstream.testing.tags import Relation, TaggedPair, TaggedStream, answer, attach
from tests.testing.tags.timelines import SHAPE, item, stream, tag

ANIMALS = StreamShape("Animals", (StreamAttribute("pid"), StreamAttribute("loc")))


def rows(text: str, *streams: TaggedStream) -> list[tuple[tuple[object, ...], dict[str, str]]]:
    """The values of each row, and for each column that is tagged the contents on it."""
    given = answer(parse(text), {each.shape.name: each for each in streams})
    assert isinstance(given, Relation)
    return [(row.values, _contents(given, number)) for number, row in enumerate(given)]


def _contents(relation: Relation, number: int) -> dict[str, str]:
    row = relation.rows[number]
    found = {}
    for attribute in relation.attributes:
        tags = [each for each in row.tags if _is_on(row.marks, attribute, each)]
        if tags:
            found[attribute] = " ".join(each.tag.content for each in tags)
    return found


def _is_on(marks: object, attribute: str, tag: PlacedTag) -> bool:
    return any(mark.tag == tag and mark.attribute == attribute for mark in marks)  # type: ignore[attr-defined]


def selected_tags(text: str, *streams: TaggedStream) -> list[str]:
    given = answer(parse(text), {each.shape.name: each for each in streams})
    assert isinstance(given, tuple)
    return [each.tag.content for each in given if isinstance(each, PlacedTag)]


def pairs(text: str, *streams: TaggedStream) -> list[tuple[int, int, str, str]]:
    given = answer(parse(text), {each.shape.name: each for each in streams})
    assert isinstance(given, tuple)
    return [
        (
            each.left.time // SECOND,
            each.right.time // SECOND,
            " ".join(one.tag.content for one in each.left_tags),
            " ".join(one.tag.content for one in each.right_tags),
        )
        for each in given
        if isinstance(each, TaggedPair)
    ]


TAGGED = stream(
    tag(0, "slow", "*,*,{measure}", sign=Sign.NEGATIVE),
    tag(0, "here", "*,*,{loc.value}", sign=Sign.NEGATIVE, lives=9),
    item(1, "p1"),
    tag(2, "Emergency", sign=Sign.NEGATIVE),
    item(2, "p2", measure="95"),
    item(3, "p3", measure="85"),
)


def test_tags_are_selected_by_object_and_sign() -> None:
    text = "SELECT TAGS FROM Patients WHERE OBJECT = Patients.measure AND TAGSIGN = '-'"
    assert selected_tags(text, TAGGED) == ["slow"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("OBJECT = Patients.loc.value", ["here"]),
        ("OBJECT = Patients.loc", []),
        ("OBJECT = Patients", ["Emergency"]),
        ("measure > 80", ["here", "Emergency"]),
        ("TAG LIKE '%e%' AND TAG_LIFESPAN IS NULL", ["Emergency"]),
        ("TAG_LIFESPAN >= 9 s AND TAGGER = 'ann'", ["here"]),
        ("TAG_TIME >= 1", ["Emergency"]),
        ("TAG IN ('slow', 'here') AND NOT TAG_TYPE = 'junk'", ["slow", "here"]),
    ],
)
def test_tags_are_selected(condition: str, expected: list[str]) -> None:
    assert selected_tags(f"SELECT TAGS FROM Patients WHERE {condition}", TAGGED) == expected


def test_tag_on_nothing_is_not_selected() -> None:
    assert selected_tags("SELECT TAGS FROM Patients", stream(item(0), tag(1, "a"))) == []


def test_tagged_tuples_are_selected() -> None:
    text = "SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'Emergency'"
    assert rows(text, TAGGED) == [(("p2", 95, "home"), {})]


def test_tagged_tuples_come_with_all_their_tags() -> None:
    text = "SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'Emergency' WITH TAGS"
    everywhere = {"pid": "Emergency", "measure": "Emergency", "loc": "here Emergency"}
    assert rows(text, TAGGED) == [(("p2", 95, "home"), everywhere)]


def test_selection_keeps_the_tags_of_what_survives() -> None:
    text = "SELECT pid, loc FROM Patients WHERE measure > 80 WITH TAGS"
    assert rows(text, TAGGED) == [
        (("p2", "home"), {"pid": "Emergency", "loc": "here Emergency"}),
        (("p3", "home"), {"loc": "here"}),
    ]


def test_projection_drops_tags_of_what_it_drops() -> None:
    text = "SELECT pid FROM Patients WHERE measure < 80 WITH TAGS"
    assert rows(text, TAGGED) == [(("p1",), {})]


def test_computed_column_has_the_tags_of_its_parts() -> None:
    text = "SELECT measure * 2 AS twice FROM Patients WHERE pid = 'p1' WITH TAGS"
    assert rows(text, TAGGED) == [((Decimal(140),), {"twice": "slow"})]


def test_rows_without_tags() -> None:
    assert rows("SELECT pid FROM Patients WHERE measure > 90", TAGGED) == [(("p2",), {})]


def animals(*elements: object) -> TaggedStream:
    return TaggedStream(ANIMALS, tuple(place(elements)))  # type: ignore[arg-type]


def animal(time: int, id: str, loc: str) -> StreamTuple:
    return StreamTuple(id, time * SECOND, (id, loc))


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [(10, 10, True), (10, 69, True), (10, 70, False), (189, 10, True), (190, 10, False)],
)
def test_windows_of_a_join(left: int, right: int, joined: bool) -> None:
    # A [1 min], B [3 min]: the earlier must still be in its window when the later comes.
    sources = "Patients A [1 min], Animals B [3 min]"
    text = f"SELECT A.pid, B.pid FROM {sources} WHERE Dist(A.loc, B.loc) < 2"
    found = rows(text, stream(item(left, loc="0 0")), animals(animal(right, "cat", "1,1")))
    assert bool(found) is joined


def test_join_by_key_merges_the_key_and_its_tags() -> None:
    text = "SELECT * FROM Patients A [1 min], Animals B [1 min] WHERE A.loc = B.loc WITH TAGS"
    left = stream(tag(0, "t1"), item(1))
    right = animals(tag(0, "t2", "*,*,{}"), animal(1, "cat", "home"))
    tags = {"A.pid": "t1", "A.measure": "t1", "A.loc": "t2 t1", "B.pid": "t2"}
    assert rows(text, left, right) == [(("p1", 70, "home", "cat"), tags)]


def test_either_name_of_the_key_has_the_tags_of_both() -> None:
    text = "SELECT B.loc FROM Patients A [1 min], Animals B [1 min] WHERE A.loc = B.loc WITH TAGS"
    left = stream(tag(0, "t1", "*,*,{loc}"), item(1))
    assert rows(text, left, animals(animal(1, "cat", "home"))) == [(("home",), {"B.loc": "t1"})]


def test_aggregate_has_every_tag_of_its_window() -> None:
    # t   0    1    4
    #     a 70 b 80   90        [3 s]
    text = "SELECT AVG(measure), COUNT(*) FROM Patients [3 s] WITH TAGS"
    elements = tag(0, "a"), item(0), tag(1, "b"), item(1, measure="80"), item(4, measure="90")
    first, second, third = rows(text, stream(*elements))
    assert first == ((70, 1), {"AVG(measure)": "a", "COUNT(*)": "a"})
    assert second == ((75, 2), {"AVG(measure)": "a b", "COUNT(*)": "a b"})
    assert third == ((90, 1), {})


def test_groups_by_attribute() -> None:
    text = "SELECT loc, SUM(measure) FROM Patients GROUP BY loc WITH TAGS"
    elements = tag(0, "a", "*,*,{pid}"), item(0), item(1, loc="work"), item(2)
    assert rows(text, stream(*elements)) == [
        (("home", 70), {"loc": "a", "SUM(measure)": "a"}),
        (("work", 70), {}),
        (("home", 140), {"loc": "a", "SUM(measure)": "a"}),
    ]


def labelled(text: str, *elements: object) -> list[tuple[object, ...]]:
    return [values for values, _ in rows(text, stream(*elements))]  # type: ignore[arg-type]


def test_groups_by_tags() -> None:
    text = "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS"
    elements = tag(0, "a"), item(0), item(1), tag(2, "b"), item(2), tag(3, "a"), item(3)
    assert labelled(text, *elements) == [("a", 1), ("b", 1), ("a", 2)]


def test_untagged_tuples_have_a_group_on_request() -> None:
    text = "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS INCLUDING UNTAGGED"
    assert labelled(text, tag(0, "a"), item(0), item(1), item(2)) == [("a", 1), ("", 1), ("", 2)]


def test_first_of_equally_close_groups_is_taken() -> None:
    text = "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS"
    both = tag(2, "a"), tag(2, "b"), item(2)
    elements = tag(0, "b"), item(0), tag(1, "a"), item(1), *both
    assert labelled(text, *elements) == [("b", 1), ("a", 1), ("b", 2)]


def test_group_that_left_the_window_is_no_longer_first() -> None:
    text = "SELECT TAG, COUNT(*) FROM Patients [2 s] GROUP BY TAGS"
    both = tag(2, "a"), tag(2, "b"), item(2)
    elements = tag(0, "b"), item(0), tag(1, "a"), item(1), *both
    assert labelled(text, *elements) == [("b", 1), ("a", 1), ("a", 2)]


def test_groups_by_dictionary() -> None:
    text = "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS USING DICTIONARY"
    elements = tag(0, "Joyful"), item(0), tag(1, "excited"), item(1), tag(2, "Accident"), item(2)
    assert labelled(text, *elements) == [("happy", 1), ("happy", 2), ("accident", 1)]


def test_groups_by_common_objects() -> None:
    # Fireworks are cool: the tags have two of three objects in common.
    text = "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS USING JACCARD 0.5"
    both = [each for time in (0, 1) for each in (tag(time, "fire"), tag(time, "cool"), item(time))]
    elements = *both, tag(2, "cool"), item(2), tag(3, "dull"), item(3)
    assert labelled(text, *elements) == [("fire", 1), ("fire", 2), ("fire", 3), ("dull", 1)]


JOIN = "SELECT TAGGED OBJECTS FROM Patients A [2 s], Animals B [2 s] WHERE "
LEFT = stream(tag(0, "Joyful"), item(0), tag(1, "sad"), item(1), tag(5, "x"), item(5))
RIGHT = animals(tag(1, "excited"), animal(1, "cat", "0 0"), tag(2, "x"), animal(2, "dog", "0 0"))


def test_tuples_are_joined_by_equal_tags() -> None:
    right = animals(tag(5, "x"), tag(5, "y"), animal(5, "cat", "0 0"))
    assert pairs(JOIN + "TAG(A) = TAG(B)", LEFT, right) == [(5, 5, "x", "x")]


def test_tuples_are_joined_by_dictionary() -> None:
    assert pairs(JOIN + "TAG(A) EQUIVALENT TO TAG(B)", LEFT, RIGHT) == [(0, 1, "Joyful", "excited")]


def test_tuples_are_joined_by_common_objects() -> None:
    left = stream(tag(0, "a"), tag(0, "b"), item(0), tag(1, "a"), item(1))
    right = animals(tag(1, "b"), animal(1, "cat", "0 0"))
    together = pairs(JOIN + "TAG(A) COOCCURS WITH TAG(B) >= 1", left, right)
    assert together == [(0, 1, "a b", "b"), (1, 1, "a", "b")]
    # When the cat comes, a and b have one object in common, of three.
    assert pairs(JOIN + "TAG(A) SIMILAR TO TAG(B) JACCARD > 0.4", left, right) == [(0, 1, "b", "b")]


def test_objects_that_come_later_do_not_count() -> None:
    left = stream(tag(0, "a"), item(0), tag(1, "a"), tag(1, "b"), item(1))
    right = animals(tag(0, "b"), animal(0, "cat", "0 0"))
    found = pairs(JOIN + "TAG(A) COOCCURS WITH TAG(B) >= 1 AND TAG(A) = 'a'", left, right)
    assert found == [(1, 0, "a", "b")]


def test_a_whole_tuple_is_one_object() -> None:
    once = tag(0, "a"), tag(0, "b"), item(0)
    text = "SELECT TAGS FROM Patients WHERE TAG COOCCURS WITH 'b' >= 2"
    assert selected_tags(text, stream(*once)) == []
    assert selected_tags(text, stream(*once, tag(1, "b"), tag(1, "a"), item(1))) == ["b", "a"]


def test_thesaurus_can_be_replaced() -> None:
    thesaurus = read_thesaurus("harm: accident, disaster")
    streams = {"Patients": stream(tag(0, "Accident"), item(0))}
    text = "SELECT TAGS FROM Patients WHERE TAG EQUIVALENT TO 'Disaster'"
    assert answer(parse(text), streams, thesaurus) and not answer(parse(text), streams)


def tagged_by(text: str, *elements: object, after: int = -1) -> list[str]:
    statement = parse(text)
    assert isinstance(statement, syntax.AttachTag)
    found = attach(statement, stream(*elements), "q7", after=after)  # type: ignore[arg-type]
    return [each.id if isinstance(each, StreamTuple) else str(each) for each in found]


def test_tag_is_attached_to_every_tuple_that_matches() -> None:
    text = """ATTACH TAG 'Dangerous' CONTINUOUSLY TO Patients.pid.value
              WHERE (SELECT pid FROM Patients WHERE measure > 80) WITH TAG_SIGN = '-'"""
    elements = item(1, "p1"), item(2, "p2", "90"), item(3, "p3", "95")
    dangerous = "q7|*,*,{pid.value}|Dangerous|subjective|-|I|C|"
    expected = ["p1", dangerous + "2000000", "p2", dangerous + "3000000", "p3"]
    assert tagged_by(text, *elements) == expected


def test_tag_is_attached_once() -> None:
    text = "ATTACH TAG 'x1' TO Patients WHERE measure > 80 WITH TAG_LIFESPAN = 1 min"
    elements = item(1, "p1"), item(2, "p2", "90"), item(3, "p3", "95")
    expected = ["p1", "p2", "q7|*,*,{}|x1|objective||1 min|C|3000000", "p3"]
    assert tagged_by(text, *elements, after=1) == expected


def test_tag_is_attached_by_tags() -> None:
    text = "ATTACH TAG 'seen' CONTINUOUSLY TO Patients WHERE TAG = 'a'"
    found = tagged_by(text, tag(0, "a"), item(1, "p1"), item(2, "p2"))
    assert [each.split("|")[2] if "|" in each else each for each in found] == [
        "a",
        "seen",
        "p1",
        "p2",
    ]


def test_contents_are_drawn_the_same_at_every_replay() -> None:
    text = "ATTACH TAG ONE OF ('a1', 'b2', 'c3') CONTINUOUSLY TO Patients"
    elements = [item(time, f"p{time}") for time in range(40)]
    found = tagged_by(text, *elements)
    assert found == tagged_by(text, *elements)
    drawn = {each.split("|")[2] for each in found if "|" in each}
    assert drawn == {"a1", "b2", "c3"}


def test_times_can_be_compared() -> None:
    shape = StreamShape("Patients", (*SHAPE.attributes, StreamAttribute("seen", ValueType.TIME)))
    seen = StreamTuple("p1", 0, ("p1", "70", "home", "2024-05-01T10:00:00"))
    text = "SELECT pid FROM Patients WHERE seen + 1 h > '2024-05-01T10:30:00'"
    assert rows(text, stream(seen, shape=shape)) == [(("p1",), {})]
