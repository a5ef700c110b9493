"""A directed graph over named streams: an edge leads from what is shared to who shares it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from millstream.errors import InternalError, did_you_mean

Edge = tuple[str, str]
"""What is shared, and who shares it."""


@dataclass(frozen=True)
class Graph:
    """Names in a fixed order, and the edges between them."""

    names: tuple[str, ...]
    edges: frozenset[Edge]

    def __post_init__(self) -> None:
        known = set(self.names)
        for name in (end for edge in self.edges for end in edge):
            if name not in known:
                raise InternalError(
                    f"an edge ends at '{name}', which is no vertex", help=did_you_mean(name, known)
                )

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def targets(self, name: str) -> tuple[str, ...]:
        """Who shares a stream, in order."""
        return self._ordered(target for source, target in self.edges if source == name)

    def sources(self, name: str) -> tuple[str, ...]:
        """What is shared by someone, in order."""
        return self._ordered(source for source, target in self.edges if target == name)

    def _ordered(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=self._numbers.__getitem__))

    def reachable(self, name: str) -> frozenset[str]:
        """Everything that edges lead to from a vertex."""
        found: set[str] = set()
        waiting = list(self.targets(name))
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self.targets(each)
        return frozenset(found)

    def equals(self) -> tuple[tuple[str, ...], ...]:
        """The vertices, those that lead to each other together, in order."""
        reach = {name: self.reachable(name) for name in self.names}
        groups: dict[str, list[str]] = {}
        for name in self.names:
            first = next(
                (each for each in groups if each in reach[name] and name in reach[each]), name
            )
            groups.setdefault(first, []).append(name)
        return tuple(tuple(group) for group in groups.values())

    def reduced(self) -> Graph:
        """The fewest edges that lead everywhere that these do.

        Vertices that lead to each other become one, by the names of all with '=' between.
        """
        groups = self.equals()
        label = {name: joined(group) for group in groups for name in group}
        edges = {(label[one], label[other]) for one, other in self.edges}
        loose = Graph(
            tuple(dict.fromkeys(label[name] for name in self.names)),
            frozenset(edge for edge in edges if edge[0] != edge[1]),
        )
        return Graph(
            loose.names, frozenset(edge for edge in loose.edges if not _implied(loose, edge))
        )


def joined(group: tuple[str, ...]) -> str:
    """The name of vertices that are drawn as one."""
    return " = ".join(group)


def _implied(graph: Graph, edge: Edge) -> bool:
    """True if another way leads where an edge of an acyclic graph does."""
    source, target = edge
    others = (each for each in graph.targets(source) if each != target)
    return any(target in graph.reachable(each) for each in others)
