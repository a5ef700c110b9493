"""Who could share, and who does share, as graphs that can be drawn."""

from millstream.sharing.graphs.dependency import DependencyGraph
from millstream.sharing.graphs.graph import Edge, Graph
from millstream.sharing.graphs.shareability import ShareabilityGraph
from millstream.sharing.graphs.svg import draw_svg
from millstream.sharing.graphs.text import draw_text

__all__ = ["DependencyGraph", "Edge", "Graph", "ShareabilityGraph", "draw_svg", "draw_text"]
