"""The examples of the seed, sections 4.4.5 and 4.5, on its network, the 3-cube."""

from __future__ import annotations

from millstream.sharing.cost import Work
from millstream.sharing.planner import PlanInput
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    properties,
    register_seed_queries,
)


def works(part: PlanInput) -> list[Work]:
    return [each.work for each in part.operators]


def test_the_operators_of_query_1_are_where_the_stream_enters() -> None:
    plan = register_seed_queries(photon_planner(), 1)["Q1"]
    (part,) = plan.inputs
    assert (part.tapped.name, part.tap) == ("photons", "SP4")
    assert works(part) == [Work.TAP, Work.SELECT, Work.PROJECT]
    assert part.delivered.route == ("SP4", "SP5", "SP1")


def test_query_2_taps_the_stream_of_query_1_on_its_way() -> None:
    plan = register_seed_queries(photon_planner(), 2)["Q2"]
    (part,) = plan.inputs
    assert (part.tapped.name, part.tap) == ("Q1", "SP5")
    assert works(part) == [Work.TAP, Work.SELECT, Work.PROJECT]
    assert part.delivered.route == ("SP5", "SP7")


def test_query_2_has_the_four_possible_solutions_of_example_4_2() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    text, peer = SEED_QUERIES["Q2"]
    (part,) = planner.plan("Q2", properties(text), peer, explain=True).inputs
    found = {(each.flow.name, each.peer) for each in part.candidates}
    assert found == {("photons", "SP4"), ("Q1", "SP4"), ("Q1", "SP5"), ("Q1", "SP1")}


def test_query_3_aggregates_the_stream_of_query_1() -> None:
    plan = register_seed_queries(photon_planner(), 3)["Q3"]
    (part,) = plan.inputs
    assert (part.tapped.name, part.tap) == ("Q1", "SP1")
    assert works(part) == [Work.TAP, Work.AGGREGATE]
    assert part.delivered.route == ("SP1", "SP3")


def test_query_4_is_composed_from_the_stream_of_query_3() -> None:
    plan = register_seed_queries(photon_planner(), 4)["Q4"]
    (part,) = plan.inputs
    assert (part.tapped.name, part.tap) == ("Q3", "SP3")
    assert works(part) == [Work.TAP, Work.COMPOSE, Work.FILTER]
    assert part.delivered.route == ("SP3", "SP2")


def test_what_cannot_serve_query_3_is_told_with_its_reason() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 2)
    text, peer = SEED_QUERIES["Q3"]
    (part,) = planner.plan("Q3", properties(text), peer, explain=True).inputs
    (rejected,) = part.rejections
    assert rejected.flow.name == "Q2"
    assert "selection" in {each.condition for each in rejected.match.failed}


def test_the_dependency_graph_is_that_of_figure_17() -> None:
    planner = photon_planner()
    register_seed_queries(planner)
    edges = {("photons", "Q1"), ("Q1", "Q2"), ("Q1", "Q3"), ("Q3", "Q4")}
    assert set(planner.dependency_graph()) == edges


def test_a_dry_run_changes_nothing() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 2)
    before = (planner.state.snapshot(), planner.flows, planner.subscriptions)
    text, peer = SEED_QUERIES["Q3"]
    planner.plan("Q3", properties(text), peer)
    assert (planner.state.snapshot(), planner.flows, planner.subscriptions) == before
