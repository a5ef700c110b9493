"""Windows that flow: other windows made of them, wherever and whenever somebody asks."""

from __future__ import annotations

import pytest

from millstream.generators.photons import generate
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from tests.runtime.network.peers import Hand, PeerMill

PHOTONS = 'stream("photons")/photons/photon'
AGGREGATES = "let $a := avg($w/en), $s := sum($w/phc), $h := max($w/coord/cel/ra), $n := count($w)"
PRINTED = "<r>{ $a } { $s } { $h } { $n }</r>"


def over_time(size: int, step: int, where: str = "") -> str:
    window = f"{PHOTONS}[en >= 0.6]|det_time diff {size} step {step}|"
    return f"<o>{{ for $w in {window} {AGGREGATES} {where} return {PRINTED} }}</o>"


def by_number(size: int, step: int) -> str:
    window = f"{PHOTONS}|count {size} step {step}|"
    return f"<o>{{ for $w in {window} {AGGREGATES} return {PRINTED} }}</o>"


def deploy(mill: PeerMill, text: str, name: str, peer: str, hand: Hand, **options: object) -> None:
    mill.deploy(text, name, peer, hand, **options)
    mill.alone(text, f"{name} alone", **options)


def check(mill: PeerMill, *, found: bool = False) -> None:
    for name in mill.subscriptions:
        if f"{name} alone" in mill.subscriptions:
            results = list(mill.subscriptions[name].results())
            assert results == list(mill.subscriptions[f"{name} alone"].results()), name
            assert results or not found, name


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_windows_in_time(spark: SparkSession) -> None:
    photons = list(generate(900, rate=2.0))
    fine = Hand(flow="fine", route=("SP4", "SP1"))
    filtered = Hand(flow="filtered", route=("SP4", "SP1"))
    with PeerMill(None, spark) as mill:
        mill.create_photons(lateness=3)
        feed = DirectFeed(mill, "photons")
        deploy(mill, over_time(20, 10), "fine", "SP1", fine, empty=True)
        deploy(mill, over_time(30, 30, "where $a >= 1.3"), "filtered", "SP1", filtered)
        feed.push(photons[:400])
        check(mill)
        onward = Hand("fine", "SP1", "coarse", ("SP1", "SP2"))
        deploy(mill, over_time(60, 40), "coarse", "SP2", onward)
        deploy(mill, over_time(20, 50, "where $n > 9"), "here", "SP1", Hand("fine", "SP1"))
        rarer = Hand("filtered", "SP1", "rarer", ("SP1", "SP2"))
        deploy(mill, over_time(30, 60, "where $a >= 1.4"), "rarer", "SP2", rarer)
        feed.push(photons[400:])
        check(mill)
        feed.end()
        check(mill, found=True)


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_windows_by_number(spark: SparkSession) -> None:
    photons = list(generate(700))
    with PeerMill(None, spark) as mill:
        mill.create_photons()
        feed = DirectFeed(mill, "photons")
        feed.push(photons[:33])
        numbered = Hand(flow="numbered", route=("SP4", "SP1"))
        deploy(mill, by_number(20, 10), "numbered", "SP1", numbered)
        at_once = Hand("numbered", "SP1", "at once", ("SP1", "SP2"))
        deploy(mill, by_number(60, 40), "at once", "SP2", at_once, end="cut")
        feed.push(photons[33:293])
        check(mill, found=True)
        # Windows by number begin with their subscription, which need not be a multiple of theirs.
        assert mill.peers.counted("numbered") == 260
        later = Hand("numbered", "SP1", "later", ("SP1", "SP2"))
        deploy(mill, by_number(60, 40), "later", "SP2", later)
        feed.push(photons[293:615])
        check(mill, found=True)
        feed.push(photons[615:])
        check(mill)
        feed.end()
        check(mill)
