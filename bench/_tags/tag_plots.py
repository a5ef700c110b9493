"""Figures as pictures: lines over the share of tagged tuples, in SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10

WIDTH, HEIGHT, MARGIN = 560, 340, 56
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280")
STYLE = (
    "text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #16324f; }"
    " path { fill: none; stroke-width: 2; } .axis { stroke: #4a5568; stroke-width: 1; }"
    " .grid { stroke: #e2e8f0; stroke-width: 1; }"
)
_ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10)
Points = Sequence[tuple[float, float]]


def lines(title: str, unit: str, series: Mapping[str, Points]) -> str:
    """One line for each series; shares from 0 to 1 go from left to right."""
    highest = _round_height(max((y for points in series.values() for _, y in points), default=1.0))
    parts = [_frame(title, unit, highest)]
    for number, (name, points) in enumerate(series.items()):
        parts.append(_line(name, points, highest, number))
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{body}</svg>\n'
    )


def _frame(title: str, unit: str, highest: float) -> str:
    parts = [f'<text x="{MARGIN}" y="24" font-weight="600">{escape(title)}</text>']
    for step in range(5):
        value = highest * step / 4
        y = _y(value, highest)
        parts.append(f'<line class="grid" x1="{MARGIN}" y1="{y:.1f}" x2="{_x(1)}" y2="{y:.1f}"/>')
        parts.append(f'<text x="8" y="{y + 4:.1f}">{_written(value)}</text>')
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts.append(f'<text x="{_x(share) - 12:.1f}" y="{HEIGHT - 30}">{share:.0%}</text>')
    bottom = _y(0, highest)
    parts.append(f'<line class="axis" x1="{MARGIN}" y1="{bottom}" x2="{_x(1)}" y2="{bottom}"/>')
    parts.append(f'<text x="{MARGIN}" y="{HEIGHT - 10}">{escape(unit)}, by tagged tuples</text>')
    return "".join(parts)


def _line(name: str, points: Points, highest: float, number: int) -> str:
    colour = COLOURS[number % len(COLOURS)]
    path = " L ".join(f"{_x(x):.1f} {_y(y, highest):.1f}" for x, y in points)
    label = f'<text x="{WIDTH - 150}" y="{44 + 18 * number}" style="fill: {colour}">'
    return f'<path d="M {path}" stroke="{colour}"/>{label}{escape(name)}</text>'


def _round_height(most: float) -> float:
    """Four steps of a round size that reach at least so far."""
    step = (most or 1.0) / 4
    unit = 10.0 ** floor(log10(step))
    return (
        4 * unit * next(each for each in (1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10) if each * unit >= step)
    )


def _written(value: float) -> str:
    return f"{value / 1e6:g} M" if value >= 1e6 else f"{value:.3g}"


def _x(share: float) -> float:
    return MARGIN + share * (WIDTH - 2 * MARGIN - 110)


def _y(value: float, highest: float) -> float:
    return HEIGHT - MARGIN - value / highest * (HEIGHT - 2 * MARGIN)
