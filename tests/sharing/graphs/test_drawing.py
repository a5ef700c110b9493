"""Graphs as text and as pictures."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from millstream.sharing.graphs import Graph, draw_svg, draw_text
from millstream.sharing.graphs.layers import layered
from tests.sharing.graphs.test_graph import FIGURE, graphs

SVG = "{http://www.w3.org/2000/svg}"


def drawn(graph: Graph, title: str = "") -> etree._Element:
    return etree.fromstring(draw_svg(graph, title=title).encode())


def test_text() -> None:
    assert draw_text(FIGURE).splitlines() == ["Q1", "├─▶ Q2", "└─▶ Q3", "    └─▶ Q4"]


def test_a_vertex_is_gone_into_once() -> None:
    edges = {("A", "C"), ("B", "C"), ("C", "D")}
    assert draw_text(Graph(("A", "B", "C", "D"), frozenset(edges))).splitlines() == [
        "A",
        "└─▶ C",
        "    └─▶ D",
        "B",
        "└─▶ C (above)",
    ]


@given(graphs())
def test_text_names_everyone(graph: Graph) -> None:
    lines = draw_text(graph).splitlines()
    shown = {line.split("─▶ ")[-1].removesuffix(" (above)") for line in lines}
    assert shown == set(graph.reduced().names)


@given(graphs())
def test_every_edge_leads_to_a_later_layer(graph: Graph) -> None:
    layout = layered(graph.reduced())
    layer = {node: number for number, nodes in enumerate(layout.layers) for node in nodes}
    for route in layout.routes.values():
        assert [layer[node] for node in route] == list(range(layer[route[0]], layer[route[-1]] + 1))


@given(graphs())
def test_pictures_show_every_vertex_and_edge(graph: Graph) -> None:
    root, reduced = drawn(graph), graph.reduced()
    assert sorted(text.text for text in root.iter(f"{SVG}text")) == sorted(reduced.names)
    edges = [path for path in root.iter(f"{SVG}path") if path.get("class") == "edge"]
    assert len(edges) == len(reduced.edges)


@given(graphs())
def test_boxes_lie_apart_and_inside_the_picture(graph: Graph) -> None:
    root = drawn(graph)
    boxes = [
        tuple(float(rect.attrib[each]) for each in ("x", "y", "width", "height"))
        for rect in root.iter(f"{SVG}rect")
        if rect.get("class") == "node"
    ]
    for x, y, width, height in boxes:
        assert x >= 0 and x + width <= float(root.attrib["width"])
        assert y >= 0 and y + height <= float(root.attrib["height"])
    for one, other in combinations(boxes, 2):
        beside = one[0] + one[2] <= other[0] or other[0] + other[2] <= one[0]
        above = one[1] + one[3] <= other[1] or other[1] + other[3] <= one[1]
        assert beside or above


@given(st.text(min_size=1), st.text())
def test_any_name_can_be_drawn(name: str, title: str) -> None:
    picture = draw_svg(Graph((name,), frozenset()), title=title, notes={name: title})
    assert etree.fromstring(picture.encode("utf-8", "replace")).tag == f"{SVG}svg"


def test_notes_are_shown_when_pointed_at() -> None:
    picture = draw_svg(FIGURE, notes={"Q1": "en >= 1.3"})
    assert etree.fromstring(picture.encode()).findtext(f".//{SVG}title") == "en >= 1.3"


def test_an_empty_graph_is_an_empty_picture() -> None:
    assert drawn(Graph((), frozenset()), "nothing").tag == f"{SVG}svg"
