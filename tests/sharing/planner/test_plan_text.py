"""Plans as text, and the steps of their installation."""

from __future__ import annotations

from millstream.sharing.planner import Options, Strategy
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    properties,
    register_seed_queries,
)


def test_a_plan_reads_from_the_tap_to_the_results() -> None:
    plan = register_seed_queries(photon_planner(), 2)["Q2"]
    title, *lines = str(plan).splitlines()
    assert title.startswith("Q2 at SP7 (sharing, cost ")
    assert lines == [
        "  tap stream Q1 at SP5",
        "    select en >= 1.3 and coord/cel/ra >= 130.5 and coord/cel/ra <= 135.5"
        " and coord/cel/dec >= -48.0 and coord/cel/dec <= -45.0",
        "    project coord/cel/dec, coord/cel/ra, det_time, en",
        "  route SP5 -> SP7",
        "  restructure at SP7",
    ]


def test_windows_and_filters_are_named() -> None:
    plan = register_seed_queries(photon_planner())["Q4"]
    assert str(plan).splitlines()[1:] == [
        "  tap stream Q3 at SP3",
        "    compose avg(en) |det_time diff 60 step 40|",
        "    filter avg(en) >= 1.3",
        "  route SP3 -> SP2",
        "  restructure at SP2",
    ]


def test_a_refusal_is_part_of_the_text() -> None:
    planner = photon_planner(rate=1e6)
    text, peer = SEED_QUERIES["Q1"]
    last = str(planner.plan("Q1", properties(text), peer)).splitlines()[-1]
    assert last.startswith("  refused: ")


def test_candidates_and_rejections_can_be_read() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 2)
    text, peer = SEED_QUERIES["Q3"]
    (part,) = planner.plan("Q3", properties(text), peer, explain=True).inputs
    assert any(str(each).startswith("Q1 at SP1: cost ") for each in part.candidates)
    assert [str(each).partition(":")[0] for each in part.rejections] == ["Q2"]


def test_a_plan_is_installed_from_the_source_outwards() -> None:
    plan = register_seed_queries(photon_planner(), 1)["Q1"]
    steps = [
        (each.peer, each.sends_to, each.makes and each.makes.name, len(each.operators))
        for each in plan.actions()
    ]
    assert steps == [
        ("SP4", "SP5", "Q1", 3),
        ("SP5", "SP1", "Q1", 0),
        ("SP1", None, "Q1", 0),
        ("SP1", None, None, 1),
    ]


def test_a_query_that_was_shipped_has_nothing_left_to_install_at_its_end() -> None:
    options = Options(strategy=Strategy.QUERY_SHIPPING)
    plan = register_seed_queries(photon_planner(options=options), 1)["Q1"]
    assert [each.peer for each in plan.actions()] == ["SP4", "SP5", "SP1"]
