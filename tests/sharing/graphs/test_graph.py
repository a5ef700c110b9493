"""Graphs of who shares what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.errors import InternalError
from millstream.sharing.graphs import DependencyGraph, Graph

FIGURE = Graph(
    ("Q1", "Q2", "Q3", "Q4"),
    frozenset({("Q1", "Q2"), ("Q1", "Q3"), ("Q1", "Q4"), ("Q3", "Q4")}),
)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    names = tuple(f"Q{number}" for number in range(draw(st.integers(1, 7))))
    ends = st.sampled_from(names)
    return Graph(names, draw(st.frozensets(st.tuples(ends, ends), max_size=14)))


def test_edges_that_others_imply_are_left_out() -> None:
    assert FIGURE.reduced().edges == {("Q1", "Q2"), ("Q1", "Q3"), ("Q3", "Q4")}


def test_equals_become_one() -> None:
    graph = Graph(("A", "B", "C"), frozenset({("A", "B"), ("B", "A"), ("A", "C"), ("B", "C")}))
    assert graph.reduced() == Graph(("A = B", "C"), frozenset({("A = B", "C")}))


@given(graphs())
def test_reduction_leads_where_the_graph_does(graph: Graph) -> None:
    reduced = graph.reduced()
    label = {name: " = ".join(group) for group in graph.equals() for name in group}
    for name in graph.names:
        expected = {label[each] for each in graph.reachable(name)} - {label[name]}
        assert reduced.reachable(label[name]) == expected


@given(graphs())
def test_reduction_has_no_edge_too_many(graph: Graph) -> None:
    reduced = graph.reduced()
    for edge in reduced.edges:
        without = Graph(reduced.names, reduced.edges - {edge})
        assert edge[1] not in without.reachable(edge[0])


def test_an_edge_needs_vertices() -> None:
    with pytest.raises(InternalError, match="no vertex"):
        Graph(("A",), frozenset({("A", "B")}))


def test_dependents_are_all_that_hangs_on_a_stream() -> None:
    graph = DependencyGraph.of(("s", "a", "b", "c"), [("s", "a"), ("a", "b"), ("s", "c")])
    assert graph.dependents("a") == {"b"}
    assert graph.dependents("s") == {"a", "b", "c"}


def test_nothing_depends_on_itself() -> None:
    with pytest.raises(InternalError, match="depends on itself"):
        DependencyGraph.of(("a", "b"), [("a", "b"), ("b", "a")])


def test_dependencies_lie_within_what_can_be_shared() -> None:
    assert DependencyGraph.of(FIGURE.names, [("Q1", "Q2")]).within(FIGURE)
    assert not DependencyGraph.of(FIGURE.names, [("Q2", "Q1")]).within(FIGURE)
