"""Random queries on what flows for them, and on that again: their results are those alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from millstream.algebra.operators import Query
from millstream.errors import QueryError
from millstream.model.schema import Schema
from millstream.runtime.records import SubscriptionRecord
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.query_text import query_text
from millstream.testing.saxon import canonical
from millstream.testing.strategies import arrivals, queries, schemas
from tests.runtime.network.peers import Hand, PeerMill

EXAMPLES = int(os.environ.get("MILLSTREAM_EXAMPLES", "1"))
"""The long run takes fifty."""
QUERIES = 4
STREAMS = ("items", "others")


@dataclass(frozen=True)
class Case:
    """Queries, some of them late, and the batches of items they run over."""

    schema: Schema
    queries: tuple[Query, ...]
    late: int
    batches: tuple[tuple[tuple[str, str], ...], ...]
    stream: dict[str, Any]
    subscription: dict[str, Any]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    schema = draw(schemas())
    streams = dict.fromkeys(STREAMS, schema)
    items = draw(arrivals(streams, max_size=20, disorder=draw(st.sampled_from((0, 0, 3)))))
    cut = draw(st.integers(0, len(items)))
    batches = (tuple(items[:cut]), tuple(items[cut:]))
    end = draw(st.sampled_from((None, None, "cut", "gather", "run")))
    return Case(
        schema,
        tuple(draw(queries(schema)) for _ in range(QUERIES)),
        draw(st.integers(0, 2)),
        batches,
        {"lateness": draw(st.sampled_from((0, 2))), "anchor": draw(st.sampled_from((0, "first")))},
        {"end": end, "empty": draw(st.booleans())},
    )


def subscribe(mill: PeerMill, query: Query, name: str, options: dict[str, Any]) -> None:
    """The query alone; on flows of its own; and on those, a hop further."""
    text = query_text(query)
    try:
        asked = mill.asked(SubscriptionRecord(name, 0, text, (), **options))
    except QueryError as error:
        assert error.code == "contradiction", error
        return
    mill.alone(text, f"{name} alone", **options)
    first, second = [], []
    for number, each in enumerate(asked):
        flow = f"{name}.{number}"
        first.append(Hand(each.stream, "SP0", flow, ("SP0", "SP1")))
        second.append(Hand(flow, "SP1", f"{flow} again", ("SP1", "SP3")))
    mill.deploy(text, name, "SP1", *first, **options)
    mill.deploy(text, f"{name} again", "SP3", *second, **options)


def push(feeds: dict[str, DirectFeed], batch: tuple[tuple[str, str], ...]) -> None:
    for stream, feed in feeds.items():
        feed.push([item for name, item in batch if name == stream])


def check(mill: PeerMill, case: Case) -> None:
    for number, query in enumerate(case.queries):
        name = f"s{number}"
        if f"{name} alone" not in mill.subscriptions:
            continue
        alone = results(mill, f"{name} alone", query)
        for shared in (name, f"{name} again"):
            found = results(mill, shared, query)
            if found != alone:
                note(query_text(query))
            assert found == alone, shared


def results(mill: PeerMill, name: str, query: Query) -> list[str]:
    found = [
        canonical(f"<item>{each}</item>", numbers=True)
        for each in mill.subscriptions[name].results()
    ]
    # Branches keep their own order, but not among each other.
    return found if len(query.branches) == 1 else sorted(found)


@pytest.mark.spark
@pytest.mark.timeout(3600)
@settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    derandomize=EXAMPLES <= 3,
)
@given(case=cases())
def test_results_are_those_alone(spark: SparkSession, case: Case) -> None:
    early = len(case.queries) - case.late
    with PeerMill(None, spark) as mill:
        for stream in STREAMS:
            mill.create_stream(
                stream, f"nowhere/{stream}", schema=case.schema, peer="SP0", **case.stream
            )
        feeds = {stream: DirectFeed(mill, stream) for stream in STREAMS}
        for number, query in enumerate(case.queries[:early]):
            subscribe(mill, query, f"s{number}", case.subscription)
        push(feeds, case.batches[0])
        check(mill, case)
        for number, query in enumerate(case.queries[early:], start=early):
            subscribe(mill, query, f"s{number}", case.subscription)
        push(feeds, case.batches[1])
        check(mill, case)
        for feed in feeds.values():
            feed.end()
        check(mill, case)
