"""The cost function, its penalties, and the state of the network."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.network import Link, Network, Peer
from millstream.sharing.cost import (
    REFERENCE_LOADS,
    NetworkState,
    Usage,
    Work,
    cost,
    load,
    overloads,
    toll,
)
from millstream.sharing.cost.usage import transport
from millstream.sharing.statistics import Estimate

PAIR = Network((Peer("SP0", 2.0), Peer("SP1", 1.0, 2.0)), (Link("SP0", "SP1", 1000.0),))
ENDS = ("SP0", "SP1")


def test_a_peer_of_index_2_takes_twice_the_load() -> None:
    fast, slow = PAIR.peers
    once = load(Work.SELECT, fast, 10.0)
    assert once == pytest.approx(REFERENCE_LOADS[Work.SELECT] * 10)
    assert load(Work.SELECT, slow, 10.0) == pytest.approx(2 * once)


def test_every_work_has_a_base_load() -> None:
    assert set(REFERENCE_LOADS) == set(Work)


def test_the_cost_is_the_weighted_sum_of_what_is_used() -> None:
    usage = Usage({ENDS: 100.0}, {"SP0": 0.5, "SP1": 0.1})
    expected = 0.25 * 0.1 + 0.75 * (0.25 + 0.1)
    assert cost(usage, NetworkState(PAIR), gamma=0.25) == pytest.approx(expected)


def test_overload_is_penalised_by_what_is_still_available() -> None:
    state = NetworkState(PAIR)
    state.take(Usage({ENDS: 900.0}))
    over = 0.3 - 0.1
    expected = 0.5 * (0.3 + over * math.exp(over))
    assert cost(Usage({ENDS: 300.0}), state) == pytest.approx(expected)


@given(st.floats(0, 5), st.floats(0, 5), st.floats(0, 1))
def test_tolls_never_get_cheaper_together(one: float, other: float, available: float) -> None:
    # What the search relies on: a plan costs at least what its parts cost.
    together = toll(one + other, available)
    assert together >= toll(one, available) + toll(other, available) - 1e-9


def test_overloads_are_named_with_what_is_asked() -> None:
    state = NetworkState(PAIR)
    state.take(Usage({ENDS: 900.0}, {"SP1": 0.5}))
    found = list(overloads(Usage({ENDS: 200.0}, {"SP1": 0.4, "SP0": 0.1}), state))
    assert [(each.place, each.excess) for each in found] == [("SP0-SP1", pytest.approx(100.0))]
    assert str(found[0]) == (
        "link SP0-SP1 would carry 1,100 bytes a second, 100 more than its 1,000"
    )


def test_an_overloaded_peer_is_named() -> None:
    (found,) = overloads(Usage(work={"SP0": 3.0}), NetworkState(PAIR))
    assert str(found) == "peer SP0 would bear a load of 3, 1 more than its 2"


def test_a_link_without_bandwidth_is_beyond_measure() -> None:
    closed = replace(PAIR, links=(Link("SP0", "SP1", 0.0),))
    assert cost(Usage({ENDS: 1.0}), NetworkState(closed)) > 1e6


def test_carrying_costs_traffic_on_the_link_and_work_at_both_ends() -> None:
    flow = Estimate(size=50.0, frequency=4.0, selected=4.0)
    found = transport(PAIR, ENDS, flow, REFERENCE_LOADS)
    assert found.traffic == {ENDS: 200.0}
    assert found.work["SP0"] == pytest.approx(REFERENCE_LOADS[Work.SEND] * 4)
    assert found.work["SP1"] == pytest.approx(REFERENCE_LOADS[Work.RECEIVE] * 4 * 2)


@given(st.lists(st.floats(0, 1e6), max_size=20), st.randoms())
def test_what_is_given_back_leaves_no_trace(amounts: list[float], chance: random.Random) -> None:
    state = NetworkState(PAIR)
    usages = [Usage({ENDS: amount}, {"SP0": amount / 7}) for amount in amounts]
    for usage in usages:
        state.take(usage)
    chance.shuffle(usages)
    for usage in usages:
        state.give_back(usage)
    assert state.snapshot() == ({}, {})
