"""Data shipping and query shipping, the two simple strategies."""

from __future__ import annotations

import pytest

from millstream.sharing.cost import Work
from millstream.sharing.planner import Options, Planner, Strategy
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    photon_statistics,
    register,
    register_seed_queries,
)


def shipping(strategy: Strategy) -> Planner:
    return photon_planner(options=Options(strategy=strategy))


def test_data_shipping_sends_the_whole_stream_to_each() -> None:
    planner = shipping(Strategy.DATA_SHIPPING)
    plans = register_seed_queries(planner, 2)
    assert [each.flow.route for plan in plans.values() for each in plan.inputs if each.flow] == [
        ("SP4", "SP5", "SP1"),
        ("SP4", "SP6", "SP7"),
    ]
    statistics = photon_statistics()
    whole = statistics.size * statistics.frequency
    assert planner.state.used_bandwidth(("SP4", "SP5")) == pytest.approx(whole)


def test_data_shipping_evaluates_at_the_target() -> None:
    plan = register_seed_queries(shipping(Strategy.DATA_SHIPPING), 3)["Q3"]
    (part,) = plan.inputs
    assert [each.work for each in part.operators] == [Work.TAP]
    assert [each.work for each in part.post] == [Work.SELECT, Work.AGGREGATE, Work.RESTRUCTURE]


def test_query_shipping_evaluates_where_the_stream_enters() -> None:
    plan = register_seed_queries(shipping(Strategy.QUERY_SHIPPING), 3)["Q3"]
    (part,) = plan.inputs
    assert (part.tapped.name, part.tap, part.post) == ("photons", "SP4", ())
    work = [each.work for each in part.operators]
    assert work == [Work.TAP, Work.SELECT, Work.AGGREGATE, Work.RESTRUCTURE]


def test_query_shipping_sends_a_stream_for_each_of_equal_queries() -> None:
    planner = shipping(Strategy.QUERY_SHIPPING)
    text, peer = SEED_QUERIES["Q1"]
    register(planner, "one", text, peer)
    once = planner.state.used_bandwidth(("SP4", "SP5"))
    register(planner, "two", text, peer)
    assert planner.state.used_bandwidth(("SP4", "SP5")) == pytest.approx(2 * once)


def test_query_shipping_sends_the_contents_of_windows() -> None:
    planner = shipping(Strategy.QUERY_SHIPPING)
    text = 'for $w in stream("photons")/photons/photon|count 10 step 5| return <w>{ $w/en }</w>'
    register(planner, "q", text, "SP5")
    statistics = photon_statistics()
    photons = 2 * statistics.frequency * statistics.size_of({("en",)})
    assert planner.state.used_bandwidth(("SP4", "SP5")) == pytest.approx(photons, rel=0.1)


def total_traffic(strategy: Strategy) -> float:
    planner = shipping(strategy)
    register_seed_queries(planner)
    return sum(planner.state.used_bandwidth(ends) for ends in planner.state.bandwidths)


def test_sharing_sends_less_than_query_shipping_and_that_less_than_data_shipping() -> None:
    sharing, queries, data = (
        total_traffic(Strategy.SHARING),
        total_traffic(Strategy.QUERY_SHIPPING),
        total_traffic(Strategy.DATA_SHIPPING),
    )
    assert sharing < queries < data
