"""Tags resolved batch by batch are those that the rules put there, object by object."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.testing.tags import TaggedStream, resolve
from millstream.testing.tags.strategies.streams import contested_streams, streams
from tests.runtime.tags.batches import in_batches

CUTS = st.lists(st.integers(0, 16), max_size=6)


@settings(max_examples=300, deadline=None)
@given(streams(14), CUTS)
def test_random_streams(stream: TaggedStream, cuts: list[int]) -> None:
    found, _ = in_batches(stream.elements, stream.shape, cuts)
    assert found == resolve(stream.elements, stream.shape)


@settings(max_examples=700, deadline=None)
@given(contested_streams(), CUTS)
def test_streams_with_many_overwrites(stream: TaggedStream, cuts: list[int]) -> None:
    found, _ = in_batches(stream.elements, stream.shape, cuts)
    assert found == resolve(stream.elements, stream.shape)
