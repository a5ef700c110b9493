"""A stream of partial aggregates made from photons, and windows over the one and the other."""

from __future__ import annotations

from millstream.algebra.expressions import Expression, NewElement, PathTo, Step
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Query,
    Scan,
    Window,
)
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType
from millstream.model.window import WindowKind, WindowSpec
from tests.testing.photons import SCAN

_FIELDS = {
    "start": ("start", ValueType.INTEGER, None),
    "n": ("count", ValueType.INTEGER, None),
    "total": ("sum", ValueType.DECIMAL, "en"),
    "values": ("values", ValueType.INTEGER, "en"),
    "least": ("min", ValueType.DECIMAL, "en"),
    "most": ("max", ValueType.DECIMAL, "en"),
    "flux_total": ("sum", ValueType.DOUBLE, "flux"),
    "flux_values": ("values", ValueType.INTEGER, "flux"),
    "latest": ("max", ValueType.TIME, "seen"),
}
WINDOWS = Schema(
    "windows",
    Element(
        "window",
        Occurs.MANY,
        Content.NESTED,
        tuple(Element(name, Occurs.OPTIONAL, type=type) for name, (_, type, _) in _FIELDS.items()),
    ),
)


def spec(size: int, step: int, reference: str = "det_time") -> WindowSpec:
    return WindowSpec(WindowKind.DIFF, size, step, (reference,))


def partial_query(size: int, step: int) -> Query:
    """Each window of photons as one item with its start and its partial aggregates."""
    aggregations = tuple(
        _aggregation(name, function, source or "", type)
        for name, (function, type, source) in _FIELDS.items()
        if function != "start"
    )
    window = Window(SCAN, "w", spec(size, step), aggregations, start="start")
    fields = tuple(NewElement(name, (), (PathTo(name),)) for name in _FIELDS)
    return Query((Construct(window, NewElement("window", (), fields)),))


def direct_query(size: int, step: int, *, empty: bool = False) -> Query:
    """All aggregates of windows of photons."""
    aggregations = (
        _aggregation("n", "count", "", ValueType.INTEGER),
        _aggregation("sum", "sum", "en", ValueType.DECIMAL),
        _aggregation("mean", "avg", "en", ValueType.DECIMAL),
        _aggregation("least", "min", "en", ValueType.DECIMAL),
        _aggregation("most", "max", "en", ValueType.DECIMAL),
        _aggregation("flux", "avg", "flux", ValueType.DOUBLE),
        _aggregation("latest", "max", "seen", ValueType.TIME),
    )
    window = Window(SCAN, "w", spec(size, step), aggregations, empty=empty, start="start")
    return Query((Construct(window, _printed(aggregations)),))


def composed_query(size: int, step: int, tile: int, *, empty: bool = False) -> Query:
    """The same windows, made from partial aggregates."""
    weighted = (
        _aggregation("mean", "avg", "total", ValueType.DECIMAL, "values"),
        _aggregation("flux", "avg", "flux_total", ValueType.DOUBLE, "flux_values"),
    )
    aggregations = (
        _aggregation("n", "sum", "n", ValueType.INTEGER),
        _aggregation("sum", "sum", "total", ValueType.DECIMAL),
        weighted[0],
        _aggregation("least", "min", "least", ValueType.DECIMAL),
        _aggregation("most", "max", "most", ValueType.DECIMAL),
        weighted[1],
        _aggregation("latest", "max", "latest", ValueType.TIME),
    )
    scan = Scan("windows", "t", WINDOWS)
    starts = spec(size, step, "start")
    window = Window(scan, "w", starts, aggregations, empty=empty, tile=tile, start="start")
    return Query((Construct(window, _printed(aggregations)),))


def _printed(aggregations: tuple[Aggregation, ...]) -> Expression:
    names = ("start", *(each.variable for each in aggregations))
    return NewElement("r", (), tuple(NewElement(name, (), (PathTo(name),)) for name in names))


def _aggregation(
    variable: str, function: str, source: str, type: ValueType, weight: str | None = None
) -> Aggregation:
    return Aggregation(
        variable,
        AggregateFunction(function),
        _path(source),
        type,
        None if weight is None else _path(weight),
    )


def _path(name: str) -> PathTo:
    return PathTo("w", (Step(name),) if name else ())
