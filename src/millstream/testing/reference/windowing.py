"""Window operators at work: which nodes enter, when the stream's time moves, what is late."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

from millstream.algebra.expressions import PathTo, Step
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Operator,
    Window,
    scans,
)
from millstream.model.values import parse_instant
from millstream.model.window import EndRule, WindowKind
from millstream.testing.reference.aggregates import (
    aggregate,
    number_of_values,
    weighted_average,
)
from millstream.testing.reference.expressions import value_of
from millstream.testing.reference.nodes import ElementNode
from millstream.testing.reference.rows import Arrival, Row, rows_of, without_predicates
from millstream.testing.reference.values import (
    Atomic,
    Values,
    as_exact,
    as_instant,
    as_number,
    atomize,
)
from millstream.testing.reference.windows import Contents, ItemWindows, TimeWindows

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """What a stream declares about its time."""

    anchor: int | Decimal | str = 0
    """Where window 0 starts: a number, a date or time, or 'first' for the first item's value."""
    lateness: int = 0


@dataclass(slots=True)
class Subscription:
    """What the operators of a running subscription share: choices made, and who came late."""

    settings: Mapping[str, StreamSettings]
    end: EndRule | None = None
    empty: bool = False
    late: set[int] = field(default_factory=set)
    placed: set[int] = field(default_factory=set)

    def note(self, arrival: Arrival, in_time: bool) -> None:
        """Remember whether an arrival that belongs to windows found one of them open."""
        (self.placed if in_time else self.late).add(arrival.index)


def windowing(operator: Window, subscription: Subscription) -> ItemWindowing | TimeWindowing:
    """The running form of a window operator."""
    spec = operator.spec
    rule = subscription.end or operator.end or spec.default_end
    if spec.kind is WindowKind.COUNT:
        return ItemWindowing(operator, ItemWindows(spec, rule))
    settings = subscription.settings.get(scans(operator)[0].stream, StreamSettings())
    empty = operator.empty or subscription.empty
    windows = TimeWindows(spec, rule, settings.lateness, empty, operator.tile or 0)
    anchor = None if settings.anchor == "first" else _number_of(settings.anchor)
    return TimeWindowing(operator, subscription, windows, anchor)


@dataclass(frozen=True, slots=True)
class ItemWindowing:
    """Windows over the nodes that pass, counted from registration."""

    operator: Window
    windows: ItemWindows

    def observe(self, arrival: Arrival) -> None:
        pass

    def push(self, arrival: Arrival) -> Iterator[Row]:
        for node in _nodes(self.operator.input, arrival):
            for contents in self.windows.add(node):
                yield window_row(self.operator, contents)

    def finish(self) -> Iterator[Row]:
        return (window_row(self.operator, contents) for contents in self.windows.finish())


@dataclass(slots=True)
class TimeWindowing:
    """Windows over the nodes that pass; every item of the stream moves its time."""

    operator: Window
    subscription: Subscription
    windows: TimeWindows
    anchor: Fraction | None
    """None until the first item has set it."""

    def observe(self, arrival: Arrival) -> None:
        for tick in self._ticks_of_all(arrival):
            self.windows.observe(tick)

    def push(self, arrival: Arrival) -> Iterable[Row]:
        ticks = self._ticks_of_all(arrival)
        for node in _nodes(self.operator.input, arrival):
            self._place(node, arrival)
        closed = [contents for tick in ticks for contents in self.windows.advance(tick)]
        return [window_row(self.operator, contents) for contents in closed]

    def finish(self) -> Iterable[Row]:
        return [window_row(self.operator, contents) for contents in self.windows.finish()]

    def _place(self, node: ElementNode, arrival: Arrival) -> None:
        tick = self._tick(node)
        in_time = None if tick is None else self.windows.place(node, tick)
        if in_time is not None:
            self.subscription.note(arrival, in_time)

    def _ticks_of_all(self, arrival: Arrival) -> list[int]:
        """The ticks of an arrival, whether or not it passes the predicates, in rising order."""
        nodes = _nodes(without_predicates(self.operator.input), arrival)
        return sorted(tick for node in nodes if (tick := self._tick(node)) is not None)

    def _tick(self, node: ElementNode) -> int | None:
        reference = _reference(self.operator, node)
        if reference is None:
            return None
        if self.anchor is None:
            self.anchor = reference
        return math.floor(reference - self.anchor)


def window_row(operator: Window, contents: Contents) -> Row:
    """The window's aggregates, its start and its contents if they are used."""
    inside: dict[str, Values] = {operator.variable: contents.nodes}
    row = {each.variable: _aggregated(each, inside) for each in operator.aggregations}
    if operator.start is not None:
        row[operator.start] = (contents.start,)
    return {**inside, **row} if operator.keeps_contents else row


def _aggregated(aggregation: Aggregation, inside: Row) -> Values:
    values = value_of(aggregation.source, inside)
    if aggregation.weight is not None:
        return weighted_average(values, value_of(aggregation.weight, inside))
    if aggregation.function is AggregateFunction.VALUES:
        return number_of_values(values)
    return aggregate(aggregation.function.value, values)


def _nodes(operator: Operator, arrival: Arrival) -> Iterator[ElementNode]:
    variable = operator.bindings[-1].variable
    for row in rows_of(operator, arrival):
        (node,) = row[variable]
        assert isinstance(node, ElementNode), "windows hold elements"
        yield node


def _reference(operator: Window, node: ElementNode) -> Fraction | None:
    """The value that places a node in time, exactly; None if it is missing or no such value."""
    steps = tuple(Step(name) for name in operator.spec.reference)
    values = atomize(value_of(PathTo("node", steps), {"node": (node,)}))
    return _moment(values[0]) if values else None


def _moment(value: Atomic) -> Fraction | None:
    exact = as_exact(value)
    if exact is not None:
        return Fraction(exact)
    number = as_number(value)
    if number is not None:
        return Fraction(number) if math.isfinite(number) else None
    instant = as_instant(value)
    return None if instant is None else _seconds(instant)


def _seconds(instant: datetime) -> Fraction:
    since = instant - EPOCH
    return Fraction(since.days * 86400 + since.seconds) + Fraction(since.microseconds, 10**6)


def _number_of(anchor: int | Decimal | str) -> Fraction:
    try:
        return Fraction(anchor)
    except ValueError:
        return _seconds(parse_instant(str(anchor)))
