"""Statements over resolved tags give what the reference gives, however streams are cut."""

from __future__ import annotations

import random as chance
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from millstream.languages.tagql import syntax, unparse
from millstream.model.tags import MarkedTuple, TickTag
from millstream.testing.tags import TaggedStream, answer
from millstream.testing.tags import strategies as random
from millstream.testing.tags.liveness import is_alive
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


def assert_agreement_once(
    session: SparkSession, statements: list[syntax.Statement], streams: Streams, _: int
) -> None:
    """All statements, asked once in one step for each stream, equal the reference."""
    for windowed in (True, False):
        asked = [each for each in statements if _has_window(each) == windowed]
        steps = HandMadeSteps(session, asked, [_now(each, streams) for each in asked])
        for name, stream in streams.items():
            tuples = marked(stream) if windowed else with_living(stream)
            steps.step(name, tuples, full=False, ended=True)
        for statement, branch, rows in zip(asked, steps.branches, steps.results, strict=True):
            expected = in_one_form(answer(statement, streams, once=True))
            assert answer_of(branch, rows, steps.sets) == expected, unparse(statement)


def _has_window(statement: syntax.Statement) -> bool:
    assert not isinstance(statement, syntax.AttachTag)
    return any(each.window is not None for each in statement.sources)


def _now(statement: syntax.Statement, streams: Streams) -> int:
    assert not isinstance(statement, syntax.AttachTag)
    named = [streams[each.stream] for each in statement.sources]
    return max((_latest(each) for each in named), default=0)


def _latest(stream: TaggedStream) -> int:
    return max((each.element.time for each in marked(stream)), default=0)


def with_living(stream: TaggedStream) -> list[MarkedTuple]:
    """The tuples of a stream without the tags whose life is over."""
    tags = [(e.position, e.element) for e in stream.elements if isinstance(e.element, TickTag)]
    now = _latest(stream)
    return [
        replace(each, marks=frozenset(m for m in each.marks if is_alive(m.tag, tags, now)))
        for each in marked(stream)
    ]


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


def pairs_of(
    kind: st.SearchStrategy[syntax.Statement], count: int
) -> st.SearchStrategy[list[syntax.Statement]]:
    """So many pairs of statements that keep the same of tuples."""
    return st.lists(random.with_sibling(kind), min_size=count, max_size=count).map(_flat)


def aggregates(count: int) -> st.SearchStrategy[list[syntax.Statement]]:
    """So many pairs of statements with aggregates."""
    return pairs_of(random.aggregations() | random.tag_aggregations(), count)


def in_order(most: int, least: int = 0) -> st.SearchStrategy[Streams]:
    """One stream whose tuples come in the order of time."""
    return random.steady_streams(most, least).map(lambda stream: {"R": stream})


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


@dataclass(frozen=True)
class Examples:
    """What is drawn, and how often."""

    statements: st.SearchStrategy[list[syntax.Statement]]
    streams: st.SearchStrategy[Streams]
    settings: settings
    assert_agreement: Callable[[SparkSession, list[syntax.Statement], Streams, int], None] = (
        assert_agreement
    )

    def agree(self, session: SparkSession) -> None:
        @self.settings
        @given(self.statements, self.streams, st.integers(0, 1000))
        def agree(statements: list[syntax.Statement], streams: Streams, seed: int) -> None:
            self.assert_agreement(session, statements, streams, seed)

        agree()


FEW = {
    "statements": Examples(two_of_each(), random.two_streams(14), quick),
    "aggregates in order": Examples(aggregates(2), in_order(24), settings(quick, max_examples=3)),
    "asked once": Examples(some_of_each(2), random.two_streams(14), quick, assert_agreement_once),
}


@pytest.mark.spark
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", FEW)
def test_some(spark: SparkSession, kind: str) -> None:
    FEW[kind].agree(spark)


drawn = settings(quick, max_examples=6, derandomize=False)
LONGER = random.two_streams(18, 10)
MANY = {
    "statements": (6, Examples(some_of_each(2), LONGER, drawn)),
    "statements that keep the same": (3, Examples(two_of_each(), LONGER, drawn)),
    "aggregates in order": (3, Examples(aggregates(4), in_order(32, 16), drawn)),
    "likenesses": (2, Examples(pairs_of(random.likenesses(), 3), LONGER, drawn)),
    "asked once": (3, Examples(some_of_each(3), LONGER, drawn, assert_agreement_once)),
}
"""In so many parts, each of which says within minutes what it found."""


@pytest.fixture
def interpreted(spark: SparkSession) -> Iterator[SparkSession]:
    """Spark without generated code, which for few tuples takes longer to compile than to run."""
    choices = {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    for name, value in choices.items():
        spark.conf.set(name, value)
    yield spark
    for name in choices:
        spark.conf.unset(name)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("kind", "part"), [(kind, part) for kind, (parts, _) in MANY.items() for part in range(parts)]
)
def test_many(interpreted: SparkSession, kind: str, part: int) -> None:
    MANY[kind][1].agree(interpreted)
