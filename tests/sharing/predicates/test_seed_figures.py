"""The predicates of the seed's queries, and the matching of its Figure 18."""

from __future__ import annotations

from fractions import Fraction

import pytest

from millstream.algebra.operators import Select, scans
from millstream.algebra.show import show
from millstream.algebra.walk import operators
from millstream.generators.photon_queries import AVERAGE_20, RXJ, VELA
from millstream.languages.xquery import compile_text
from millstream.sharing.predicates import (
    Bounds,
    GraphEdge,
    Predicate,
    conjunction,
    equivalent,
    implies,
    item_resolver,
    predicate_of,
    residual,
)
from tests.languages.streams import PHOTONS, Streams


def selection(text: str) -> Predicate:
    """What a query asks of the photons, as one predicate."""
    (branch,) = compile_text(text, Streams()).branches
    (scan,) = scans(branch.input)
    resolve = item_resolver(scan.variable, PHOTONS)
    selects = (each for each in operators(branch.input) if isinstance(each, Select))
    return conjunction(*(predicate_of(each.predicate, resolve) for each in selects))


def edge(source: str, target: str, weight: str) -> GraphEdge:
    return GraphEdge(source, target, Fraction(weight), strict=False)


def test_graph_of_query_1() -> None:
    (graph,) = selection(VELA).graphs()
    assert graph.nodes == ("0", "coord/cel/dec", "coord/cel/ra")
    assert set(graph.edges) == {
        edge("0", "coord/cel/ra", "-120"),
        edge("coord/cel/ra", "0", "138"),
        edge("0", "coord/cel/dec", "49"),
        edge("coord/cel/dec", "0", "-40"),
    }


def test_graph_of_query_2() -> None:
    (graph,) = selection(RXJ).graphs()
    assert set(graph.edges) == {
        edge("0", "en", "-1.3"),
        edge("0", "coord/cel/ra", "-130.5"),
        edge("coord/cel/ra", "0", "135.5"),
        edge("0", "coord/cel/dec", "48"),
        edge("coord/cel/dec", "0", "-45"),
    }


def test_query_2_implies_query_1() -> None:
    assert implies(selection(RXJ), selection(VELA)).holds


def test_query_1_does_not_imply_query_2() -> None:
    found = implies(selection(VELA), selection(RXJ))
    assert not found.holds
    assert found.failed == (
        "needs en >= 1.3; the new subscription does not bound en",
        "needs coord/cel/ra >= 130.5; the new subscription allows coord/cel/ra down to 120.0",
        "needs coord/cel/ra <= 135.5; the new subscription allows coord/cel/ra up to 138.0",
        "needs coord/cel/dec >= -48.0; the new subscription allows coord/cel/dec down to -49.0",
        "needs coord/cel/dec <= -45.0; the new subscription allows coord/cel/dec up to -40.0",
    )


def test_all_of_query_2_remains_to_be_asked_of_query_1() -> None:
    assert residual(selection(RXJ), selection(VELA)) == selection(RXJ)


def test_queries_1_and_3_ask_the_same_of_photons() -> None:
    vela, average = selection(VELA), selection(AVERAGE_20)
    assert vela == average
    assert hash(vela) == hash(average)
    assert equivalent(vela, average)


def test_constants_stay_as_they_are_written() -> None:
    expression = selection(VELA).expression("w")
    assert expression is not None
    assert show(expression) == (
        "$w/coord/cel/ra >= 120.0 and $w/coord/cel/ra <= 138.0"
        " and $w/coord/cel/dec >= -49.0 and $w/coord/cel/dec <= -40.0"
    )


def test_text_for_people() -> None:
    expected = "coord/cel/ra >= 120.0 and coord/cel/ra <= 138.0"
    assert str(selection(VELA)).startswith(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("coord/cel/ra", Bounds(Fraction("130.5"), Fraction("135.5"))),
        ("en", Bounds(Fraction("1.3"), None)),
        ("phc", None),
    ],
)
def test_bounds(name: str, expected: Bounds | None) -> None:
    assert selection(RXJ).bounds(name) == expected


def test_variables_have_no_name_of_a_query() -> None:
    names = [variable.name for variable in selection(AVERAGE_20).variables]
    assert names == ["coord/cel/ra", "coord/cel/dec"]
