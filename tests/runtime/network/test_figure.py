"""The seed's four queries, each from a stream that flows already, as in its Figure 1(b)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import millstream
from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from tests.runtime.network.peers import TYPES, Hand, PeerMill

PLANS = {
    "vela": (VELA, "SP1", Hand(flow="vela", route=("SP4", "SP5", "SP1"))),
    "rxj": (RXJ, "SP7", Hand("vela", "SP5", "rxj", ("SP5", "SP7"))),
    "average_20": (AVERAGE_20, "SP3", Hand("vela", "SP1", "average_20", ("SP1", "SP3"))),
    "average_60": (AVERAGE_60, "SP2", Hand("average_20", "SP3", "average_60", ("SP3", "SP2"))),
}


def deploy(mill: PeerMill, name: str, **options: object) -> None:
    text, peer, hand = PLANS[name]
    mill.deploy(text, name, peer, hand)


def subscribe_alone(mill: Mill, name: str) -> None:
    mill.subscribe(PLANS[name][0], name=name)


def results(mill: Mill) -> dict[str, list[str]]:
    return {name: list(mill.subscriptions[name].results()) for name in PLANS}


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_results_are_those_of_independent_subscriptions(spark: SparkSession) -> None:
    photons = list(generate(1500))
    with millstream.open(None, spark=spark) as alone, PeerMill(None, spark) as shared:
        alone.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        shared.create_photons()
        for name in PLANS:
            subscribe_alone(alone, name)
            deploy(shared, name)
        feeds = DirectFeed(alone, "photons"), DirectFeed(shared, "photons")
        for start in range(0, 1500, 500):
            for feed in feeds:
                feed.push(photons[start : start + 500])
            assert results(shared) == results(alone), start
        for feed in feeds:
            feed.end()
        assert results(shared) == results(alone)
        assert all(results(shared).values())
        print(shared.peers.use())
        print(shared.peers.carried())
