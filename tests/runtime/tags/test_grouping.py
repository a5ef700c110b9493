"""Groups by tags: the closest in the window, and among equals the one that appeared first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from millstream.runtime.tags.grouping import (
    UNTAGGED,
    Arrival,
    Nearness,
    by_objects,
    by_table,
    earliest_from,
    labels_of,
)

Tuple = tuple[int, list[str]]
"""A time and labels."""
LIKES = {"a": {"b": 0.8, "c": 0.8}, "b": {"a": 0.4}, "c": {"c": 1.0, "b": 0.9}}


def grouped(
    tuples: list[Tuple],
    window: int | None,
    near: Nearness | None = None,
    members: tuple[tuple[str, int], ...] = (),
) -> list[str]:
    earliest = earliest_from([time for time, _ in tuples])
    arrivals = (
        Arrival(labels, time, first, near)
        for (time, labels), first in zip(tuples, earliest, strict=True)
    )
    return list(labels_of(arrivals, members, window))


def looked_up(tuples: list[Tuple], window: int | None, near: Nearness | None) -> list[str]:
    """The same, by looking at all that came before."""
    found: list[str] = []
    for time, labels in tuples:
        before = zip(tuples, found, strict=False)
        present = dict.fromkeys(
            group
            for (at, _), group in before
            if group and (window is None or at <= time < at + window)
        )
        how_near = near or (lambda label, group: float(label == group))
        scores = {each: max((how_near(x, each) for x in labels), default=0) for each in present}
        best = max(scores, key=lambda each: scores[each], default=None)
        if labels and best is not None and scores[best] > 0:
            found.append(best)
        else:
            found.append(labels[0] if labels else UNTAGGED)
    return found


def test_a_tuple_with_several_tags_goes_to_the_group_that_appeared_first() -> None:
    tuples = [(0, ["sad"]), (1, ["angry"]), (2, ["angry", "sad"]), (3, ["new", "other"])]
    assert grouped(tuples, None) == ["sad", "angry", "sad", "new"]


def test_groups_go_with_the_last_of_their_tuples() -> None:
    # t   0    3        12  13
    #     [sad      )               window: 10
    #          [angry        )
    tuples = [(0, ["sad"]), (3, ["angry"]), (12, ["sad", "angry"]), (13, ["sad", "new"])]
    assert grouped(tuples, 10) == ["sad", "angry", "angry", "sad"]


def test_earlier_tuples_are_there() -> None:
    members = (("angry", 0), ("sad", 4))
    assert grouped([(5, ["sad", "angry"])], 5, members=members) == ["sad"]
    assert grouped([(4, ["sad", "angry"])], 5, members=members) == ["angry"]


def test_untagged_tuples_are_a_group_that_nobody_goes_to() -> None:
    assert grouped([(0, []), (1, ["x"]), (2, [])], 10) == ["", "x", ""]


def test_the_closest_group_is_the_one_with_most_objects_in_common() -> None:
    near = by_objects({"a": frozenset("12"), "b": frozenset("23"), "c": frozenset("123")}, 0.5)
    assert near("a", "b") == 0.0
    assert near("a", "c") == 2 / 3
    assert grouped([(0, ["b"]), (0, ["c"]), (0, ["a"])], None, near) == ["b", "b", "a"]


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.lists(st.sampled_from("abcd"), max_size=3)), max_size=25
    ),
    st.none() | st.integers(1, 12),
    st.sampled_from([None, by_table(LIKES, 0.0), by_table(LIKES, 0.5)]),
)
def test_groups_are_those_that_looking_everywhere_finds(
    tuples: list[Tuple], window: int | None, near: Nearness | None
) -> None:
    assert grouped(tuples, window, near) == looked_up(tuples, window, near)
