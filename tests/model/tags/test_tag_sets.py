"""Numbers for sets of tags."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from millstream.model.tags import NO_TAGS, TagSets

SETS = st.lists(st.frozensets(st.integers(0, 5)), min_size=1, max_size=12)


@given(SETS)
def test_equal_sets_have_equal_numbers(given_sets: list[frozenset[int]]) -> None:
    sets = TagSets[int]()
    numbers = [sets.intern(each) for each in given_sets]
    assert [sets.members(number) for number in numbers] == given_sets
    assert len(set(numbers)) == len(set(given_sets))
    assert len(sets) == len({frozenset(), *given_sets})


@given(SETS, SETS)
def test_unions_are_interned(left: list[frozenset[int]], right: list[frozenset[int]]) -> None:
    sets = TagSets[int]()
    for one, other in zip(left, right, strict=False):
        union = sets.union(sets.intern(one), sets.intern(other))
        assert sets.members(union) == one | other
        assert sets.intern(one | other) == union


def test_no_tags_is_zero() -> None:
    sets = TagSets[str]()
    some = sets.intern("ab")
    assert sets.intern(()) == NO_TAGS
    assert sets.union(NO_TAGS, some) == sets.union(some, NO_TAGS) == some


def test_part_of_a_set_is_interned() -> None:
    sets = TagSets[str]()
    assert sets.members(sets.only(sets.intern("abc"), "bcd")) == frozenset("bc")
