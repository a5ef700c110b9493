"""Windows over a stream of partial aggregates: Spark gives what the reference gives."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import millstream
from millstream.algebra.operators import Query
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.reference import evaluate
from tests.testing.photons import PHOTONS
from tests.testing.tiles import WINDOWS, composed_query, direct_query, partial_query

QUERIES = {
    "tiles": partial_query(10, 10),
    "wide tiles": partial_query(20, 10),
    **{f"direct {size} {step}": direct_query(size, step) for size, step in ((20, 10), (60, 40))},
}
COMPOSED = {
    "composed 20 10": composed_query(20, 10, 10),
    "composed 60 40": composed_query(60, 40, 10),
}
WIDE = {"composed 60 40": composed_query(60, 40, 20), "composed 20 10": composed_query(20, 10, 20)}


def photon(number: int) -> str:
    energy = f"<en>{number}.{number % 7}</en>" if number % 3 else ""
    seen = f"<seen>2024-05-01T10:{number % 60:02d}:00Z</seen>"
    return (
        f"<photon>{energy}<flux>{number % 4}</flux><det_time>{number * 2}</det_time>{seen}</photon>"
    )


def subscribe(mill: Mill, queries: Mapping[str, Query], monkeypatch: pytest.MonkeyPatch) -> None:
    """Subscribe queries of the algebra that no text stands for."""
    monkeypatch.setattr(mill.registry, "_translate", lambda text, *_: queries[text])
    for name in queries:
        mill.subscribe(name, name=name)


def results(mill: Mill, name: str) -> list[str]:
    return list(mill.subscriptions[name].results())


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_composed_windows_are_the_direct_ones(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    photons = [photon(number) for number in range(90) if number % 31 > 9]
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS)
        subscribe(mill, QUERIES, monkeypatch)
        feed = DirectFeed(mill, "photons")
        feed.push(photons[:25])
        feed.push(photons[25:])
        feed.end()
        found = {name: results(mill, name) for name in QUERIES}
    for name, query in QUERIES.items():
        expected = evaluate(query, [("photons", each) for each in photons]).results
        assert found[name] == list(expected), name
    assert composed(spark, monkeypatch, found["tiles"], COMPOSED) == {
        name: found[name.replace("composed", "direct")] for name in COMPOSED
    }
    assert composed(spark, monkeypatch, found["wide tiles"], WIDE) == {
        name: found[name.replace("composed", "direct")] for name in WIDE
    }


def composed(
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    tiles: list[str],
    queries: Mapping[str, Query],
) -> dict[str, list[str]]:
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("windows", "nowhere", schema=WINDOWS)
        subscribe(mill, queries, monkeypatch)
        feed = DirectFeed(mill, "windows")
        for start in range(0, len(tiles), 7):
            feed.push(tiles[start : start + 7])
        feed.end()
        return {name: results(mill, name) for name in queries}


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_tiles_that_come_late(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = [0, 10, 20, 5, 0, 10, 40, 30, 20, 50, 7, 60]
    tiles = [f"<window><start>{each}</start><n>1</n></window>" for each in starts]
    arrivals = [("windows", each) for each in tiles]
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("windows", "nowhere", schema=WINDOWS)
        subscribe(mill, COMPOSED, monkeypatch)
        feed = DirectFeed(mill, "windows")
        feed.push(tiles[:4])
        feed.push(tiles[4:])
        feed.end()
        found = {name: results(mill, name) for name in COMPOSED}
        late = len(list(mill.streams["windows"].quarantine()))
    outcomes = {name: evaluate(query, arrivals) for name, query in COMPOSED.items()}
    assert found == {name: list(each.results) for name, each in outcomes.items()}
    assert late == len({index for each in outcomes.values() for index in each.late})
