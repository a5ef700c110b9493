"""What is late for a window is decided by all items of the original stream, seen or not."""

from __future__ import annotations

import pytest

from millstream.generators.photon_queries import AVERAGE_20, VELA
from millstream.generators.photons import generate
from millstream.runtime.quarantine import read_quarantine
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from tests.runtime.network.disorder import disordered
from tests.runtime.network.peers import Hand, PeerMill

SEEN = AVERAGE_20.replace("|det_time diff 20 step 10|", "|det_time diff 7 step 11|").replace(
    "let $a := avg($w/en)\n    return <avg_en> { $a } </avg_en>",
    "return <seen>{ $w/det_time }</seen>",
)


def check(mill: PeerMill, *names: str) -> None:
    for name in names:
        results = list(mill.subscriptions[name].results())
        assert results == list(mill.subscriptions[f"{name} alone"].results()), name
        assert results, name


def late(mill: PeerMill, stream: str) -> set[int | None]:
    """The positions of late items in a stream's quarantine."""
    segments = mill.peers.streams[stream].journal.state.tables["quarantine"]
    return {each.position for each in read_quarantine(mill.space.storage, segments)}


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_later_than_the_stream_allows(spark: SparkSession) -> None:
    photons = disordered(list(generate(900)), reach=60)
    with PeerMill(None, spark) as mill:
        mill.create_photons(lateness=4)
        mill.deploy(VELA, "vela", "SP1", Hand(flow="vela", route=("SP4", "SP1")))
        mill.deploy(SEEN, "seen", "SP1", Hand("vela", "SP1"))
        onward = Hand("vela", "SP1", "average", ("SP1", "SP3"))
        mill.deploy(AVERAGE_20, "average", "SP3", onward)
        for name, text in (("vela", VELA), ("seen", SEEN), ("average", AVERAGE_20)):
            mill.alone(text, f"{name} alone")
        feed = DirectFeed(mill, "photons")
        for batch in (photons[:500], photons[500:]):
            feed.push(batch)
            check(mill, "vela", "seen", "average")
        past = Hand(flow="past", route=("SP4", "SP5"))
        mill.deploy(SEEN, "past", "SP5", past, start="log")
        mill.alone(SEEN, "past alone", start="log")
        mill.runner("photons").shared_batch.catch_up()
        feed.end()
        check(mill, "vela", "seen", "average", "past")
        alone = {each.position for each in mill.streams["photons"].quarantine()}
        assert late(mill, "vela@SP1") == alone != set()
