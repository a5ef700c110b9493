"""Tags resolved batch by batch are those that the rules put there, object by object."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.tags import Element, Stix, StreamTuple, place
from millstream.model.tags.duration import SECOND
from millstream.runtime.tags.columns import SPENT
from millstream.testing.tags import TaggedStream, resolve
from millstream.testing.tags.strategies.streams import contested_streams, streams
from tests.model.tags.samples import stixes
from tests.runtime.tags.batches import EVER, in_batches, on_time

CUTS = st.lists(st.integers(0, 16), max_size=6)


def agree(stream: TaggedStream, cuts: list[int], lateness: int = EVER) -> None:
    found, _ = in_batches(stream.elements, stream.shape, cuts, lateness)
    assert found == resolve(stream.elements, stream.shape)


@settings(max_examples=70)
@given(streams(14), CUTS)
def test_random_streams(stream: TaggedStream, cuts: list[int]) -> None:
    agree(stream, cuts)


@settings(max_examples=70)
@given(contested_streams(), CUTS)
def test_streams_with_many_overwrites(stream: TaggedStream, cuts: list[int]) -> None:
    agree(stream, cuts)


@settings(max_examples=70)
@given(contested_streams(20), CUTS)
def test_nothing_is_forgotten_that_lateness_allows_for(
    stream: TaggedStream, cuts: list[int]
) -> None:
    agree(stream, cuts, _lateness(stream))


@settings(max_examples=70)
@given(contested_streams(12), st.lists(st.tuples(st.integers(0, 12), stixes()), max_size=3), CUTS)
def test_streams_with_stix(
    stream: TaggedStream, indexes: list[tuple[int, Stix]], cuts: list[int]
) -> None:
    elements: list[Element] = [each.element for each in stream.elements]
    for at, stix in indexes:
        elements.insert(at, stix)
    agree(replace(stream, elements=tuple(place(elements))), cuts)


@settings(max_examples=70)
@given(contested_streams(30))
def test_a_tag_goes_when_lateness_has_passed_its_end(stream: TaggedStream) -> None:
    later = StreamTuple("c", 10**9, (None, None, None))
    elements = [*(each.element for each in stream.elements), later]
    _, live = in_batches(place(elements), stream.shape, [7, 19], lateness=0)
    alive = [row for row in live.table.to_pylist() if row["status"] != SPENT]
    assert [row for row in alive if row["lifespan"] is not None] == []


@settings(max_examples=70)
@given(contested_streams(20), CUTS, st.integers(0, 3))
def test_what_is_too_late_has_fewer_tags_and_never_a_wrong_one(
    stream: TaggedStream, cuts: list[int], seconds: int
) -> None:
    lateness = seconds * SECOND
    found, _ = in_batches(stream.elements, stream.shape, cuts, lateness)
    at_once, _ = in_batches(stream.elements, stream.shape, [], lateness)
    assert found == at_once
    taken = on_time(stream.elements, stream.shape, lateness)
    for mine, theirs in zip(found, resolve(taken, stream.shape), strict=True):
        assert mine.marks <= theirs.marks


@pytest.mark.long
@pytest.mark.timeout(3600)
@settings(max_examples=10_000)
@given(st.one_of(streams(30), contested_streams(30)), st.lists(st.integers(0, 30), max_size=9))
def test_many_random_streams(stream: TaggedStream, cuts: list[int]) -> None:
    agree(stream, cuts)
    agree(stream, cuts, _lateness(stream))


def _lateness(stream: TaggedStream) -> int:
    """How far an element lies behind the tuples before it, at most."""
    highest, behind = None, 0
    for placed in stream.elements:
        element = placed.element
        time = element.time if isinstance(element, StreamTuple) else element.timestamp
        behind = max(behind, 0 if highest is None else highest - time)
        if isinstance(element, StreamTuple):
            highest = time if highest is None else max(highest, time)
    return behind
