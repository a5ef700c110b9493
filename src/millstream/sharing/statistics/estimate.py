"""How large the items of a flow are and how many come a second, before it flows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from millstream.algebra.operators import AggregateFunction
from millstream.model.schema import Path
from millstream.model.window import WindowKind
from millstream.sharing.properties import AggregateOf, Input, WindowProperties
from millstream.sharing.rewriting.window_items import ITEM, START, WindowItems
from millstream.sharing.statistics.sample import UNKNOWN
from millstream.sharing.statistics.stream import StreamStatistics, tags

LONGEST_NUMBER = 20
"""Digits of a sum that nothing is known about."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What flows in a second."""

    size: float
    """Bytes of one item."""
    frequency: float
    """Items a second."""
    selected: float
    """Items of the original stream, a second, that pass the selection: the input of windows."""

    @property
    def traffic(self) -> float:
        """Bytes a second."""
        return self.size * self.frequency


def estimate(flow: Input, statistics: StreamStatistics) -> Estimate:
    """The average size and frequency of a stream of items, of aggregates, or of whole windows."""
    selected = statistics.frequency * statistics.sample.share(flow.selection.expression())
    size, window = statistics.size_of(flow.output), flow.window
    if window is None:
        return Estimate(size, selected, selected)
    frequency = _window_frequency(window, statistics, selected) * _passing(window)
    if window.contents:
        inside = items_in_window(window, statistics, selected)
        return Estimate(inside * size + tags(ITEM), frequency, selected)
    return Estimate(_aggregates_size(flow, window, statistics, selected), frequency, selected)


def items_in_window(
    window: WindowProperties, statistics: StreamStatistics, selected: float
) -> float:
    """The items that one window holds, on average."""
    if window.spec.kind is WindowKind.COUNT:
        return float(window.spec.size)
    advance = _advance(window, statistics)
    return selected * window.spec.size / advance if advance > 0 else selected * window.spec.size


def _window_frequency(
    window: WindowProperties, statistics: StreamStatistics, selected: float
) -> float:
    """Windows a second.

    An item lies in at most ⌈Δ/μ⌉ windows, and windows without items are left out unless asked for:
    so there are never more windows than that.
    """
    spec = window.spec
    if spec.kind is WindowKind.COUNT:
        return selected / spec.step
    most = math.ceil(spec.size / spec.step) * selected
    advance = _advance(window, statistics)
    if advance <= 0:
        return most
    closing = advance / spec.step
    return closing if window.empty else min(closing, most)


def _advance(window: WindowProperties, statistics: StreamStatistics) -> float:
    """By how much the reference element grows in a second."""
    return statistics.frequency * statistics.increments.get(window.spec.reference, 0.0)


def _passing(window: WindowProperties) -> float:
    """The share of windows that pass the filter on their aggregates."""
    return 1.0 if window.filter.expression() is None else UNKNOWN


def _aggregates_size(
    flow: Input, window: WindowProperties, statistics: StreamStatistics, selected: float
) -> float:
    """The computed values with the elements around them: no matter how large the items are."""
    carried = WindowItems.of(window, flow.schema)
    inside = max(1.0, items_in_window(window, statistics, selected))
    values = sum(
        tags(carried.name(each)) + _digits(each, statistics, inside) for each in carried.carried
    )
    start = tags(START) + _text_size(window.spec.reference, statistics)
    return tags(ITEM) + start + values


def _digits(value: AggregateOf, statistics: StreamStatistics, inside: float) -> float:
    match value.function:
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return _text_size(value.path, statistics)
        case AggregateFunction.SUM:
            return _text_size(value.path, statistics) + math.log10(inside)
        case _:
            return 1 + math.log10(inside)


def _text_size(path: Path, statistics: StreamStatistics) -> float:
    """Bytes of the text of a leaf, without its tags."""
    found = statistics.elements.get(path)
    if found is None or not path:
        return LONGEST_NUMBER
    return max(1.0, found.size - tags(path[-1]))
