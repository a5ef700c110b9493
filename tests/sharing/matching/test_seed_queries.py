"""The four photon queries: who can be answered from whose result, and why not."""

from __future__ import annotations

from itertools import permutations

import pytest

from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.sharing.graphs import ShareabilityGraph, draw_text
from millstream.sharing.matching import match_properties
from tests.languages import seed_queries as seed
from tests.sharing.photon_properties import properties

FIGURES = {"Q1": VELA, "Q2": RXJ, "Q3": AVERAGE_20, "Q4": AVERAGE_60}
SCENARIO = {
    "Q1": seed.SCENARIO_1.replace("det-time", "det_time"),
    "Q2": seed.SCENARIO_2.replace("det-time", "det_time"),
    "Q3": seed.SCENARIO_3.replace("138.8", "138.0"),
    "Q4": seed.SCENARIO_4,
}
SHAREABLE = {("Q2", "Q1"), ("Q3", "Q1"), ("Q4", "Q1"), ("Q4", "Q3")}
"""The new query, and the one whose result it can share."""

FAILING = {
    ("Q1", "Q2"): {"selection", "elements"},
    ("Q1", "Q3"): {"kind"},
    ("Q1", "Q4"): {"kind"},
    ("Q2", "Q3"): {"kind"},
    ("Q2", "Q4"): {"kind"},
    ("Q3", "Q2"): {"selection"},
    ("Q4", "Q2"): {"selection"},
    ("Q3", "Q4"): {"window", "filter"},
}


@pytest.mark.parametrize("queries", [FIGURES, SCENARIO], ids=["figures", "scenario"])
@pytest.mark.parametrize(("new", "old"), list(permutations(FIGURES, 2)))
def test_pairs(queries: dict[str, str], new: str, old: str) -> None:
    answer = match_properties(properties(queries[new]), properties(queries[old]))
    assert answer.reusable == ((new, old) in SHAREABLE)


@pytest.mark.parametrize(("pair", "conditions"), FAILING.items(), ids=map("-".join, FAILING))
def test_why_not(pair: tuple[str, str], conditions: set[str]) -> None:
    new, old = pair
    answer = match_properties(properties(FIGURES[new]), properties(FIGURES[old]))
    assert {reason.condition for reason in answer.failed} == conditions


@pytest.mark.parametrize("queries", [FIGURES, SCENARIO], ids=["figures", "scenario"])
@pytest.mark.parametrize("name", FIGURES)
def test_identical_subscriptions_share(queries: dict[str, str], name: str) -> None:
    asked = properties(queries[name])
    answer = match_properties(asked, asked)
    assert answer.reusable and answer.residual.expression() is None and not answer.composes


def test_the_slip_of_the_scenario_keeps_the_averages_apart() -> None:
    new, old = properties(SCENARIO["Q4"]), properties(seed.SCENARIO_3)
    answer = match_properties(new, old)
    assert [reason.condition for reason in answer.failed] == ["selection"]
    assert "138.8" in answer.failed[0].text


def test_what_is_left_of_the_narrower_selection() -> None:
    answer = match_properties(properties(RXJ), properties(VELA))
    for condition in ("en >= 1.3", "coord/cel/ra >= 130.5", "coord/cel/dec <= -45.0"):
        assert condition in str(answer.residual)
    assert answer.steps[0].startswith("select items with")


def test_averages_from_items_need_no_further_selection() -> None:
    answer = match_properties(properties(AVERAGE_20), properties(VELA))
    assert answer.residual.expression() is None
    assert answer.steps == ("make windows |det_time diff 20 step 10| with avg(en)",)


def test_coarser_averages_are_composed_and_filtered() -> None:
    answer = match_properties(properties(AVERAGE_60), properties(AVERAGE_20))
    assert answer.composes
    assert str(answer.residual) == "avg(en) >= 1.3"
    assert answer.steps == (
        "make windows |det_time diff 60 step 40| of windows |det_time diff 20 step 10|",
        "keep windows with avg(en) >= 1.3",
    )


@pytest.mark.parametrize("queries", [FIGURES, SCENARIO], ids=["figures", "scenario"])
def test_the_graph_of_figure_17(queries: dict[str, str]) -> None:
    graph = ShareabilityGraph.of({name: properties(text) for name, text in queries.items()})
    assert graph.edges == {(old, new) for new, old in SHAREABLE}
    assert graph.reduced().edges == {("Q1", "Q2"), ("Q1", "Q3"), ("Q3", "Q4")}
    assert draw_text(graph).splitlines() == ["Q1", "├─▶ Q2", "└─▶ Q3", "    └─▶ Q4"]
