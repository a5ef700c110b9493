"""Points of the plane as attributes hold them: '0.25 0.75', also with a comma or parentheses."""

from __future__ import annotations

import math
import re

Point = tuple[float, float]

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_POINT = re.compile(
    rf"(?:POINT)?\s*(\()?\s*({_NUMBER})(?:\s*,\s*|\s+)({_NUMBER})\s*(?(1)\))", re.IGNORECASE
)


def parse_location(text: str) -> Point | None:
    """The point that a text names, or None."""
    match = _POINT.fullmatch(text.strip())
    return (float(match[2]), float(match[3])) if match else None


def format_location(point: Point, digits: int = 6) -> str:
    """A point as an attribute holds it."""
    return " ".join(f"{coordinate:.{digits}f}" for coordinate in point)


def distance(one: Point, other: Point) -> float:
    """The length of the straight line between two points."""
    return math.hypot(one[0] - other[0], one[1] - other[1])
