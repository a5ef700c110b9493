"""Rows of the operators without memory: what one arriving item gives, by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from millstream.algebra.expressions import PathTo
from millstream.algebra.operators import Operator, Scan, Select, Unnest
from millstream.errors import UnsupportedError
from millstream.testing.reference.expressions import holds, value_of
from millstream.testing.reference.nodes import read_item
from millstream.testing.reference.values import Values

Row = Mapping[str, Values]
"""What each variable of an operator holds."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """An item that arrives: its place among all arrivals, its stream and its XML."""

    index: int
    stream: str
    xml: str


def rows_of(operator: Operator, arrival: Arrival) -> Iterator[Row]:
    """The rows that an arrival gives, in document order."""
    match operator:
        case Scan():
            if arrival.stream == operator.stream:
                yield {operator.variable: (read_item(arrival.xml, operator.schema.item),)}
        case Select():
            for row in rows_of(operator.input, arrival):
                if holds(operator.predicate, row):
                    yield row
        case Unnest():
            for row in rows_of(operator.input, arrival):
                yield from unnested(operator, row)
        case _:
            raise UnsupportedError("a window ranges over the items of one stream")


def unnested(operator: Unnest, row: Row) -> Iterator[Row]:
    """The row once for each node that the path reaches."""
    for value in value_of(operator.source, row):
        yield {**row, operator.variable: (value,)}


def without_predicates(operator: Operator) -> Operator:
    """The operator as if every item passed: what moves the time of its stream."""
    match operator:
        case Select():
            return without_predicates(operator.input)
        case Unnest(source=PathTo(variable, steps)):
            bare = PathTo(variable, tuple(replace(step, predicates=()) for step in steps))
            return replace(operator, input=without_predicates(operator.input), source=bare)
        case _:
            return operator
