"""A graph as text: who shares a stream stands below it."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.sharing.graphs.graph import Graph

AGAIN = " (above)"


def draw_text(graph: Graph) -> str:
    """The graph without edges that others imply, as trees; a vertex is gone into only once.

    Q1
    ├─▶ Q2
    └─▶ Q3
        └─▶ Q4
    """
    reduced = graph.reduced()
    seen: set[str] = set()
    roots = [name for name in reduced.names if not reduced.sources(name)]
    return "\n".join(line for root in roots for line in (root, *_below(reduced, root, "", seen)))


def _below(graph: Graph, name: str, margin: str, seen: set[str]) -> Iterator[str]:
    seen.add(name)
    targets = graph.targets(name)
    for target in targets:
        last = target == targets[-1]
        again = target in seen and bool(graph.targets(target))
        yield f"{margin}{'└' if last else '├'}─▶ {target}{AGAIN if again else ''}"
        if not again:
            yield from _below(graph, target, margin + ("    " if last else "│   "), seen)
