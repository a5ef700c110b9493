"""Many mixed subscriptions that come and go: shared, they get what each gets alone."""

from __future__ import annotations

import gzip
import itertools
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

import millstream
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.reference import evaluate
from tests.runtime.photon_subscriptions import MADE_UP, MEASURED, Sky, Stay, stays

TYPES = {
    "coord/cel/ra": "decimal",
    "coord/cel/dec": "decimal",
    "en": "decimal",
    "det_time": "integer",
    "phc": "integer",
}
REAL = Path(os.environ.get("MILLSTREAM_DATA", "../shared/data")) / "photons/fermi-lat-2fhl.xml.gz"
BATCHES = 5


def batches_of(photons: Sequence[str]) -> list[Sequence[str]]:
    """Batches that grow, so that windows end in the middle of some and span others."""
    cuts = [len(photons) * n * n // (BATCHES * BATCHES) for n in range(BATCHES + 1)]
    return [photons[start:end] for start, end in itertools.pairwise(cuts)]


def check(spark: SparkSession, photons: Sequence[str], number: int, sky: Sky, seed: int) -> None:
    batches = batches_of(photons)
    wanted = {f"s{index}": each for index, each in enumerate(stays(number, BATCHES, sky, seed))}
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        feed = DirectFeed(mill, "photons")
        for index, batch in enumerate(batches):
            come_and_go(mill, wanted, index)
            feed.push(batch)
        come_and_go(mill, wanted, BATCHES)
        feed.end()
        for name, stay in wanted.items():
            assert list(mill.subscriptions[name].results()) == alone(mill, name, stay, batches), (
                f"{name}, from {stay.comes} to {stay.goes}: {stay.text}"
            )


def come_and_go(mill: Mill, wanted: dict[str, Stay], index: int) -> None:
    for name, stay in wanted.items():
        if stay.comes == index and index < BATCHES:
            mill.subscribe(stay.text, name=name)
        if stay.goes == index:
            mill.cancel(name)


def alone(mill: Mill, name: str, stay: Stay, batches: Sequence[Sequence[str]]) -> list[str]:
    """What the subscription gives by itself, by the reference evaluator."""
    missed = sum(len(each) for each in batches[: stay.comes])
    seen = batches if stay.goes is None else batches[: stay.goes]
    arrivals = [("photons", item) for batch in seen for item in batch]
    outcome = evaluate(
        mill.subscriptions[name].query,
        arrivals,
        registered_after=missed,
        ended=stay.goes is None,
    )
    return list(outcome.results)


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_some_subscriptions_to_made_up_photons(spark: SparkSession) -> None:
    check(spark, list(generate(300, rate=3)), 14, MADE_UP, seed=7)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hundreds_of_subscriptions_to_made_up_photons(spark: SparkSession, seed: int) -> None:
    check(spark, list(generate(1500, rate=3, seed=seed)), 120, MADE_UP, seed)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.shared_data
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [4, 5])
def test_hundreds_of_subscriptions_to_real_photons(spark: SparkSession, seed: int) -> None:
    if not REAL.exists():
        pytest.skip(f"{REAL} is missing: point MILLSTREAM_DATA to the folder that holds it")
    with gzip.open(REAL, "rt", encoding="utf-8") as lines:
        photons = [line.strip() for line in lines if line.startswith("<photon>")]
    start = 20_000 * (seed - 4)
    check(spark, photons[start : start + 3000], 160, MEASURED, seed)
