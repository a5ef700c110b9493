"""The seed's four queries, each from a stream that flows already, as in its Figure 1(b).

Beside each, the same query on the original stream: after every batch both have the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.generators.photons import generate
from millstream.mill import Mill
from millstream.runtime import crash
from millstream.runtime.session import SparkSession
from millstream.runtime.use import LinkUse
from millstream.testing.direct_feed import DirectFeed
from tests.runtime.network.disorder import disordered
from tests.runtime.network.peers import Hand, PeerMill

PLANS = {
    "vela": (VELA, "SP1", Hand(flow="vela", route=("SP4", "SP5", "SP1"))),
    "rxj": (RXJ, "SP7", Hand("vela", "SP5", "rxj", ("SP5", "SP7"))),
    "average_20": (AVERAGE_20, "SP3", Hand("vela", "SP1", "average_20", ("SP1", "SP3"))),
    "average_60": (AVERAGE_60, "SP2", Hand("average_20", "SP3", "average_60", ("SP3", "SP2"))),
}


def deploy(mill: PeerMill, *names: str) -> None:
    """Subscriptions as planned, and the same ones alone."""
    for name in names:
        text, peer, hand = PLANS[name]
        mill.deploy(text, name, peer, hand)
        mill.alone(text, f"{name} alone")


def check(mill: Mill, *, found: bool = False) -> None:
    """All results are the same as alone."""
    for name in PLANS:
        if name in mill.subscriptions:
            results = list(mill.subscriptions[name].results())
            assert results == list(mill.subscriptions[f"{name} alone"].results()), name
            assert results or not found, name


def text_size(items: list[str]) -> int:
    return sum(len(each.encode()) for each in items)


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_results_traffic_and_work(spark: SparkSession) -> None:
    photons = list(generate(1200))
    with PeerMill(None, spark) as mill:
        mill.create_photons()
        deploy(mill, *PLANS)
        feed = DirectFeed(mill, "photons")
        feed.push(photons[:700])
        check(mill, found=True)
        feed.push(photons[700:])
        check(mill)
        feed.end()
        check(mill, found=True)
        assert not mill.streams["photons"].quarantine()
        # All elements of a vela but their order, and two more around them, are in its result.
        vela = list(mill.subscriptions["vela"].results())
        added = len("<photon><coord><cel></cel></coord></photon>") - len("<vela></vela>")
        carried = LinkUse(text_size(vela) + added * len(vela), len(vela))
        traffic = mill.peers.traffic()
        assert traffic["SP4", "SP5"] == traffic["SP5", "SP1"] == carried
        assert mill.peers.carried()["vela"] == carried
        assert traffic["SP5", "SP7"].items == len(list(mill.subscriptions["rxj"].results()))
        assert traffic["SP1", "SP3"].items == len(list(mill.subscriptions["average_20"].results()))
        work = mill.peers.work()
        assert set(work) == {"SP4", "SP5", "SP1", "SP7", "SP3", "SP2"}
        assert work["SP4"].items == 1200
        assert work["SP1"].items == work["SP5"].items == len(vela)
        assert all(each.seconds > 0 and each.steps == 3 for each in work.values())


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_subscriptions_come_and_go_while_the_stream_is_late_and_starts_anywhere(
    spark: SparkSession,
) -> None:
    photons = disordered(list(generate(1600, start=1003)), reach=18)
    with PeerMill(None, spark) as mill:
        mill.create_photons(anchor="first", lateness=8)
        feed = DirectFeed(mill, "photons")
        deploy(mill, "vela", "average_20")
        feed.push(photons[:500])
        check(mill, found=True)
        deploy(mill, "rxj", "average_60")
        feed.push(photons[500:900])
        check(mill)
        # Others depend on what flows for a cancelled subscription.
        for name in ("vela", "vela alone", "average_20", "average_20 alone"):
            assert mill.peers.cancel(name) == ()
        feed.push(photons[900:])
        check(mill)
        assert mill.peers.cancel("rxj") == ("rxj",)
        mill.cancel("rxj alone")
        feed.end()
        check(mill, found=True)
        assert set(mill.peers.cancel("average_60")) == {"vela", "average_20", "average_60"}
        assert not mill.peers.flows


class Broken(Exception):
    """What the test raises where a crash would be."""


Crash = tuple[str, int]
"""A crash point, and how many streams of the chain get past it."""

MIXED: tuple[Crash, ...] = (("committed", 0), ("begun", 1), ("evaluated", 2), ("committed", 2))


def everywhere(point: str) -> object:
    crashes = tuple((point, stream) for stream in range(4))
    return pytest.param(crashes, id=point, marks=pytest.mark.long)


@pytest.mark.spark
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "crashes",
    [pytest.param(MIXED, id="mixed"), *map(everywhere, ("begun", "evaluated", "committed"))],
)
def test_broken_chain_is_mended(
    crashes: tuple[Crash, ...], spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash at any stream of a chain: what was committed is handed on when the space opens."""
    photons = list(generate(1000))
    position = 0
    for number, crash_at in enumerate(crashes):
        batch = photons[250 * number : 250 * number + 250]
        with PeerMill(tmp_path / "space", spark) as mill, monkeypatch.context() as patched:
            if number == 0:
                mill.create_photons()
                deploy(mill, "vela", "average_20")
            if number == 2:
                deploy(mill, "average_60")
            patched.setattr(crash, "reach", breaking(*crash_at))
            with pytest.raises(Broken):
                DirectFeed(mill, "photons", position).push(batch)
        with PeerMill(tmp_path / "space", spark) as mill:
            feed = DirectFeed(mill, "photons", position)
            if mill.runner("photons").journal.state.pending is None:
                feed.skip(batch)
            else:
                feed.push(batch)
            position = feed.position
            mill.peers.settle()
            check(mill)
    with PeerMill(tmp_path / "space", spark) as mill:
        mill.runner("photons").end()
        check(mill, found=True)
        carried = mill.peers.carried()["vela"]
        assert carried == mill.peers.traffic()["SP4", "SP5"]
        assert carried.items == len(list(mill.subscriptions["vela"].results()))


def breaking(point: str, streams: int) -> Callable[[str], None]:
    """Raises where a crash would be, at the next stream after so many."""
    left = streams

    def reach(there: str) -> None:
        nonlocal left
        if there == point:
            left -= 1
            if left < 0:
                raise Broken

    return reach
