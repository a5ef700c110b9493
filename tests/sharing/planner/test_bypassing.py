"""Ways around what is overloaded, and who is refused when there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from millstream.errors import QueryError
from millstream.model.network import Network
from millstream.sharing.cost import Usage
from millstream.sharing.network import cube, limited
from millstream.sharing.planner import Bypass, Options, Planner
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    properties,
    register,
    register_seed_queries,
)


def busy(planner: Planner, *, links: tuple[str, ...] = (), peers: tuple[str, ...] = ()) -> None:
    """Use up links, such as SP4-SP5, and peers."""
    state = planner.state
    ends = [planner.network.ends(*each.split("-")) for each in links]
    traffic = {each: state.bandwidths[each] for each in ends}
    state.take(Usage(traffic, {each: state.capacities[each] for each in peers}))


@pytest.mark.parametrize("bypass", Bypass)
def test_an_overloaded_link_is_bypassed(bypass: Bypass) -> None:
    planner = photon_planner(options=Options(bypass=bypass))
    busy(planner, links=("SP4-SP5",))
    plan = register_seed_queries(planner, 1)["Q1"]
    assert plan.inputs[0].delivered.route == ("SP4", "SP0", "SP1")


@pytest.mark.parametrize("bypass", Bypass)
def test_an_overloaded_peer_is_bypassed(bypass: Bypass) -> None:
    planner = photon_planner(options=Options(bypass=bypass))
    busy(planner, peers=("SP5",))
    plan = register_seed_queries(planner, 1)["Q1"]
    assert plan.inputs[0].delivered.route == ("SP4", "SP0", "SP1")


@pytest.mark.parametrize("bypass", Bypass)
def test_a_detour_leads_around_several_overloads(bypass: Bypass) -> None:
    planner = photon_planner(options=Options(bypass=bypass))
    busy(planner, links=("SP4-SP5",), peers=("SP0",))
    plan = register_seed_queries(planner, 1)["Q1"]
    assert plan.inputs[0].delivered.route == ("SP4", "SP6", "SP7", "SP5", "SP1")


def test_a_refusal_names_the_link_and_by_how_much() -> None:
    planner = photon_planner()
    busy(planner, links=("SP4-SP5", "SP4-SP0", "SP4-SP6"))
    text, peer = SEED_QUERIES["Q1"]
    plan = planner.plan("Q1", properties(text), peer)
    assert plan.refusal is not None
    (overload,) = plan.refusal.overloads
    assert overload.place == "SP4-SP5"
    assert overload.excess > 0


def test_a_refused_plan_is_not_installed() -> None:
    planner = photon_planner(limited(cube(), bandwidth=10.0))
    before = planner.state.snapshot()
    with pytest.raises(QueryError, match="link SP4-SP5") as error:
        register(planner, "Q1", *SEED_QUERIES["Q1"])
    assert error.value.code == "overload"
    assert (planner.state.snapshot(), planner.subscriptions) == (before, ())


def test_a_peer_that_cannot_bear_the_work_is_named() -> None:
    planner = photon_planner(with_capacity(cube(), "SP1", 1e-9))
    with pytest.raises(QueryError, match="peer SP1 would bear"):
        register(planner, "Q1", *SEED_QUERIES["Q1"])


def test_without_admission_overloads_are_only_dear() -> None:
    planner = photon_planner(limited(cube(), bandwidth=10.0), Options(admission=False))
    plan = register(planner, "Q1", *SEED_QUERIES["Q1"])
    assert plan.refusal is not None
    assert planner.subscriptions == ("Q1",)


def test_a_plan_that_overloads_gives_way_to_a_dearer_one_that_does_not() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    busy(planner, peers=("SP5",))
    text, peer = SEED_QUERIES["Q2"]
    plan = planner.plan("Q2", properties(text), peer)
    assert plan.refusal is None
    assert "SP5" not in plan.inputs[0].delivered.route


def with_capacity(network: Network, peer: str, capacity: float) -> Network:
    """The network with another capacity at one peer."""
    return replace(
        network,
        peers=tuple(
            replace(each, capacity=capacity) if each.name == peer else each
            for each in network.peers
        ),
    )
