"""Networks of well-known shapes."""

from __future__ import annotations

import pytest

from millstream.errors import SchemaError
from millstream.model.network import Network
from millstream.sharing.network import cube, grid, limited, small, topology


def links(network: Network) -> set[tuple[str, str]]:
    return {network.ends(each.source, each.target) for each in network.links}


def test_cube_links_numbers_that_differ_in_one_bit() -> None:
    network = cube()
    expected = {
        (f"SP{one}", f"SP{other}")
        for one in range(8)
        for other in range(one, 8)
        if (one ^ other).bit_count() == 1
    }
    assert (len(network.peers), links(network)) == (8, expected)


def test_neighbours_of_the_source_of_the_example() -> None:
    assert cube().neighbours("SP4") == ("SP0", "SP5", "SP6")


def test_small_network_is_a_triangle_with_one_attached() -> None:
    network = small()
    assert [network.neighbours(each.name) for each in network.peers] == [
        ("SP1",),
        ("SP0", "SP2", "SP3"),
        ("SP1", "SP3"),
        ("SP1", "SP2"),
    ]


def test_grid_is_numbered_row_by_row() -> None:
    # SP0 SP1 SP2
    # SP3 SP4 SP5
    assert links(grid(2, 3)) == {
        ("SP0", "SP1"),
        ("SP1", "SP2"),
        ("SP3", "SP4"),
        ("SP4", "SP5"),
        ("SP0", "SP3"),
        ("SP1", "SP4"),
        ("SP2", "SP5"),
    }


def test_grid_of_the_benchmark() -> None:
    network = grid(4, 4)
    assert (len(network.peers), len(network.links)) == (16, 24)


def test_links_stand_once() -> None:
    for network in (cube(4), grid(3, 5), small()):
        assert len(links(network)) == len(network.links)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cube", cube()),
        ("cube 2", cube(2)),
        ("small", small()),
        ("grid 4x4", grid(4, 4)),
        (" Grid 2 x 3 ", grid(2, 3)),
    ],
)
def test_topology_by_name(text: str, expected: Network) -> None:
    assert topology(text) == expected


@pytest.mark.parametrize("text", ["cub", "grid", "grid 4", "cube 2x2", "grid 0x4", "cube 13", ""])
def test_unknown_topology_is_an_error(text: str) -> None:
    with pytest.raises(SchemaError):
        topology(text)


def test_unknown_topology_is_guessed() -> None:
    with pytest.raises(SchemaError) as caught:
        topology("cuba")
    assert caught.value.help and "did you mean 'cube'" in caught.value.help


def test_limits_replace_what_they_name() -> None:
    network = limited(small(), capacity=0.1, bandwidth=125_000.0)
    assert {each.capacity for each in network.peers} == {0.1}
    assert {each.index for each in network.peers} == {1.0}
    assert {each.bandwidth for each in network.links} == {125_000.0}
    assert limited(small(), index=2.0).peers[0].index == 2.0
