"""Shortest paths, with and without weights, and which of equal ones is taken."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.errors import SchemaError
from millstream.model.network import EndPoints, Link, Network, Peer
from millstream.sharing.network import Paths, cube, grid, link_weights, small
from millstream.sharing.network.paths import Route


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("SP4", "SP1", ("SP4", "SP5", "SP1")),
        ("SP5", "SP7", ("SP5", "SP7")),
        ("SP4", "SP7", ("SP4", "SP6", "SP7")),
        ("SP4", "SP3", ("SP4", "SP6", "SP7", "SP3")),
        ("SP1", "SP3", ("SP1", "SP3")),
        ("SP3", "SP2", ("SP3", "SP2")),
        ("SP4", "SP2", ("SP4", "SP6", "SP2")),
        ("SP4", "SP4", ("SP4",)),
    ],
)
def test_paths_of_the_example(source: str, target: str, expected: Route) -> None:
    assert Paths(cube()).shortest(source, target) == expected


def test_ties_are_decided_from_the_source_on() -> None:
    # SP0 SP1     both ways have two links: the walk turns to the higher number first,
    # SP2 SP3     whichever end it starts at
    paths = Paths(grid(2, 2))
    assert paths.shortest("SP0", "SP3") == ("SP0", "SP2", "SP3")
    assert paths.shortest("SP3", "SP0") == ("SP3", "SP2", "SP0")


def test_path_is_found_once() -> None:
    paths = Paths(cube())
    assert paths.shortest("SP4", "SP1") is paths.shortest("SP4", "SP1")


def test_no_way_is_none() -> None:
    apart = Network((Peer("SP0"), Peer("SP1")))
    assert Paths(apart).shortest("SP0", "SP1") is None
    assert Paths(apart).hops("SP0", "SP1") is None


def test_an_end_that_was_taken_out_is_not_reached() -> None:
    assert Paths(cube().without(["SP4"])).shortest("SP4", "SP1") is None


def test_way_around_what_was_taken_out() -> None:
    reduced = cube().without(["SP5"], [("SP0", "SP4")])
    assert Paths(reduced).shortest("SP4", "SP1") == ("SP4", "SP6", "SP7", "SP3", "SP1")


def test_numbers_decide_not_names() -> None:
    peers = tuple(Peer(name) for name in ("SP9", "SP10", "SP11", "SP12"))
    names = (("SP9", "SP10"), ("SP9", "SP11"), ("SP10", "SP12"), ("SP11", "SP12"))
    network = Network(peers, tuple(Link(*each) for each in names))
    assert Paths(network).shortest("SP9", "SP12") == ("SP9", "SP11", "SP12")


def test_hops() -> None:
    assert Paths(cube()).hops("SP0", "SP7") == 3


def test_peers_within_a_horizon() -> None:
    paths = Paths(small())
    assert paths.within("SP0", 0) == ("SP0",)
    assert paths.within("SP0", 1) == ("SP0", "SP1")
    assert paths.within("SP0", 2) == ("SP0", "SP1", "SP3", "SP2")


def test_lighter_way_is_taken_though_it_is_longer() -> None:
    weights = {("SP0", "SP1"): 3.0, ("SP0", "SP2"): 1.0, ("SP2", "SP3"): 0.5, ("SP1", "SP3"): 1.0}
    assert Paths(grid(2, 2), weights).shortest("SP0", "SP1") == ("SP0", "SP2", "SP3", "SP1")


def test_among_equal_weights_fewer_links_are_taken() -> None:
    weights = {("SP0", "SP1"): 1.0, ("SP0", "SP2"): 0.5, ("SP2", "SP3"): 0.5}
    assert Paths(grid(2, 2), weights).shortest("SP0", "SP1") == ("SP0", "SP1")


def test_equal_weights_are_equal_whatever_the_order() -> None:
    # As floats, 0.1 + 0.2 + 0.3 differs from 0.3 + 0.2 + 0.1.
    peers = tuple(Peer(f"SP{number}") for number in range(6))
    weights = {
        ("SP0", "SP1"): 0.1,
        ("SP1", "SP2"): 0.2,
        ("SP2", "SP5"): 0.3,
        ("SP0", "SP3"): 0.3,
        ("SP3", "SP4"): 0.2,
        ("SP4", "SP5"): 0.1,
    }
    network = Network(peers, tuple(Link(*each) for each in weights))
    assert Paths(network, weights).shortest("SP0", "SP5") == ("SP0", "SP3", "SP4", "SP5")
    assert Paths(network, weights).shortest("SP5", "SP0") == ("SP5", "SP4", "SP3", "SP0")


def test_link_of_infinite_weight_is_closed() -> None:
    closed = {("SP0", "SP1"): inf}
    assert Paths(small(), closed).shortest("SP0", "SP2") is None


@pytest.mark.parametrize("weight", [-1.0, nan])
def test_impossible_weight_is_an_error(weight: float) -> None:
    with pytest.raises(SchemaError):
        Paths(small(), {("SP0", "SP1"): weight})


def test_weights_of_links_with_their_peers() -> None:
    weights = link_weights(small(), {("SP1", "SP2"): 0.5}, {"SP1": 1.0, "SP2": 0.25})
    assert weights == {
        ("SP0", "SP1"): 1.0,
        ("SP1", "SP2"): 1.75,
        ("SP1", "SP3"): 1.0,
        ("SP2", "SP3"): 0.25,
    }


Weights = dict[EndPoints, float]


@st.composite
def weighted_networks(draw: st.DrawFn) -> tuple[Network, Weights]:
    count = draw(st.integers(1, 6))
    names = [f"SP{number}" for number in range(count)]
    pairs = [(one, other) for index, one in enumerate(names) for other in names[index + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    weights = {each: draw(st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0])) for each in chosen}
    return Network(tuple(map(Peer, names)), tuple(Link(*each) for each in chosen)), weights


def simple_routes(network: Network, route: Route, target: str) -> Iterator[Route]:
    if route[-1] == target:
        yield route
        return
    for each in network.neighbours(route[-1]):
        if each not in route:
            yield from simple_routes(network, (*route, each), target)


def cost(network: Network, route: Route, weights: Weights) -> tuple[Fraction, int]:
    ends = [network.ends(*each) for each in pairwise(route)]
    return sum((Fraction(weights.get(each, 0.0)) for each in ends), Fraction(0)), len(ends)


@settings(max_examples=150)
@given(weighted_networks(), st.booleans())
def test_equals_the_best_of_all_routes(drawn: tuple[Network, Weights], weigh: bool) -> None:
    network, weights = drawn
    weights = weights if weigh else {}
    paths = Paths(network, weights)
    for source in network.peers:
        for target in network.peers:
            routes = list(simple_routes(network, (source.name,), target.name))
            # The tie rule says: of all cheapest routes, the last one by numbers, link by link.
            best = max(
                routes,
                key=lambda route: (
                    [-part for part in cost(network, route, weights)],
                    [network.number(each) for each in route],
                ),
                default=None,
            )
            assert paths.shortest(source.name, target.name) == best
