"""Figures as pictures: lines over the share of tagged tuples, in SVG."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT, MARGIN = 560, 340, 56
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280")
STYLE = (
    "text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #16324f; }"
    " path { fill: none; stroke-width: 2; } .axis { stroke: #4a5568; stroke-width: 1; }"
    " .grid { stroke: #e2e8f0; stroke-width: 1; }"
)
_ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10)
_TOO_FAR_APART = 100
"""A line this many times below another would lie on the axis if heights were proportional."""
Points = Sequence[tuple[float, float]]


def lines(title: str, unit: str, series: Mapping[str, Points]) -> str:
    """One line for each series; shares from 0 to 1 go from left to right."""
    scale = _scale([y for points in series.values() for _, y in points])
    parts = [_frame(title, unit, scale)]
    for number, (name, points) in enumerate(series.items()):
        parts.append(_line(name, points, scale, number))
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{body}</svg>\n'
    )


class _Scale(ABC):
    """How high values stand, from 0 at the axis to 1 at the top."""

    marks: Sequence[float]
    """Values that have a line of the grid."""
    name = ""
    """What a reader must know of it."""

    @abstractmethod
    def height(self, value: float) -> float: ...

    def y(self, value: float) -> float:
        return HEIGHT - MARGIN - self.height(value) * (HEIGHT - 2 * MARGIN)


class _Proportional(_Scale):
    """From zero, in four steps of a round size."""

    def __init__(self, most: float) -> None:
        step = (most or 1.0) / 4
        unit = 10.0 ** floor(log10(step))
        size = unit * next(each for each in _ROUND if each * unit >= step)
        self.marks = [size * number for number in range(5)]

    def height(self, value: float) -> float:
        return value / self.marks[-1]


class _Logarithmic(_Scale):
    """Each line of the grid is ten times the one below."""

    name = "logarithmic"

    def __init__(self, least: float, most: float) -> None:
        self._lowest = floor(log10(least))
        self._powers = max(1, ceil(log10(most)) - self._lowest)
        self.marks = [10.0 ** (self._lowest + number) for number in range(self._powers + 1)]

    def height(self, value: float) -> float:
        return (log10(value) - self._lowest) / self._powers


def _scale(values: Sequence[float]) -> _Scale:
    least, most = min(values, default=1.0), max(values, default=1.0)
    if least > 0 and most / least > _TOO_FAR_APART:
        return _Logarithmic(least, most)
    return _Proportional(most)


def _frame(title: str, unit: str, scale: _Scale) -> str:
    parts = [f'<text x="{MARGIN}" y="24" font-weight="600">{escape(title)}</text>']
    for value in scale.marks:
        y = scale.y(value)
        parts.append(f'<line class="grid" x1="{MARGIN}" y1="{y:.1f}" x2="{_x(1)}" y2="{y:.1f}"/>')
        parts.append(f'<text x="8" y="{y + 4:.1f}">{_written(value)}</text>')
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts.append(f'<text x="{_x(share) - 12:.1f}" y="{HEIGHT - 30}">{share:.0%}</text>')
    bottom = scale.y(scale.marks[0])
    parts.append(f'<line class="axis" x1="{MARGIN}" y1="{bottom}" x2="{_x(1)}" y2="{bottom}"/>')
    said = ", ".join(filter(None, (unit, "by tagged tuples", scale.name)))
    parts.append(f'<text x="{MARGIN}" y="{HEIGHT - 10}">{escape(said)}</text>')
    return "".join(parts)


def _line(name: str, points: Points, scale: _Scale, number: int) -> str:
    colour = COLOURS[number % len(COLOURS)]
    path = " L ".join(f"{_x(x):.1f} {scale.y(y):.1f}" for x, y in points)
    label = f'<text x="{WIDTH - 150}" y="{44 + 18 * number}" style="fill: {colour}">'
    return f'<path d="M {path}" stroke="{colour}"/>{label}{escape(name)}</text>'


def _written(value: float) -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:.3g}"


def _x(share: float) -> float:
    return MARGIN + share * (WIDTH - 2 * MARGIN - 110)
