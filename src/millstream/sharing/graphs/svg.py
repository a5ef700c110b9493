"""A graph as a picture: streams in boxes, from left to right, arrows to those who share them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from millstream.sharing.graphs.graph import Graph, joined
from millstream.sharing.graphs.layers import Layout, Node, layered

LETTER, HEIGHT, PADDING = 8.0, 34.0, 16.0
GAP, APART, MARGIN = 64.0, 18.0, 20.0
TITLE_HEIGHT = 30.0
STYLE = """\
text { font: 14px ui-sans-serif, system-ui, sans-serif; fill: #16324f; text-anchor: middle; }
text.title { font-weight: 600; text-anchor: start; }
rect.page { fill: #ffffff; }
rect.node { fill: #eaf2fb; stroke: #2b6cb0; stroke-width: 1.5; }
path.edge { fill: none; stroke: #4a5568; stroke-width: 1.5; marker-end: url(#arrow); }
path.head { fill: #4a5568; }"""


@dataclass(frozen=True, slots=True)
class Box:
    """Where a vertex stands, or where an edge passes straight through its layer."""

    left: float
    middle: float
    width: float

    @property
    def right(self) -> float:
        return self.left + self.width


def draw_svg(graph: Graph, *, title: str = "", notes: Mapping[str, str] | None = None) -> str:
    """The graph without edges that others imply; notes are shown when a vertex is pointed at."""
    reduced = graph.reduced()
    layout = layered(reduced)
    top = MARGIN + (TITLE_HEIGHT if title else 0.0)
    boxes = _boxes(layout, top)
    width = max((box.right for box in boxes.values()), default=MARGIN) + MARGIN
    width = max(width, 2 * MARGIN + LETTER * len(title))
    height = max((box.middle for box in boxes.values()), default=top) + HEIGHT / 2 + MARGIN
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
            f" aria-label={quoteattr(_visible(title) or 'streams and who shares them')}>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8"'
            ' markerHeight="8" orient="auto"><path class="head" d="M0,0 L10,5 L0,10 z"/></marker>'
            "</defs>",
            '<rect class="page" width="100%" height="100%"/>',
            *_title(title),
            *_edges(layout, boxes),
            *_nodes(_said(graph, notes or {}), boxes),
            "</svg>\n",
        )
    )


def _boxes(layout: Layout, top: float) -> dict[Node, Box]:
    tallest = max((len(layer) for layer in layout.layers), default=0)
    boxes: dict[Node, Box] = {}
    left = MARGIN
    for layer in layout.layers:
        width = max(_width(node) for node in layer)
        free = (tallest - len(layer)) * (HEIGHT + APART) / 2
        for number, node in enumerate(layer):
            middle = top + free + number * (HEIGHT + APART) + HEIGHT / 2
            own = _width(node) or width
            boxes[node] = Box(left + (width - own) / 2, middle, own)
        left += width + GAP
    return boxes


def _width(node: Node) -> float:
    return LETTER * len(node) + 2 * PADDING if isinstance(node, str) else 0.0


def _title(title: str) -> Iterator[str]:
    if title:
        yield f'<text class="title" x="{MARGIN:g}" y="{MARGIN + 10:g}">{_legal(title)}</text>'


def _edges(layout: Layout, boxes: Mapping[Node, Box]) -> Iterator[str]:
    for route in layout.routes.values():
        passed = [boxes[node] for node in route]
        parts = [f"M{passed[0].left:g},{passed[0].middle:g}"]
        for one, other in itertools.pairwise(passed):
            half, end = (one.right + other.left) / 2, f"{other.left:g},{other.middle:g}"
            curve = f"C{half:g},{one.middle:g} {half:g},{other.middle:g} {end}"
            parts += [f"H{one.right:g}", curve]
        yield f'<path class="edge" d="{" ".join(parts)}"/>'


def _said(graph: Graph, notes: Mapping[str, str]) -> dict[str, str]:
    """The vertices that are drawn, with the notes on all that each stands for."""
    return {
        joined(group): "\n".join(notes[name] for name in group if name in notes)
        for group in graph.equals()
    }


def _nodes(said: Mapping[str, str], boxes: Mapping[Node, Box]) -> Iterator[str]:
    for name, note in said.items():
        box = boxes[name]
        title = f"<title>{_legal(note)}</title>" if note else ""
        centre = box.left + box.width / 2
        yield (
            f'<g>{title}<rect class="node" x="{box.left:g}" y="{box.middle - HEIGHT / 2:g}" rx="6"'
            f' width="{box.width:g}" height="{HEIGHT:g}"/>'
            f'<text x="{centre:g}" y="{box.middle + 5:g}">{_legal(name)}</text></g>'
        )


def _legal(text: str) -> str:
    return escape(_visible(text))


def _visible(text: str) -> str:
    """The text without what XML may not hold: whatever cannot be seen is a blank."""
    return "".join(each if each.isprintable() or each == "\n" else " " for each in text)
