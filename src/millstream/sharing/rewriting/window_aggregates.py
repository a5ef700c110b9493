"""The aggregates of a window, taken from items or merged from windows that pave it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from millstream.algebra.expressions import PathTo, Step
from millstream.algebra.operators import AggregateFunction, Aggregation, Window
from millstream.model.schema import ValueType
from millstream.model.window import WindowKind, WindowSpec
from millstream.sharing.rewriting.place import Place
from millstream.sharing.rewriting.window_items import START, WindowItems

_MERGED_BY = {
    AggregateFunction.COUNT: AggregateFunction.SUM,
    AggregateFunction.VALUES: AggregateFunction.SUM,
    AggregateFunction.SUM: AggregateFunction.SUM,
    AggregateFunction.MIN: AggregateFunction.MIN,
    AggregateFunction.MAX: AggregateFunction.MAX,
}


def window_at(
    window: Window, place: Place, aggregations: Iterable[Aggregation], start: str | None
) -> Window:
    """The windows of a query over a stream in the place of its own."""
    variable = window.input.bindings[-1].variable
    windows = place.windows
    if windows is None:
        made = replace(window, input=place.items(variable))
    else:
        made = replace(
            window,
            input=place.items(variable),
            spec=WindowSpec(WindowKind.DIFF, window.spec.size, window.spec.step, (START,)),
            # Windows by number become windows by start, but end as they did.
            end=window.end or window.spec.default_end,
            tile=windows.size,
        )
        aggregations = (merged(each, windows) for each in aggregations)
    return replace(made, aggregations=tuple(aggregations), start=start)


def merged(aggregation: Aggregation, windows: WindowItems) -> Aggregation:
    """An aggregation of items as one of windows that hold them."""
    path = tuple(step.name for step in aggregation.source.steps)

    def part(function: AggregateFunction) -> PathTo:
        return PathTo(aggregation.source.variable, (Step(windows.holding(function, path)),))

    function = aggregation.function
    if function is AggregateFunction.AVG:
        total, values = part(AggregateFunction.SUM), part(AggregateFunction.VALUES)
        return replace(aggregation, source=total, weight=values)
    counts = function in (AggregateFunction.COUNT, AggregateFunction.VALUES)
    type = ValueType.INTEGER if counts else aggregation.type
    return replace(aggregation, function=_MERGED_BY[function], source=part(function), type=type)
