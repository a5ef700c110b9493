"""The reference and plain SQL, written apart, agree on random streams and statements."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from millstream.languages.tagql import syntax
from millstream.testing.tags import TaggedStream
from millstream.testing.tags import strategies as random
from tests.testing.tags.comparison import assert_same_answer

patiently = settings(max_examples=150, suppress_health_check=list(HealthCheck))

Streams = dict[str, TaggedStream]


@settings(patiently, max_examples=300)
@given(random.contested_streams())
def test_what_tags_are_on(stream: TaggedStream) -> None:
    everything = syntax.Select((syntax.AllColumns(),), (syntax.Source("R"),), with_tags=True)
    assert_same_answer(everything, {"R": stream})


@patiently
@given(random.tag_selections(), random.contested_streams())
def test_selections_of_and_by_tags(statement: syntax.Statement, stream: TaggedStream) -> None:
    assert_same_answer(statement, {"R": stream})


@patiently
@given(random.selections(), random.streams())
def test_selections(statement: syntax.Statement, stream: TaggedStream) -> None:
    assert_same_answer(statement, {"R": stream})


@patiently
@given(random.joins(), random.two_streams())
def test_joins(statement: syntax.Statement, streams: Streams) -> None:
    assert_same_answer(statement, streams)


@patiently
@given(random.tag_joins(), random.two_streams(12))
def test_joins_by_tags(statement: syntax.Statement, streams: Streams) -> None:
    assert_same_answer(statement, streams)


@patiently
@given(random.aggregations(), random.streams())
def test_aggregates(statement: syntax.Statement, stream: TaggedStream) -> None:
    assert_same_answer(statement, {"R": stream})


@patiently
@given(random.tag_aggregations(), random.contested_streams())
def test_aggregates_by_tags(statement: syntax.Statement, stream: TaggedStream) -> None:
    assert_same_answer(statement, {"R": stream})
