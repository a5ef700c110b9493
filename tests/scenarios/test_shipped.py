"""The scenarios that come with Millstream."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import SchemaError
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import PHOTONS_DTD
from millstream.languages.xquery import compile_text
from millstream.model.network import Network
from millstream.scenarios import PhotonSource, Scenario, scenario, shipped
from millstream.scenarios.reading import FILES
from millstream.sharing.network import Paths, cube, grid, limited, small
from tests.scenarios.catalog import ScenarioCatalog


def test_names() -> None:
    assert shipped() == ("appendix-e", "example", "extended", "grid", "rejection", "small")


@pytest.mark.parametrize("name", shipped())
def test_every_query_compiles(name: str) -> None:
    read = scenario(name)
    catalog = ScenarioCatalog(read)
    assert all(compile_text(each.text, catalog) for each in read.queries)


@pytest.mark.parametrize(
    ("name", "network", "streams", "queries"),
    [
        ("example", cube(), 1, 4),
        ("extended", cube(), 1, 25),
        ("small", small(), 1, 4),
        ("grid", grid(4, 4), 2, 100),
        ("rejection", limited(cube(), capacity=0.1, bandwidth=125_000.0), 1, 100),
    ],
)
def test_sizes_of_the_benchmark(name: str, network: Network, streams: int, queries: int) -> None:
    read = scenario(name)
    assert read.name == name
    assert read.network == network
    assert (len(read.streams), len(read.queries)) == (streams, queries)


def test_example_has_the_four_queries() -> None:
    read = scenario("example")
    assert [each.text for each in read.queries] == list(PHOTON_QUERIES.values())
    assert places(read) == {
        "photons": "SP4",
        "Q1": "SP1",
        "Q2": "SP7",
        "Q3": "SP3",
        "Q4": "SP2",
    }


def test_stream_of_the_small_network_enters_outside_the_triangle() -> None:
    read = scenario("small")
    assert read.stream("photons").peer == "SP0"
    assert {each.peer for each in read.queries} == {"SP1", "SP2", "SP3"}


@pytest.mark.parametrize("name", ["extended", "grid", "rejection", "small"])
def test_drawn_queries_are_of_every_kind(name: str) -> None:
    texts = [each.text for each in scenario(name).queries]
    aggregations = [each for each in texts if " diff " in each]
    selections = [each for each in texts if "return $p" in each]
    assert 0 < len(aggregations) < len(texts) - len(selections) < len(texts)


@pytest.mark.parametrize("name", ["grid", "rejection"])
def test_some_drawn_queries_are_equal(name: str) -> None:
    texts = [each.text for each in scenario(name).queries]
    assert len(set(texts)) < len(texts)


def test_grid_reads_both_streams() -> None:
    read = scenario("grid")
    counts = {
        stream.name: sum(f'stream("{stream.name}")' in each.text for each in read.queries)
        for stream in read.streams
    }
    assert sum(counts.values()) == 100 and min(counts.values()) > 20
    assert read.streams[0].source != read.streams[1].source


@pytest.mark.parametrize("name", shipped())
def test_reading_twice_gives_the_same(name: str) -> None:
    assert scenario(name) == scenario(name)


def test_appendix() -> None:
    read = scenario("appendix-e")
    assert read.stream("photons").source == PhotonSource(20_000)
    assert (read.stream("photons").rate, read.stream("photons").order_by) == (10.0, "det_time")
    assert places(read) == {"photons": "SP4", "1": "SP0", "2": "SP2", "3": "SP1", "4": "SP6"}


def test_appendix_is_a_cube_of_other_numbers() -> None:
    network = scenario("appendix-e").network
    assert [each.name for each in network.peers] == [f"SP{number}" for number in range(8)]
    assert len(network.links) == 12
    assert {len(network.neighbours(each.name)) for each in network.peers} == {3}
    paths = Paths(network)
    # 010 and 101 are opposite corners: SP0 and SP6.
    assert (paths.hops("SP0", "SP6"), paths.hops("SP4", "SP1")) == (3, 3)


def test_appendix_is_corrected_with_notes() -> None:
    read = scenario("appendix-e")
    texts = " ".join(each.text for each in read.queries)
    assert "det-time" not in texts and "138.8" not in texts
    assert read.notes == (
        "query 1: det-time is read as det_time, which the schema has",
        "query 2: det-time is read as det_time, which the schema has",
        "query 3: 138.8 is read as 138.0, as other queries say",
    )


def test_appendix_is_kept_as_printed() -> None:
    text = (FILES / "appendix-e.xml").read_text(encoding="utf-8")
    assert (text.count("det-time"), text.count("138.8"), text.count("$w/photon/en")) == (2, 1, 2)


def test_schema_beside_the_appendix_is_that_of_the_photons() -> None:
    assert (FILES / "photons.dtd").read_text(encoding="utf-8") == PHOTONS_DTD


def test_file_goes_before_a_shipped_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FILES / "small.toml").read_text(encoding="utf-8").replace('"small"', '"mine"', 1)
    (tmp_path / "example").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert scenario("example").name == "mine"


def test_unknown_scenario_is_guessed() -> None:
    with pytest.raises(SchemaError, match="there is no scenario 'exmaple'") as caught:
        scenario("exmaple")
    assert caught.value.help and "did you mean 'example'" in caught.value.help


def test_folder_is_no_scenario(tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        scenario(tmp_path)


def places(read: Scenario) -> dict[str, str]:
    return {each.name: each.peer for each in (*read.streams, *read.queries)}
