"""What is left of a subscription where its result is made: everything that does not flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from millstream.algebra.expressions import TRUE, Expression, PathTo, Step
from millstream.algebra.operators import (
    Binding,
    Construct,
    Join,
    NodeBinding,
    Operator,
    Query,
    Scan,
    Select,
    Unnest,
    Window,
    scans,
)
from millstream.algebra.walk import conjoin, conjuncts, free_variables, operators
from millstream.errors import UnsupportedError
from millstream.model.schema import Element
from millstream.sharing.rewriting.place import Place
from millstream.sharing.rewriting.taps import window_of
from millstream.sharing.rewriting.window_aggregates import window_at


def post_processing(query: Query, places: Sequence[Place]) -> Query:
    """The query over other streams: one place for each scan of each branch, in order.

    What the streams have done already is not done again; the results are those of the query.
    """
    waiting = iter(places)
    return replace(query, branches=tuple(_branch(branch, waiting) for branch in query.branches))


def _branch(branch: Construct, waiting: Iterator[Place]) -> Construct:
    places = {scan.variable: next(waiting) for scan in scans(branch.input)}
    if branch.carries_tags:
        raise _without_tags()
    if any(each.windows for each in places.values()):
        (place,) = places.values()
        return _over_windows(branch, place)
    return replace(branch, input=_over_items(branch.input, places))


def _over_windows(branch: Construct, place: Place) -> Construct:
    window = window_of(branch)
    made = window_at(window, place, window.aggregations, window.start)
    return replace(branch, input=_with_window(branch.input, made))


def _with_window(operator: Operator, made: Window) -> Operator:
    """The tree with another window in the place of its own; what stands above stays."""
    if isinstance(operator, Select | Unnest):
        return replace(operator, input=_with_window(operator.input, made))
    return made


def _over_items(operator: Operator, places: dict[str, Place]) -> Operator:
    match operator:
        case Scan(variable=variable):
            return places[variable].items(variable)
        case Select(below, predicate):
            rest = _without_selection(predicate, below, places)
            inner = _over_items(below, places)
            return inner if rest == TRUE else Select(inner, rest)
        case Join(left, right, predicate):
            rest = _without_selection(predicate, operator, places)
            return Join(_over_items(left, places), _over_items(right, places), rest)
        case Unnest(below, variable, source, element):
            inner = _over_items(below, places)
            return Unnest(inner, variable, source, _narrowed(source, element, inner.bindings))
        case Window():
            return replace(operator, input=_over_items(operator.input, places))
        case _:
            raise _without_tags()


def _without_selection(
    predicate: Expression, below: Operator, places: dict[str, Place]
) -> Expression:
    """The conditions that are not about one item of one stream alone.

    Those about one item are in the stream, or in what is left of its selection. Above a window
    there are no items any more.
    """
    if any(isinstance(each, Window) for each in operators(below)):
        return predicate
    return conjoin(
        each
        for each in conjuncts(predicate)
        if not any(free_variables(each) <= {variable} for variable in places)
    )


def _narrowed(source: PathTo, element: Element, bindings: tuple[Binding, ...]) -> Element:
    """What a path reaches in items of which elements may have been left out."""
    start = next(each for each in bindings if each.variable == source.variable)
    if not isinstance(start, NodeBinding):
        return element
    found = [each for each in _reached(start.element, source.steps) if each.name == element.name]
    return found[0] if len(found) == 1 else element


def _reached(element: Element, steps: Sequence[Step]) -> list[Element]:
    reached = [element]
    for step in steps:
        reached = [
            child for each in reached for child in each.children if step.name in ("*", child.name)
        ]
    return reached


def _without_tags() -> UnsupportedError:
    return UnsupportedError(
        "tags do not travel between peers",
        help="ask about tags in a mill that is all in one place",
    )
