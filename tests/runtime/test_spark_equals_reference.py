"""Random queries over random items: what Spark gives is what the reference evaluator gives.

Each example registers many queries at once, so that sharing is under test as well, feeds the
items in batches of random size, and registers some of the queries only after the first batch.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

import millstream
from millstream.algebra.operators import Query
from millstream.errors import QueryError
from millstream.mill import Mill
from millstream.model.schema import Schema
from millstream.model.window import EndRule
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.query_text import query_text
from millstream.testing.reference import StreamSettings, evaluate
from millstream.testing.saxon import canonical
from millstream.testing.strategies import Shape, arrivals, queries, schemas

QUERIES = 10
EXAMPLES = int(os.environ.get("MILLSTREAM_EXAMPLES", "3"))
"""Examples of ten queries each; the long run takes fifty."""

ONE_STREAM = (Shape.ITEMS, Shape.NESTED, Shape.WINDOW, Shape.WINDOW, Shape.UNION)


@dataclass(frozen=True)
class Case:
    """Queries and the batches of items they run over."""

    schema: Schema
    streams: tuple[str, ...]
    queries: tuple[Query, ...]
    late: int
    """How many of the queries are registered after the first batch."""
    batches: tuple[tuple[tuple[str, str], ...], ...]
    lateness: int
    end: str | None
    empty: bool

    @property
    def arrivals(self) -> list[tuple[str, str]]:
        return [arrival for batch in self.batches for arrival in batch]


@st.composite
def cases(draw: st.DrawFn, shapes: tuple[Shape, ...], streams: tuple[str, ...]) -> Case:
    schema = draw(schemas())
    disorder = draw(st.sampled_from((0, 0, 3)))
    items = draw(arrivals(dict.fromkeys(streams, schema), max_size=24, disorder=disorder))
    cuts = sorted(draw(st.lists(st.integers(0, len(items)), min_size=1, max_size=2)))
    bounds = [0, *cuts, len(items)]
    return Case(
        schema,
        streams,
        tuple(draw(queries(schema, shapes=shapes)) for _ in range(QUERIES)),
        draw(st.integers(0, 3)),
        tuple(tuple(items[a:b]) for a, b in itertools.pairwise(bounds)),
        draw(st.sampled_from((0, 2))),
        draw(st.sampled_from((None, "cut", "gather", "run"))),
        draw(st.booleans()),
    )


def check(spark: SparkSession, case: Case) -> None:
    """Run the case in Spark and compare every query with the reference."""
    streams = sorted(case.streams)
    with millstream.open(None, spark=spark) as mill:
        for name in streams:
            source = f"nowhere/{name}"
            mill.create_stream(name, source, schema=case.schema, lateness=case.lateness)
        feeds = {name: DirectFeed(mill, name) for name in streams}
        early = len(case.queries) - case.late
        options = {"end": case.end, "empty": case.empty}
        for number, query in enumerate(case.queries[:early]):
            subscribe(mill, query, f"s{number}", options)
        for index, batch in enumerate(case.batches):
            push(feeds, batch)
            if index == 0:
                for number, query in enumerate(case.queries[early:], start=early):
                    subscribe(mill, query, f"s{number}", options)
        for feed in feeds.values():
            feed.end()
        for number, query in enumerate(case.queries):
            after = len(case.batches[0]) if number >= early else 0
            name = f"s{number}"
            if name in mill.subscriptions:
                compare(case, query, after, list(mill.subscriptions[name].results()))
            elif len(query.branches) == 1:
                # What is refused as contradictory must indeed give nothing.
                compare(case, query, after, [])


def subscribe(mill: Mill, query: Query, name: str, options: dict[str, Any]) -> None:
    try:
        mill.subscribe(query_text(query), name=name, **options)
    except QueryError as error:
        assert error.code == "contradiction", error


def push(feeds: dict[str, DirectFeed], batch: tuple[tuple[str, str], ...]) -> None:
    """One step for each run of items of one stream."""
    run: list[str] = []
    for index, (stream, item) in enumerate(batch):
        run.append(item)
        if index + 1 == len(batch) or batch[index + 1][0] != stream:
            feeds[stream].push(run)
            run = []


def compare(case: Case, query: Query, after: int, found: list[str]) -> None:
    stream_settings = StreamSettings(lateness=case.lateness)
    try:
        expected = evaluate(
            query,
            case.arrivals,
            settings=dict.fromkeys(case.streams, stream_settings),
            registered_after=after,
            end=EndRule(case.end) if case.end else None,
            empty=case.empty,
        ).results
    except QueryError:
        return  # an error of the data, such as arithmetic on several values: no answer is right
    if found != list(expected):
        note(query_text(query))
        assert ordered(query, found) == ordered(query, expected)


def ordered(query: Query, items: Sequence[str]) -> list[str]:
    """The items in a form to compare: branches keep their own order, but not among each other."""
    normalized = [normal(each) for each in items]
    return normalized if len(query.branches) == 1 else sorted(normalized)


def normal(item: str) -> str:
    return canonical(f"<item>{item}</item>", numbers=True)


PROFILE = settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    derandomize=EXAMPLES <= 3,
)


@pytest.mark.spark
@pytest.mark.timeout(3600)
@PROFILE
@given(case=cases(ONE_STREAM, ("items",)))
def test_queries_on_one_stream(spark: SparkSession, case: Case) -> None:
    check(spark, case)


@pytest.mark.spark
@pytest.mark.timeout(3600)
@PROFILE
@given(case=cases((Shape.JOIN, Shape.ITEMS), ("items", "others")))
def test_queries_that_join_streams(spark: SparkSession, case: Case) -> None:
    check(spark, case)
