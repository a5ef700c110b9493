"""Peers over a shared space give what a mill in one process gives."""

from __future__ import annotations

from pathlib import Path

import pytest

import millstream
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import write
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.sharing.network import cube
from tests.runtime.peers.shared import (
    PLACES,
    all_arrived,
    create,
    results,
    subscribe,
    turn_all,
)

pytestmark = [pytest.mark.spark, pytest.mark.timeout(1800)]
STRATEGIES = [
    "sharing",
    pytest.param("query-shipping", marks=pytest.mark.long),
    pytest.param("data-shipping", marks=pytest.mark.long),
]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_peers_give_what_one_process_gives(
    strategy: str, spark: SparkSession, tmp_path: Path
) -> None:
    write(tmp_path / "photons", 600, rate=3)
    settings = {"network": cube(), "strategy": strategy}
    with millstream.open(tmp_path / "one", spark=spark, **settings) as mill:
        create(mill, tmp_path / "photons")
        subscribe(mill, *PLACES)
        _to_file(mill, tmp_path)
        mill.run()
        counted = {hop: use.items for hop, use in mill.traffic().items()}
    with millstream.open(tmp_path / "many", peers=True, **settings) as mill:
        create(mill, tmp_path / "photons")
        subscribe(mill, *PLACES)
        _to_file(mill, tmp_path)
    turn_all(tmp_path / "many", spark)
    expected = results(tmp_path / "one")
    assert all(expected.values())
    assert results(tmp_path / "many") == expected
    written = [(tmp_path / f"{name}.xml").read_text() for name in ("one", "many")]
    assert written[0] == written[1] and written[0].count("<rxj>") == len(expected["rxj"])
    with millstream.open(tmp_path / "many") as mill:
        assert {hop: use.items for hop, use in mill.traffic().items()} == counted


@pytest.mark.long
def test_who_comes_later_and_who_goes(spark: SparkSession, tmp_path: Path) -> None:
    """The same in both: two subscribe, items come, two more join, one goes, and items come."""
    spaces = {"one": tmp_path / "one", "many": tmp_path / "many"}
    for name, space in spaces.items():
        source = tmp_path / f"{name}-photons"
        source.mkdir()
        _put(source, tmp_path, 0)
        with millstream.open(space, spark=spark, network=cube(), peers=name == "many") as mill:
            create(mill, source, finite=False)
            subscribe(mill, "vela", "average_20")
            if name == "one":
                mill.run()
        if name == "many":
            turn_all(space, spark, lambda: all_arrived(spaces["many"], 600))
        with millstream.open(space, spark=spark) as mill:
            subscribe(mill, "rxj", "average_60")
            mill.cancel("vela")
            _put(source, tmp_path, 1)
            if name == "one":
                mill.run()
        if name == "many":
            turn_all(space, spark, lambda: all_arrived(spaces["many"], 1200))
    expected = results(spaces["one"])
    assert all(expected.values())
    assert results(spaces["many"]) == expected


def _to_file(mill: Mill, folder: Path) -> None:
    """A subscription like the second, whose results go to a file as well."""
    name = Path(mill.space.storage.root).name
    sink = {"format": "xml", "path": str(folder / f"{name}.xml")}
    mill.subscribe(PHOTON_QUERIES["rxj"], name="to a file", peer="SP7", sinks=[sink])


def _put(source: Path, folder: Path, number: int) -> None:
    """One half of the photons, as a file of its own."""
    halves = folder / "halves"
    if not halves.exists():
        write(halves, 1200, files=2, rate=3)
    file = sorted(halves.iterdir())[number]
    (source / file.name).write_bytes(file.read_bytes())
