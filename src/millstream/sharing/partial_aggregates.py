"""What aggregates consist of on their way, and which give which."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.algebra.operators import AggregateFunction
from millstream.model.schema import Schema, ValueType
from millstream.sharing.properties import AggregateOf

AVG, SUM, COUNT = AggregateFunction.AVG, AggregateFunction.SUM, AggregateFunction.COUNT
VALUES = AggregateFunction.VALUES


def travelling(
    aggregates: Iterable[AggregateOf], schema: Schema | None = None
) -> tuple[AggregateOf, ...]:
    """The values that a stream of aggregates carries, in a fixed order, each once.

    An average travels as a sum and the number of values; the number of elements goes with it,
    which is larger where elements are empty, so that averages also give counts. The schema tells
    the types of sums.
    """
    parts = {part for each in aggregates for part in _parts(each, schema)}
    return tuple(sorted(parts, key=str))


def _parts(aggregate: AggregateOf, schema: Schema | None) -> tuple[AggregateOf, ...]:
    if aggregate.function is not AVG:
        return (aggregate,)
    path, whole = aggregate.path, ValueType.INTEGER
    leaf = schema.leaf(path) if schema else None
    return (
        AggregateOf(SUM, path, leaf.type if leaf else aggregate.type),
        AggregateOf(VALUES, path, whole),
        AggregateOf(COUNT, path, whole),
    )


def served(asked: AggregateOf, flowing: Iterable[AggregateOf]) -> tuple[AggregateOf, ...]:
    """The aggregates of a stream that give another one; none if they do not."""
    of_path = {each.function: each for each in flowing if each.path == asked.path}
    if asked.function in of_path:
        return (of_path[asked.function],)
    if AVG in of_path and asked.function in (SUM, COUNT, VALUES):
        return (of_path[AVG],)
    return ()
