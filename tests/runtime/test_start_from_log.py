"""A late subscriber that asks for the past gets what an early one got."""

from __future__ import annotations

import pytest

import millstream
from millstream.errors import QueryError
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed

TYPES = {"en": "decimal", "det_time": "integer", "phc": "integer"}
PHOTONS = 'stream("photons")/photons/photon'
QUERIES = {
    "plain": f"<o>{{ for $p in {PHOTONS} where $p/en >= 1.5 return $p/en }}</o>",
    "time": f"<o>{{ for $w in {PHOTONS}|det_time diff 20 step 10|"
    " let $a := avg($w/en) return <a>{ $a }</a> }</o>",
    "count": f"<o>{{ for $w in {PHOTONS}[phc > 90]|count 7 step 3|"
    " return <c>{ max($w/en) }</c> }</o>",
    "contents": f"<o>{{ for $w in {PHOTONS}[en > 2.2]|det_time diff 9|"
    " return <w>{ $w/en }</w> }</o>",
}


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_late_subscriber_gets_the_past(spark: SparkSession) -> None:
    photons = list(generate(600))
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        for name, text in QUERIES.items():
            mill.subscribe(text, name=name)
        feed = DirectFeed(mill, "photons")
        feed.push(photons[:250])
        feed.push(photons[250:400])
        for name, text in QUERIES.items():
            mill.subscribe(text, name=f"late {name}", start="log")
        feed.push(photons[400:])
        feed.end()
        found = {name: list(each.results()) for name, each in mill.subscriptions.items()}
    assert {name: found[f"late {name}"] for name in QUERIES} == {
        name: found[name] for name in QUERIES
    }


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_who_comes_while_a_step_is_on_its_way_gets_the_past(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    photons = list(generate(300))
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        mill.subscribe(QUERIES["plain"], name="early")
        feed = DirectFeed(mill, "photons")
        feed.push(photons[:100])
        batch = mill.runner("photons").shared_batch
        caught_up = batch.catch_up

        def catch_up_and_let_another_in() -> None:
            caught_up()
            monkeypatch.undo()
            mill.subscribe(QUERIES["plain"], name="late", start="log")

        monkeypatch.setattr(batch, "catch_up", catch_up_and_let_another_in)
        feed.push(photons[100:200])
        feed.push(photons[200:])
        feed.end()
        results = {name: list(each.results()) for name, each in mill.subscriptions.items()}
    assert results["late"] == results["early"]


@pytest.mark.spark
@pytest.mark.timeout(600)
@pytest.mark.parametrize("ended", [False, True])
def test_subscriber_at_the_end_gets_the_past(spark: SparkSession, ended: bool) -> None:
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        mill.subscribe(QUERIES["time"], name="early")
        feed = DirectFeed(mill, "photons")
        feed.push(list(generate(200)))
        if ended:
            feed.end()
        mill.subscribe(QUERIES["time"], name="late", start="log")
        if not ended:
            feed.end()
        mill.run(until="drained")
        results = {name: list(each.results()) for name, each in mill.subscriptions.items()}
    assert results["late"] == results["early"]


def test_unknown_start_is_refused() -> None:
    with (
        millstream.open(None) as mill,
        pytest.raises(QueryError, match="starts 'now' or from the 'log', not 'yesterday'"),
    ):
        mill.subscribe(QUERIES["plain"], start="yesterday")
