"""A whole subscription on the items that arrive, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from millstream.algebra.expressions import Expression
from millstream.algebra.operators import Query
from millstream.model.window import EndRule
from millstream.testing.reference.construction import printed
from millstream.testing.reference.expressions import value_of
from millstream.testing.reference.operators import logic_of
from millstream.testing.reference.rows import Arrival, Row
from millstream.testing.reference.windowing import StreamSettings, Subscription

NO_SETTINGS: Mapping[str, StreamSettings] = {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a subscription gives, and what came too late for it."""

    results: tuple[str, ...]
    """One XML or text a result item, in order of emission."""
    late: tuple[int, ...]
    """The arrivals that were late for every window they belong to."""


def evaluate(
    query: Query,
    arrivals: Sequence[tuple[str, str]],
    *,
    settings: Mapping[str, StreamSettings] = NO_SETTINGS,
    registered_after: int = 0,
    ended: bool = True,
    end: EndRule | None = None,
    empty: bool = False,
) -> Outcome:
    """What a subscription gives for arrivals: pairs of a stream's name and an item's XML.

    It is registered after so many arrivals; `ended` says that no more will come. `end` and `empty`
    are the subscription's choices and go before those of the query's windows.
    """
    subscription = Subscription(settings, end, empty)
    branches = [(logic_of(each.input, subscription), each.template) for each in query.branches]
    results: list[str] = []
    for index, (stream, xml) in enumerate(arrivals):
        arrival = Arrival(index, stream, xml)
        for logic, template in branches:
            if index < registered_after:
                logic.observe(arrival)
            else:
                results += _items(template, logic.push(arrival))
    for logic, template in branches if ended else []:
        results += _items(template, logic.finish())
    return Outcome(tuple(results), tuple(sorted(subscription.late - subscription.placed)))


def _items(template: Expression, rows: Iterable[Row]) -> Iterator[str]:
    """The result of each row; one that prints nothing is no item."""
    return (text for row in rows if (text := printed(value_of(template, row))))
