"""What runs where a stream is tapped: the part of a subscription that comes before its result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from millstream.algebra.expressions import EMPTY, TRUE, Expression, NewElement, PathTo, Step
from millstream.algebra.operators import Aggregation, Construct, Operator, Query, Select, Window
from millstream.algebra.scopes import fresh_name
from millstream.algebra.walk import conjoin, conjuncts, free_variables, operators
from millstream.errors import InternalError
from millstream.sharing.properties import ITEM as ANY_ITEM
from millstream.sharing.rewriting.place import Place
from millstream.sharing.rewriting.window_aggregates import window_at
from millstream.sharing.rewriting.window_items import ITEM, START, WindowItems


def items_tap(place: Place) -> Query:
    """Which items of a stream go on; what goes on of each is not the query's business."""
    return Query((Construct(place.items(ANY_ITEM), EMPTY),))


def windows_tap(branch: Construct, place: Place, items: WindowItems, *, filtered: bool) -> Query:
    """One generic item for each window of a branch, if need be only for those that it returns.

    Windows that hold nothing do not travel, also where the branch gives them: which of those
    there are is known again where the result is made, from the windows on both sides.
    """
    window = window_of(branch)
    names = _Names(window, items)
    carried = tuple(_aggregations(window, items, names))
    asked = window.aggregations if filtered else ()
    tapped = replace(window, empty=False)
    made: Operator = window_at(tapped, place, (*asked, *carried), names.start)
    condition = conjoin(_filters(branch, window)) if filtered else TRUE
    if condition != TRUE:
        made = Select(made, condition)
    return Query((Construct(made, _template(items, names)),))


def window_of(branch: Construct) -> Window:
    """The window of a branch that has one."""
    for each in operators(branch.input):
        if isinstance(each, Window):
            return each
    raise InternalError("a branch without a window has no windows to tap")


class _Names:
    """Variables for starts and aggregates that the branch does not use itself."""

    def __init__(self, window: Window, items: WindowItems) -> None:
        own = (window.variable, window.input.bindings[-1].variable)
        taken = frozenset((*own, *(each.variable for each in window.aggregations)))
        self.start = fresh_name(START, taken)
        self.aggregates = {each: fresh_name(items.name(each), taken) for each in items.carried}


def _aggregations(window: Window, items: WindowItems, names: _Names) -> Iterator[Aggregation]:
    for each in items.carried:
        source = PathTo(window.variable, tuple(Step(name) for name in each.path))
        yield Aggregation(names.aggregates[each], each.function, source, each.type)


def _filters(branch: Construct, window: Window) -> Iterator[Expression]:
    """The conditions that speak of nothing but the window's aggregates."""
    known = frozenset(each.variable for each in window.aggregations)
    for operator in operators(branch.input):
        if operator is window:
            return
        if isinstance(operator, Select):
            yield from (
                each for each in conjuncts(operator.predicate) if free_variables(each) <= known
            )


def _template(items: WindowItems, names: _Names) -> Expression:
    values = (
        NewElement(items.name(each), (), (PathTo(names.aggregates[each]),))
        for each in items.carried
    )
    return NewElement(ITEM, (), (NewElement(START, (), (PathTo(names.start),)), *values))
