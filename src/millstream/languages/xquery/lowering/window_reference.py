"""The reference of a time window, checked against the schema."""

from __future__ import annotations

from millstream.errors import QueryError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering import places
from millstream.languages.xquery.lowering.places import Place
from millstream.model.schema import ValueType
from millstream.model.window import WindowKind, WindowSpec


def window_spec(window: syntax.Window, contents: Place) -> WindowSpec:
    """The window as the algebra has it: without a step, each window follows the last."""
    step = window.step if window.step is not None else window.size
    if window.kind is WindowKind.COUNT:
        return WindowSpec(window.kind, window.size, step)
    names = tuple(name for name in window.reference if name != ".")
    place = contents
    for name in names:
        place = _below(place, name, window)
    _check_leaf(place, window)
    return WindowSpec(window.kind, window.size, step, names)


def _below(place: Place, name: str, window: syntax.Window) -> Place:
    found = places.attribute(place, name[1:]) if name.startswith("@") else places.child(place, name)
    if found is None:
        raise places.unknown(place, name, window.span)
    if found.repeated:
        raise QueryError(
            f"{found} may occur more than once, so it cannot place an element in time",
            code="window-reference",
            span=window.span,
            help="a window is controlled by an element that occurs once",
        )
    return found


def _check_leaf(place: Place, window: syntax.Window) -> None:
    if place.type is None:
        raise QueryError(
            f"{place} holds elements, so it cannot place an element in time",
            code="window-reference",
            span=window.span,
            help="a window is controlled by an element that holds a number or a time",
        )
    if place.type is ValueType.TEXT:
        raise QueryError(
            f"{place} is text, so it cannot place an element in time",
            code="window-reference",
            span=window.span,
            help=f"if it is a number or a time, say so: --set {place.option}=integer",
        )
