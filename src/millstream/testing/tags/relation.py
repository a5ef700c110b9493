"""Tagged tuples as a relation: rows of values, and the marks on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from millstream.model.tags import Mark, MarkedTuple, Placed, PlacedTag, StreamShape
from millstream.model.tags.location import Point
from millstream.model.tags.marks import in_arrival_order
from millstream.model.values import Value
from millstream.testing.tags.resolution import resolve

Datum = Value | Point | None
"""What a column holds; None where there is nothing."""

Origin = tuple[tuple[str, int], ...]
"""The streams and positions of the tuples that a row is made of."""


@dataclass(frozen=True, slots=True)
class Row:
    """A tuple, or what an operator made of some."""

    time: int
    origin: Origin
    values: tuple[Datum, ...]
    marks: frozenset[Mark] = frozenset()

    @property
    def position(self) -> int:
        """The position of the newest tuple in it."""
        return self.origin[-1][1]

    @property
    def tags(self) -> tuple[PlacedTag, ...]:
        """The tags on it, each once, in the order in which they arrived."""
        return in_arrival_order(mark.tag for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Relation:
    """Rows with the names of their columns."""

    attributes: tuple[str, ...]
    rows: tuple[Row, ...]

    def value(self, row: Row, attribute: str) -> Datum:
        return row.values[self.attributes.index(attribute)]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


def relation_of(elements: Iterable[Placed], shape: StreamShape) -> Relation:
    """The tuples of a stream in the order of their positions, tags resolved."""
    rows = (_row(marked, shape) for marked in resolve(elements, shape))
    return Relation(shape.names, tuple(rows))


def _row(marked: MarkedTuple, shape: StreamShape) -> Row:
    element = marked.element
    values = tuple(
        attribute.value(text)
        for attribute, text in zip(shape.attributes, element.texts, strict=True)
    )
    return Row(element.time, ((shape.name, marked.position),), values, marked.marks)
