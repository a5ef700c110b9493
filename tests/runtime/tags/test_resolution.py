"""Tags resolved batch by batch are those that the rules put there, object by object."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.tags import Element, Stix, StreamTuple, place
from millstream.runtime.tags.columns import SPENT
from millstream.testing.tags import TaggedStream, resolve
from millstream.testing.tags.strategies.streams import contested_streams, streams
from tests.model.tags.samples import stixes
from tests.runtime.tags.batches import EVER, in_batches

CUTS = st.lists(st.integers(0, 16), max_size=6)


def agree(stream: TaggedStream, cuts: list[int], lateness: int = EVER) -> None:
    found, _ = in_batches(stream.elements, stream.shape, cuts, lateness)
    assert found == resolve(stream.elements, stream.shape)


@settings(max_examples=200, deadline=None)
@given(streams(14), CUTS)
def test_random_streams(stream: TaggedStream, cuts: list[int]) -> None:
    agree(stream, cuts)


@settings(max_examples=300, deadline=None)
@given(contested_streams(), CUTS)
def test_streams_with_many_overwrites(stream: TaggedStream, cuts: list[int]) -> None:
    agree(stream, cuts)


@settings(max_examples=300, deadline=None)
@given(contested_streams(20), CUTS)
def test_nothing_is_forgotten_that_lateness_allows_for(
    stream: TaggedStream, cuts: list[int]
) -> None:
    agree(stream, cuts, _lateness(stream))


@settings(max_examples=200, deadline=None)
@given(contested_streams(12), st.lists(st.tuples(st.integers(0, 12), stixes()), max_size=3), CUTS)
def test_streams_with_stix(
    stream: TaggedStream, indexes: list[tuple[int, Stix]], cuts: list[int]
) -> None:
    elements: list[Element] = [each.element for each in stream.elements]
    for at, stix in indexes:
        elements.insert(at, stix)
    agree(replace(stream, elements=tuple(place(elements))), cuts)


@settings(max_examples=100, deadline=None)
@given(contested_streams(30))
def test_a_tag_goes_when_lateness_has_passed_its_end(stream: TaggedStream) -> None:
    later = StreamTuple("c", 10**9, (None, None, None))
    elements = [*(each.element for each in stream.elements), later]
    _, live = in_batches(place(elements), stream.shape, [7, 19], lateness=0)
    alive = [row for row in live.table.to_pylist() if row["status"] != SPENT]
    assert [row for row in alive if row["lifespan"] is not None] == []


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
