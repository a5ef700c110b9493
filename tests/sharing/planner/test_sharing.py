"""Equal flows, local matches, several inputs, the time limit, newer statistics."""

from __future__ import annotations

import pytest

from millstream.errors import QueryError, StateError
from millstream.generators.photons import generate
from millstream.model.network import Network, Peer
from millstream.sharing.cost import Work
from millstream.sharing.planner import Options
from millstream.sharing.statistics import refreshed
from tests.languages.streams import PHOTONS
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    photon_statistics,
    properties,
    register,
    register_seed_queries,
)

PHOTON = 'stream("photons")/photons/photon'


def test_an_equal_flow_at_the_super_peer_needs_post_processing_only() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    plan = register(planner, "again", *SEED_QUERIES["Q1"])
    (part,) = plan.inputs
    assert (part.tapped.name, part.tap, part.flow) == ("Q1", "SP1", None)
    assert [each.work for each in part.post] == [Work.RESTRUCTURE]
    assert not plan.usage.traffic


def test_an_equal_flow_elsewhere_is_forwarded_as_it_is() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    text, _ = SEED_QUERIES["Q1"]
    (part,) = register(planner, "far", text, "SP0").inputs
    assert [each.work for each in part.operators] == [Work.TAP]
    assert part.flow is not None
    assert part.flow.content == part.tapped.content


def test_a_forwarded_flow_is_available_on_its_way() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    text, _ = SEED_QUERIES["Q1"]
    register(planner, "far", text, "SP3")
    (part,) = register(planner, "later", text, "SP3").inputs
    assert (part.tapped.name, part.flow) == ("far", None)


def test_what_is_left_to_do_at_the_super_peer_itself_makes_a_flow_there() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    text, _ = SEED_QUERIES["Q2"]
    (part,) = register(planner, "inner", text, "SP1").inputs
    assert part.delivered.route == ("SP1",)


def test_a_local_match_is_found_without_further_search() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    text, peer = SEED_QUERIES["Q1"]
    (part,) = planner.plan("again", properties(text), peer).inputs
    assert [(each.flow.name, each.peer) for each in part.candidates] == [("Q1", "SP1")]


def test_a_flow_within_the_horizon_is_found_without_further_search() -> None:
    planner = photon_planner(options=Options(horizon=1))
    register_seed_queries(planner, 1)
    text, _ = SEED_QUERIES["Q1"]
    (part,) = planner.plan("near", properties(text), "SP3").inputs
    assert [(each.flow.name, each.peer) for each in part.candidates] == [("Q1", "SP1")]


def test_matches_are_found_once() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    text, _ = SEED_QUERIES["Q2"]
    planner.plan("one", properties(text), "SP7")
    before = planner._around.cache.computed
    planner.plan("two", properties(text), "SP3")
    assert planner._around.cache.computed == before


def test_when_time_runs_out_the_best_plan_so_far_is_taken() -> None:
    ticks = iter(range(1000))
    planner = photon_planner(options=Options(time_limit=0.5, clock=lambda: float(next(ticks))))
    register_seed_queries(planner, 1)
    text, peer = SEED_QUERIES["Q2"]
    plan = planner.plan("Q2", properties(text), peer)
    assert (plan.complete, plan.inputs[0].tapped.name) == (False, "photons")


def test_each_input_is_answered_by_itself_and_combined_at_the_subscriber() -> None:
    planner = photon_planner()
    planner.add_stream("others", PHOTONS, "SP0", photon_statistics())
    text = (
        f"for $p in {PHOTON}, $q in {PHOTON} where $p/phc = $q/phc and $p/en >= 1.3"
        " return <pair>{ $p/en }{ $q/en }</pair>"
    )
    plan = register(planner, "pairs", text, "SP1")
    assert [each.delivered.target for each in plan.inputs] == ["SP1", "SP1"]
    assert all(Work.COMBINE in {each.work for each in part.post} for part in plan.inputs)
    assert [each.name for each in plan.flows] == ["pairs:1", "pairs:2"]


def test_equal_inputs_of_one_subscription_travel_once() -> None:
    planner = photon_planner()
    text = (
        f"for $p in {PHOTON}, $q in {PHOTON} where $p/phc = $q/phc"
        " return <pair>{ $p/en }{ $q/en }</pair>"
    )
    first, second = register(planner, "pairs", text, "SP1").inputs
    assert first.flow is not None
    assert (second.tapped, second.flow) == (first.flow, None)
    planner.cancel("pairs")
    assert [each.name for each in planner.flows] == ["photons"]


def test_item_windows_are_shared_where_their_counting_allows() -> None:
    text = f"for $w in {PHOTON}|count 10 step 5| return <a>{{ avg($w/en) }}</a>"
    for counted, expected in ((15, "one"), (17, "photons"), (None, "photons")):
        planner = photon_planner()
        planner._around.cache._counted = lambda flow, counted=counted: counted
        register(planner, "one", text, "SP1")
        assert planner.plan("two", properties(text), "SP1").inputs[0].tapped.name == expected


def test_newer_statistics_change_what_is_in_use() -> None:
    planner = photon_planner()
    register_seed_queries(planner)
    before = planner.state.used_bandwidth(("SP4", "SP5"))
    planner.refresh("photons", refreshed(photon_statistics(), rate=6.0))
    assert planner.state.used_bandwidth(("SP4", "SP5")) == pytest.approx(2 * before)
    for name in planner.subscriptions:
        planner.cancel(name)
    assert planner.state.snapshot() == ({}, {})


def test_statistics_of_other_items_change_what_is_in_use() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    before = planner.state.used_bandwidth(("SP4", "SP5"))
    dull = generate(1000, seed=3, hot_spots=False)
    planner.refresh("photons", refreshed(photon_statistics(), items=dull))
    assert planner.state.used_bandwidth(("SP4", "SP5")) < 0.8 * before


def test_a_plan_made_for_an_earlier_state_is_not_installed() -> None:
    planner = photon_planner()
    text, peer = SEED_QUERIES["Q2"]
    plan = planner.plan("Q2", properties(text), peer)
    register_seed_queries(planner, 1)
    with pytest.raises(StateError) as error:
        planner.install(plan)
    assert error.value.code == "stale-plan"


@pytest.mark.parametrize("name", ["Q1", "photons"])
def test_a_name_is_given_once(name: str) -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    with pytest.raises(QueryError) as error:
        register(planner, name, *SEED_QUERIES["Q2"])
    assert error.value.code == "known-name"


def test_a_subscriber_that_no_way_leads_to_is_told_so() -> None:
    planner = photon_planner(Network((Peer("SP4"), Peer("SP9"))))
    with pytest.raises(QueryError) as error:
        register(planner, "Q1", SEED_QUERIES["Q1"][0], "SP9")
    assert error.value.code == "unreachable"
