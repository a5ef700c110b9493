"""Which tags apply to what: order, lifespan, objects, overwriting and retraction."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.model.tags import parse_stix
from millstream.testing.tags import TaggedStream, resolve
from millstream.testing.tags import strategies as random
from tests.testing.tags.timelines import contents, item, objects, tag

patiently = settings(max_examples=100, suppress_health_check=list(HealthCheck))


def test_instant_tag_is_on_the_next_tuple() -> None:
    # A  1  2
    #    a
    assert contents(tag(0, "a"), item(1), item(2)) == ["a", ""]


def test_no_tag_is_on_what_came_before() -> None:
    assert contents(item(1), tag(0, "a", lives=9), item(1)) == ["", "a"]


def test_instant_tag_waits_for_a_tuple_that_matches() -> None:
    elements = tag(0, "a", "*,*,{loc}"), item(1, loc=None), tag(1, "b"), item(2)
    assert contents(*elements) == ["", "a b"]


def test_late_tuple_is_not_the_next() -> None:
    assert contents(tag(5, "a"), item(4), item(5), item(6)) == ["", "a", ""]


def test_instant_tag_with_a_pattern_is_on_every_match_of_its_run() -> None:
    # A  p1 p2 x1 p1 | B  p1
    #    a  a     a      b
    run = item(1, "p1"), item(1, "p2"), item(2, "x1"), item(9, "p1")
    elements = tag(0, "a", "*,p.*,{}"), *run, tag(9, "b"), item(9, "p1")
    assert contents(*elements) == ["a", "a", "", "a", "b"]


def test_tags_of_one_group_share_the_run() -> None:
    elements = tag(0, "a", "*,p.,{}"), tag(0, "b", "*,p1,{}"), item(1), item(2, "p2")
    assert contents(*elements) == ["a b", "a"]


def test_lifespan_includes_its_begin_and_excludes_its_end() -> None:
    # t  0  1  2  3
    #    [A       )
    elements = tag(0, "a", lives=3), item(0), item(2), item(3)
    assert contents(*elements) == ["a", "a", ""]


def test_late_tuple_is_before_the_tag() -> None:
    assert contents(tag(5, "a", lives=9), item(4), item(5)) == ["", "a"]


def test_tag_on_the_whole_tuple_is_on_every_attribute() -> None:
    assert objects(tag(0, "a"), item(1, loc=None)) == [{"a": ["pid", "measure", "loc"]}]


def test_tag_on_an_attribute_needs_the_attribute() -> None:
    elements = tag(0, "a", "*,*,{measure,loc}", lives=9), item(1, measure=None), item(2)
    assert objects(*elements) == [{"a": ["loc"]}, {"a": ["measure", "loc"]}]


def test_tag_on_a_value_follows_that_value() -> None:
    # loc  home  work  home
    #      a           a
    elements = tag(0, "a", "*,*,{loc.value}", lives=9), item(1), item(2, loc="work"), item(3)
    assert contents(*elements) == ["a", "", "a"]


def test_value_is_that_of_the_first_tuple_that_has_one() -> None:
    given_tag = tag(0, "a", "*,*,{loc.value}", lives=9)
    elements = given_tag, item(1, loc=None), item(2, loc="work"), item(3), item(4, loc="work")
    assert contents(*elements) == ["", "a", "", "a"]


def test_instant_tag_on_values_of_a_run_is_on_each() -> None:
    elements = tag(0, "a", "*,p1|p2,{pid.value}"), item(1, "p1"), item(1, "p2"), item(1, "p3")
    assert contents(*elements) == ["a", "a", ""]


def test_equal_numbers_are_one_value() -> None:
    elements = (
        tag(0, "a", "*,*,{measure.value}", lives=9),
        item(1, measure="7"),
        item(2, measure="07"),
    )
    assert contents(*elements) == ["a", "a"]


def test_tags_combine() -> None:
    assert contents(tag(0, "a", lives=9), tag(1, "b", lives=9), item(2)) == ["a b"]


def test_overwriting_ends_what_was() -> None:
    # t  0     2     4     6
    #    [a           …
    #          [b    )
    elements = (
        tag(0, "a", lives=9),
        item(1),
        tag(2, "b", lives=2, overwrites=True),
        item(3),
        item(6),
    )
    assert contents(*elements) == ["a", "b", ""]


def test_others_are_not_overwritten() -> None:
    elements = tag(0, "a", lives=9, by="bob"), tag(1, "b", lives=9, overwrites=True), item(2)
    assert contents(*elements) == ["a b"]


def test_other_objects_are_not_overwritten() -> None:
    first = tag(0, "a", "*,*,{loc}", lives=9), tag(0, "b", "*,*,{loc.value}", lives=9)
    second = tag(0, "c", lives=9), tag(0, "d")
    last = tag(1, "e", "*,*,{measure}", lives=9, overwrites=True)
    assert contents(*first, *second, last, item(2)) == ["a b c d e"]


def test_overwriting_goes_tuple_by_tuple() -> None:
    elements = (
        tag(0, "a", "*,p.,{}", lives=9),
        tag(1, "b", "*,p1,{}", lives=9, overwrites=True),
        item(2, "p1"),
        item(2, "p2"),
    )
    assert contents(*elements) == ["b", "a"]


def test_overwriting_a_value_leaves_other_values() -> None:
    first = tag(0, "a", "*,*,{loc.value}", lives=9), item(0, loc="home")
    second = tag(1, "b", "*,*,{loc.value}", lives=9), item(1, loc="work")
    third = tag(2, "c", "*,*,{loc.value}", lives=9, overwrites=True), item(2, loc="home")
    assert contents(*first, *second, *third, item(3, loc="work")) == ["a", "b", "c", "b"]


def test_a_value_is_not_overwritten_before_it_is_bound() -> None:
    first = tag(0, "a", "*,*,{loc.value}", lives=99), item(0, loc="home")
    # The second tag has expired for the tuple that comes first, and is bound by the next.
    second = tag(1, "b", "*,*,{loc.value}", lives=5, overwrites=True)
    assert contents(*first, second, item(50), item(2), item(51)) == ["a", "a", "b", ""]


def test_retraction_ends_tags_and_says_nothing() -> None:
    elements = tag(0, "a", "*,*,{loc}", lives=9), tag(1, "", "*,*,{loc}", overwrites=True)
    assert contents(*elements, item(2), item(3)) == ["", ""]


def test_retraction_of_everything_reaches_stream_and_tuples() -> None:
    elements = tag(0, "a", lives=9), tag(0, "b", "*,p.,{}", lives=9), tag(1, "", overwrites=True)
    assert contents(*elements, item(2)) == [""]


def test_last_writer_wins_by_time_not_by_arrival() -> None:
    # b was written at 5; a, written at 3, comes late and is ended all the same.
    elements = tag(5, "b", lives=9, overwrites=True), tag(3, "a", lives=9), item(4), item(6)
    assert contents(*elements) == ["a", "b"]


def test_later_position_wins_at_equal_times() -> None:
    first, second = (tag(1, each, lives=9, overwrites=True) for each in "ab")
    assert contents(first, second, item(2)) == ["b"]


def test_other_streams_are_left_alone() -> None:
    assert contents(tag(0, "a", "Animals,*,{}", lives=9), item(1)) == [""]


def test_stix_says_what_tags_are_on() -> None:
    stix = parse_stix("(1:2-3;3)2|(2)1")
    elements = stix, tag(0, "a", lives=9), tag(0, "b"), item(1), item(2), item(3), item(4)
    assert objects(*elements) == [
        {"b": ["measure", "loc"]},
        {"a": ["pid", "measure", "loc"]},
        {"b": ["pid", "measure", "loc"]},
        {},
    ]


def test_tags_beyond_the_stix_are_on_what_they_name() -> None:
    elements = parse_stix("(2)1"), tag(0, "a"), tag(0, "b"), item(1), item(2)
    assert contents(*elements) == ["b", "a"]


@patiently
@given(random.contested_streams(), st.randoms())
def test_order_of_arrival_does_not_matter(stream: TaggedStream, shuffler: st.DrawFn) -> None:
    shuffled = list(stream.elements)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(shuffled, stream.shape) == resolve(stream.elements, stream.shape)


@patiently
@given(random.contested_streams(), st.integers(0, 16))
def test_what_comes_later_changes_nothing(stream: TaggedStream, count: int) -> None:
    before = [each for each in stream.elements if each.position < count]
    known = [each for each in resolve(stream.elements, stream.shape) if each.position < count]
    assert list(resolve(before, stream.shape)) == known
