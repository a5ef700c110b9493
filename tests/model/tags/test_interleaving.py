"""Marked tuples as a stream of tags, stix and tuples."""

from __future__ import annotations

from millstream.model.tags import (
    Granularity,
    Mark,
    MarkedTuple,
    PlacedTag,
    Stix,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    format_stix,
    tick_tag,
)
from millstream.model.tags.interleaving import indexed_group, interleave, interleave_indexed

SHAPE = StreamShape("AB", tuple(map(StreamAttribute, ("a", "b", "c", "e", "f"))))
T1 = PlacedTag("A", 0, tick_tag("t1", tagger="ann", timestamp=0))
T2 = PlacedTag("B", 0, tick_tag("t2", tagger="bob", timestamp=0))


def marked(number: int, **tags: tuple[PlacedTag, str]) -> MarkedTuple:
    marks = frozenset(
        Mark(attribute, Granularity.TUPLE, tag)
        for tag, names in tags.values()
        for attribute in names
    )
    return MarkedTuple(number, StreamTuple(str(number), number, ("x",) * 5), marks)


def shown(elements: object) -> list[str]:
    found = []
    for each in elements:  # type: ignore[attr-defined]
        match each:
            case Stix():
                found.append(format_stix(each))
            case StreamTuple():
                found.append(each.id)
            case _:
                found.append(each.content)
    return found


def test_tag_stands_once_before_its_first_tuple() -> None:
    tuples = [marked(1), marked(2, one=(T1, "a")), marked(3, one=(T1, "a"), two=(T2, "b"))]
    assert shown(interleave(tuples)) == ["1", "t1", "2", "t2", "3"]


def test_joined_tuple_has_the_stix_of_figure_6() -> None:
    joined = marked(1, one=(T1, "abc"), two=(T2, "aef"))
    expected = ["(1:1,4-5)2|(1:1-3)1", "t1", "t2", "1"]
    assert shown(interleave_indexed([joined], SHAPE)) == expected


def test_tuples_joined_by_tags_have_the_stix_of_figure_5() -> None:
    left = [marked(number, one=(T1, "a")) for number in (1, 2, 3)]
    group = indexed_group([*left, marked(4, two=(T2, "b"))], SHAPE, whole=True)
    assert shown(group) == ["(4)2|(1-3)1", "t1", "t2", "1", "2", "3", "4"]


def test_runs_with_equal_tags_share_a_stix() -> None:
    every = "abcef"
    tuples = [marked(1, one=(T1, every)), marked(2, one=(T1, "b")), marked(3)]
    assert shown(interleave_indexed(tuples, SHAPE)) == ["(1;2:2)1", "t1", "1", "2", "3"]
