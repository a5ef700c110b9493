"""The dependency graph: whose stream does answer whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from millstream.errors import InternalError
from millstream.sharing.graphs.graph import Edge, Graph
from millstream.sharing.graphs.svg import draw_svg


@dataclass(frozen=True)
class DependencyGraph(Graph):
    """An edge from every stream to each that is made of it; there are no circles."""

    def __post_init__(self) -> None:
        Graph.__post_init__(self)
        for name in self.names:
            if name in self.reachable(name):
                raise InternalError(f"'{name}' depends on itself")

    @classmethod
    def of(cls, names: Iterable[str], edges: Iterable[Edge]) -> DependencyGraph:
        """The graph of what depends on what, from a stream to its dependent."""
        return cls(tuple(names), frozenset(edges))

    def dependents(self, name: str) -> frozenset[str]:
        """All that would go without a stream, directly or not."""
        return self.reachable(name)

    def _repr_svg_(self) -> str:
        return draw_svg(self, title="who is made from whom")

    def within(self, shareable: Graph) -> bool:
        """True if nobody shares what could not be shared."""
        return self.edges <= shareable.edges
