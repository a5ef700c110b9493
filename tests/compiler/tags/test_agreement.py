"""Statements over resolved tags give what the reference gives, however streams are cut."""

from __future__ import annotations

import random as chance
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from millstream.languages.tagql import syntax, unparse
from millstream.model.tags import MarkedTuple
from millstream.testing.tags import TaggedStream, answer
from millstream.testing.tags import strategies as random
from tests.compiler.tags.agreement import answer_of
from tests.compiler.tags.hand_made import HandMadeSteps, marked
from tests.testing.tags.comparison import in_one_form

Streams = dict[str, TaggedStream]


def assert_agreement(
    session: SparkSession, statements: list[syntax.Statement], streams: Streams, seed: int
) -> None:
    """All statements, in one step for each batch, equal the reference."""
    steps = HandMadeSteps(session, statements)
    for stream, batch, full, ended in cut(streams, seed):
        steps.step(stream, batch, full=full, ended=ended)
    for statement, branch, rows in zip(statements, steps.branches, steps.results, strict=True):
        expected = in_one_form(answer(statement, streams))
        assert answer_of(branch, rows, steps.sets) == expected, unparse(statement)


def cut(streams: Streams, seed: int) -> Iterator[tuple[str, list[MarkedTuple], bool, bool]]:
    """The tuples of streams in batches, streams in any order among each other."""
    draw = chance.Random(seed)
    left = {name: list(marked(stream)) for name, stream in streams.items()}
    while any(left.values()):
        name = draw.choice([each for each, rest in left.items() if rest])
        size = draw.randint(1, max(1, len(left[name]) // 2))
        batch, left[name] = left[name][:size], left[name][size:]
        # State that is written anew in one step must be seen to be right in those after it.
        yield name, batch, draw.random() < 0.5, not left[name]


KINDS = (
    random.selections,
    random.tag_selections,
    random.joins,
    random.tag_joins,
    random.aggregations,
    random.tag_aggregations,
)


def some_of_each(count: int) -> st.SearchStrategy[list[syntax.Statement]]:
    """So many statements of each kind."""
    each = (st.lists(kind(), min_size=count, max_size=count) for kind in KINDS)
    return st.tuples(*each).map(_flat)


def two_of_each() -> st.SearchStrategy[list[syntax.Statement]]:
    """Two statements of each kind, which keep the same of tuples."""
    return st.tuples(*(random.with_sibling(kind()) for kind in KINDS)).map(_flat)


def _flat(lists: Iterable[Iterable[syntax.Statement]]) -> list[syntax.Statement]:
    return [one for listed in lists for one in listed]


# The first example is always the least one; those after it are drawn.
quick = settings(
    max_examples=2,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_some_statements(spark: SparkSession) -> None:
    @quick
    @given(two_of_each(), random.two_streams(14), st.integers(0, 1000))
    def agree(statements: list[syntax.Statement], streams: Streams, seed: int) -> None:
        assert_agreement(spark, statements, streams, seed)

    agree()


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_statements(spark: SparkSession) -> None:
    @settings(quick, max_examples=26, derandomize=False)
    @given(some_of_each(2), random.two_streams(18, 10), st.integers(0, 1000))
    def agree(statements: list[syntax.Statement], streams: Streams, seed: int) -> None:
        assert_agreement(spark, statements, streams, seed)

    agree()


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_statements_that_keep_the_same(spark: SparkSession) -> None:
    @settings(quick, max_examples=12, derandomize=False)
    @given(two_of_each(), random.two_streams(18, 10), st.integers(0, 1000))
    def agree(statements: list[syntax.Statement], streams: Streams, seed: int) -> None:
        assert_agreement(spark, statements, streams, seed)

    agree()


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_likenesses(spark: SparkSession) -> None:
    @settings(quick, max_examples=10, derandomize=False)
    @given(pairs_of(random.likenesses(), 3), random.two_streams(18, 10), st.integers(0, 1000))
    def agree(statements: list[syntax.Statement], streams: Streams, seed: int) -> None:
        assert_agreement(spark, statements, streams, seed)

    agree()


def pairs_of(
    kind: st.SearchStrategy[syntax.Statement], count: int
) -> st.SearchStrategy[list[syntax.Statement]]:
    """So many pairs of statements that keep the same of tuples."""
    return st.lists(random.with_sibling(kind), min_size=count, max_size=count).map(_flat)


def aggregates(count: int) -> st.SearchStrategy[list[syntax.Statement]]:
    """So many pairs of statements with aggregates."""
    return pairs_of(random.aggregations() | random.tag_aggregations(), count)


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_some_aggregates_in_order(spark: SparkSession) -> None:
    @settings(quick, max_examples=3)
    @given(aggregates(2), random.steady_streams(24), st.integers(0, 1000))
    def agree(statements: list[syntax.Statement], stream: TaggedStream, seed: int) -> None:
        assert_agreement(spark, statements, {"R": stream}, seed)

    agree()


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_aggregates_in_order(spark: SparkSession) -> None:
    @settings(quick, max_examples=12, derandomize=False)
    @given(aggregates(4), random.steady_streams(32, 16), st.integers(0, 1000))
    def agree(statements: list[syntax.Statement], stream: TaggedStream, seed: int) -> None:
        assert_agreement(spark, statements, {"R": stream}, seed)

    agree()
