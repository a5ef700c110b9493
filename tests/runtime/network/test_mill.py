"""A mill with a network: placed as in the seed's examples, reopened, explained, cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import millstream
from millstream.errors import QueryError, StateError
from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.sharing.network import cube, limited
from millstream.testing.direct_feed import DirectFeed
from tests.runtime.network.peers import TYPES

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

PLACES = {
    "Q1": (VELA, "SP1"),
    "Q2": (RXJ, "SP7"),
    "Q3": (AVERAGE_20, "SP3"),
    "Q4": (AVERAGE_60, "SP2"),
}
PHOTONS = list(generate(900, rate=3))


def create(mill: Mill, peer: str | None = "SP4") -> None:
    mill.create_stream(
        "photons",
        "nowhere",
        schema=PHOTONS_DTD,
        types=TYPES,
        order_by="det_time",
        peer=peer,
        rate=10,
    )


def placed(mill: Mill, *names: str) -> None:
    for name in names:
        text, peer = PLACES[name]
        mill.subscribe(text, name=name, peer=peer)


def results(mill: Mill) -> dict[str, list[str]]:
    return {name: list(each.results()) for name, each in mill.subscriptions.items()}


@pytest.fixture(scope="module")
def alone(spark: SparkSession) -> Iterator[dict[str, list[str]]]:
    """What the subscriptions get in a mill that is all in one place."""
    with millstream.open(None, spark=spark) as mill:
        create(mill, None)
        for name, (text, _) in PLACES.items():
            mill.subscribe(text, name=name)
        feed = DirectFeed(mill, "photons")
        feed.push(PHOTONS[:500])
        feed.push(PHOTONS[500:])
        feed.end()
        assert mill.savings().items_parsed_alone == 4 * len(PHOTONS)
        yield results(mill)


def test_the_examples_run_as_placed_and_go_on_after_reopening(
    spark: SparkSession, tmp_path: Path, alone: dict[str, list[str]]
) -> None:
    with millstream.open(tmp_path / "space", spark=spark, network=cube()) as mill:
        create(mill)
        placed(mill, "Q1", "Q2", "Q3")
        told = mill.explain(AVERAGE_60, peer="SP2").sharing
        assert "tap stream Q3 at SP3" in told
        assert "cannot be answered from" in told and "not sharing would cost" in told
        placed(mill, "Q4")
        feed = DirectFeed(mill, "photons")
        feed.push(PHOTONS[:500])
        position = feed.position
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        assert set(mill.plans.planner.dependents("Q1")) == {"Q2", "Q3", "Q4"}
        assert [each.route for each in mill.plans.planner.installed("Q1").flows] == [
            ("SP4", "SP5", "SP1")
        ]
        feed = DirectFeed(mill, "photons", position)
        feed.push(PHOTONS[500:])
        feed.end()
        assert results(mill) == alone
        sent = {hop: use.bytes for hop, use in mill.traffic().items()}
        assert sent["SP4", "SP5"] == sent["SP5", "SP1"] > sent["SP3", "SP2"] > 0
        saved = mill.savings()
        assert saved.bytes_moved < saved.bytes_moved_alone / 10
    with pytest.raises(StateError, match="another network"):
        millstream.open(tmp_path / "space", spark=spark, network=cube(2))


def test_what_others_need_lives_on_after_its_owner(spark: SparkSession, tmp_path: Path) -> None:
    with millstream.open(tmp_path / "space", spark=spark, network=cube()) as mill:
        create(mill)
        placed(mill, "Q1", "Q2")
        costs = mill.costs("Q1")
        assert costs.dependents == ("Q2",)
        assert costs.cancelling.living == ("Q1",)
        assert mill.costs("Q2").cancelling.uninstalled == ("Q2",)
        mill.cancel("Q1")
        feed = DirectFeed(mill, "photons")
        feed.push(PHOTONS[:300])
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        assert {each.name for each in mill.plans.planner.flows} == {"photons", "Q1", "Q2"}
        assert list(mill.subscriptions["Q2"].results())
        mill.cancel("Q2")
        assert {each.name for each in mill.plans.planner.flows} == {"photons"}


def test_what_finds_no_room_is_refused_with_the_reason(spark: SparkSession) -> None:
    narrow = limited(cube(), bandwidth=10.0)
    with millstream.open(None, spark=spark, network=narrow) as mill:
        create(mill)
        with pytest.raises(QueryError, match=r"refused: .*SP") as refused:
            placed(mill, "Q1")
        assert refused.value.code == "overload"
        assert "Q1" not in mill.subscriptions
