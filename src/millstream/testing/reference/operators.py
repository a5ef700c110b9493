"""The operators at work: each takes arrivals in order and gives the rows that they complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from millstream.algebra.operators import Join, Operator, Scan, Select, Unnest, Window
from millstream.errors import InternalError
from millstream.testing.reference.expressions import holds
from millstream.testing.reference.rows import Arrival, Row, rows_of, unnested
from millstream.testing.reference.windowing import Subscription, windowing


class Logic(Protocol):
    """One operator of a running subscription."""

    def observe(self, arrival: Arrival) -> None:
        """Take note of an item that arrived before registration."""

    def push(self, arrival: Arrival) -> Iterable[Row]:
        """The rows that an arrival completes."""

    def finish(self) -> Iterable[Row]:
        """The rows that the end of all streams completes."""


def logic_of(operator: Operator, subscription: Subscription) -> Logic:
    """The running form of an operator and all below it."""
    match operator:
        case Scan():
            return ScanLogic(operator)
        case Select():
            return SelectLogic(operator, logic_of(operator.input, subscription))
        case Unnest():
            return UnnestLogic(operator, logic_of(operator.input, subscription))
        case Window():
            return windowing(operator, subscription)
        case Join():
            left = logic_of(operator.left, subscription)
            return JoinLogic(operator, left, logic_of(operator.right, subscription))
        case _:
            raise InternalError("tag operators have a reference of their own")


@dataclass(frozen=True, slots=True)
class ScanLogic:
    """Each item of the stream as it arrives."""

    operator: Scan

    def observe(self, arrival: Arrival) -> None:
        pass

    def push(self, arrival: Arrival) -> Iterable[Row]:
        return rows_of(self.operator, arrival)

    def finish(self) -> Iterable[Row]:
        return ()


@dataclass(frozen=True, slots=True)
class SelectLogic:
    """The rows for which the predicate holds."""

    operator: Select
    below: Logic

    def observe(self, arrival: Arrival) -> None:
        self.below.observe(arrival)

    def push(self, arrival: Arrival) -> Iterable[Row]:
        return self._passing(self.below.push(arrival))

    def finish(self) -> Iterable[Row]:
        return self._passing(self.below.finish())

    def _passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        return (row for row in rows if holds(self.operator.predicate, row))


@dataclass(frozen=True, slots=True)
class UnnestLogic:
    """Each row once for every node that its path reaches."""

    operator: Unnest
    below: Logic

    def observe(self, arrival: Arrival) -> None:
        self.below.observe(arrival)

    def push(self, arrival: Arrival) -> Iterable[Row]:
        return self._unnested(self.below.push(arrival))

    def finish(self) -> Iterable[Row]:
        return self._unnested(self.below.finish())

    def _unnested(self, rows: Iterable[Row]) -> Iterator[Row]:
        return (inner for row in rows for inner in unnested(self.operator, row))


@dataclass(slots=True)
class JoinLogic:
    """Every pair of rows once, when its later member arrives."""

    operator: Join
    left: Logic
    right: Logic
    lefts: list[Row] = field(default_factory=list)
    rights: list[Row] = field(default_factory=list)

    def observe(self, arrival: Arrival) -> None:
        self.left.observe(arrival)
        self.right.observe(arrival)

    def push(self, arrival: Arrival) -> Iterable[Row]:
        return self._paired(list(self.left.push(arrival)), list(self.right.push(arrival)))

    def finish(self) -> Iterable[Row]:
        return self._paired(list(self.left.finish()), list(self.right.finish()))

    def _paired(self, lefts: list[Row], rights: list[Row]) -> Iterator[Row]:
        """New left rows with all right ones, then the older left rows with new right ones."""
        older = list(self.lefts)
        self.lefts += lefts
        self.rights += rights
        pairs = [(left, right) for left in lefts for right in self.rights]
        pairs += [(left, right) for right in rights for left in older]
        rows: Iterator[Row] = ({**left, **right} for left, right in pairs)
        return (row for row in rows if holds(self.operator.predicate, row))
