"""Where the vertices of a graph stand when it is drawn: in layers, with few crossings."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from millstream.sharing.graphs.graph import Edge, Graph

ROUNDS = 4
"""How often each layer is ordered by the one before it, and then by the one after."""


@dataclass(frozen=True, slots=True)
class Bend:
    """A point of a long edge in a layer that it only passes."""

    edge: Edge
    layer: int


Node = str | Bend
Layers = tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The layers, first to last, and each edge as the nodes that it goes through."""

    layers: Layers
    routes: Mapping[Edge, tuple[Node, ...]]


def layered(graph: Graph) -> Layout:
    """The layout of an acyclic graph: every edge leads to a later layer."""
    depth = _depths(graph)
    routes = {edge: _route(edge, depth) for edge in sorted(graph.edges)}
    layers: list[list[Node]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name in graph.names:
        layers[depth[name]].append(name)
    for route in routes.values():
        for node in route:
            if isinstance(node, Bend):
                layers[node.layer].append(node)
    _untangle(layers, routes)
    return Layout(tuple(tuple(layer) for layer in layers), routes)


def _depths(graph: Graph) -> dict[str, int]:
    """How many edges lead to a vertex, one after the other, on the longest way."""
    depth: dict[str, int] = {}

    def of(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((of(each) for each in graph.sources(name)), default=-1)
        return depth[name]

    for name in graph.names:
        of(name)
    return depth


def _route(edge: Edge, depth: Mapping[str, int]) -> tuple[Node, ...]:
    source, target = edge
    bends = (Bend(edge, layer) for layer in range(depth[source] + 1, depth[target]))
    return (source, *bends, target)


def _untangle(layers: list[list[Node]], routes: Mapping[Edge, tuple[Node, ...]]) -> None:
    """Order each layer by the mean place of its neighbours in the layer next to it."""
    before: dict[Node, list[Node]] = {}
    after: dict[Node, list[Node]] = {}
    for route in routes.values():
        for one, other in itertools.pairwise(route):
            after.setdefault(one, []).append(other)
            before.setdefault(other, []).append(one)
    for _ in range(ROUNDS):
        for number in range(1, len(layers)):
            _order(layers[number], layers[number - 1], before)
        for number in range(len(layers) - 2, -1, -1):
            _order(layers[number], layers[number + 1], after)


def _order(layer: list[Node], beside: list[Node], neighbours: Mapping[Node, list[Node]]) -> None:
    place = {node: number for number, node in enumerate(beside)}
    own = {node: number for number, node in enumerate(layer)}

    def mean(node: Node) -> float:
        places = [place[each] for each in neighbours.get(node, ())]
        return sum(places) / len(places) if places else own[node]

    layer.sort(key=lambda node: (mean(node), own[node]))
