"""The shareability graph: whose stream could answer whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations

from millstream.sharing.graphs.graph import Edge, Graph
from millstream.sharing.graphs.svg import draw_svg
from millstream.sharing.matching import Match, match_properties
from millstream.sharing.properties import Properties


@dataclass(frozen=True)
class ShareabilityGraph(Graph):
    """An edge for every pair of different subscriptions of which one could answer the other."""

    @classmethod
    def of(cls, properties: Mapping[str, Properties]) -> ShareabilityGraph:
        """The graph of named subscriptions."""
        edges = (
            (source, target)
            for source, target in permutations(properties, 2)
            if match_properties(properties[target], properties[source], explain=False).reusable
        )
        return cls(tuple(properties), frozenset(edges))

    def _repr_svg_(self) -> str:
        return draw_svg(self, title="who could answer whom")

    @staticmethod
    def answers(properties: Mapping[str, Properties]) -> dict[Edge, Match]:
        """For every ordered pair, why one could or could not answer the other."""
        return {
            (source, target): match_properties(properties[target], properties[source])
            for source, target in permutations(properties, 2)
        }
