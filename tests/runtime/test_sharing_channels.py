"""Equal subscriptions share a channel, and a late one still sees no partial windows."""

from __future__ import annotations

import pytest

import millstream
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.reference import evaluate

TYPES = {"en": "decimal", "det_time": "integer", "phc": "integer"}
PHOTONS = 'stream("photons")/photons/photon'


def averages(size: int, step: int, least: str = "0.5") -> str:
    return (
        f"<o>{{ for $w in {PHOTONS}[en >= {least}]|det_time diff {size} step {step}|"
        " let $a := avg($w/en) return <a>{ $a }</a> }</o>"
    )


def numbered(size: int, step: int) -> str:
    return (
        f"<o>{{ for $w in {PHOTONS}|count {size} step {step}| return <s>{{ sum($w/en) }}</s> }}</o>"
    )


def channels(mill: Mill) -> int:
    return len(mill.runner("photons").journal.state.channels)


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_late_subscriptions_share_and_see_whole_windows_only(spark: SparkSession) -> None:
    photons = list(generate(500))
    arrivals = [("photons", item) for item in photons]
    texts = {"time": averages(20, 10), "gaps": averages(5, 30), "count": numbered(40, 30)}
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        for name, text in texts.items():
            mill.subscribe(text, name=f"early {name}")
            mill.subscribe(text.replace("<o>", "<p>").replace("</o>", "</p>"), name=f"same {name}")
        feed = DirectFeed(mill, "photons")
        feed.push(photons[:200])
        assert channels(mill) == 3, "equal branches share a channel"
        for name, text in texts.items():
            mill.subscribe(text, name=f"late {name}")
        feed.push(photons[200:])
        assert channels(mill) == 4, "only item windows, which count from registration, do not"
        feed.end()
        for name, subscription in mill.subscriptions.items():
            after = 200 if name.startswith("late") else 0
            expected = evaluate(subscription.query, arrivals, registered_after=after).results
            assert list(subscription.results()) == list(expected), name


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_constants_and_windows_are_data_of_one_signature(spark: SparkSession) -> None:
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        for number in range(6):
            mill.subscribe(averages(10 * (number + 1), 10, f"0.{number}"), name=f"s{number}")
        feed = DirectFeed(mill, "photons")
        photons = list(generate(200))
        feed.push(photons)
        feed.end()
        signatures = {
            each.signature
            for name in mill.subscriptions
            for each in mill.registry.registered(name).branches
        }
        assert len(signatures) == 1
        arrivals = [("photons", item) for item in photons]
        for name, subscription in mill.subscriptions.items():
            expected = evaluate(subscription.query, arrivals).results
            assert list(subscription.results()) == list(expected), name
