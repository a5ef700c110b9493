"""Aggregates from a stream of aggregates (Algorithm 4, corrected)."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.sharing.matching.answer import Conditions, Reason
from millstream.sharing.matching.from_items import items_with
from millstream.sharing.matching.user_functions import functions_agree
from millstream.sharing.matching.window_conditions import (
    end_rules_agree,
    filter_allows,
    offset_fits,
    windows_fit,
)
from millstream.sharing.partial_aggregates import served
from millstream.sharing.predicates import equivalent, residual
from millstream.sharing.properties import ALWAYS, Input, WindowProperties


def aggregates_from_aggregates(
    new: Input,
    wanted: WindowProperties,
    flow: Input,
    given: WindowProperties,
    offset: int | None,
) -> Conditions:
    """The conditions under which a stream of aggregates answers another aggregation."""
    yield from windows_fit(wanted.spec, given.spec)
    yield from _values(wanted, given)
    yield end_rules_agree(wanted, given)
    yield from offset_fits(given.spec, offset)
    yield functions_agree(new, flow)
    yield _same_items(new, flow)
    allowed = yield from filter_allows(wanted, given)
    return residual(wanted.filter, given.filter) if allowed else ALWAYS


def _values(wanted: WindowProperties, given: WindowProperties) -> Iterator[Reason]:
    flowing = ", ".join(sorted(map(str, given.aggregates))) or "no aggregate"
    for each in sorted(wanted.aggregates, key=str):
        sources = served(each, given.aggregates)
        if not sources:
            yield Reason(
                "aggregate", False, f"the stream has {flowing}, which does not give {each}"
            )
        elif sources == (each,):
            yield Reason("aggregate", True, f"{each} is in the stream")
        else:
            names = " and ".join(map(str, sources))
            yield Reason("aggregate", True, f"{names} in the stream gives {each}")


def _same_items(new: Input, flow: Input) -> Reason:
    """Aggregates cannot be selected from afterwards: they must be of the same items."""
    if equivalent(new.selection, flow.selection):
        return Reason("selection", True, "the same items are aggregated")
    text = (
        f"other items are aggregated: the stream's windows hold {items_with(flow.selection)}, "
        f"asked for are {items_with(new.selection)}"
    )
    return Reason("selection", False, text)
