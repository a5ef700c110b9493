"""Aggregates over windows: by attributes, and by tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from millstream.model.tags import Granularity, Mark
from millstream.testing.tags.likeness import Closeness, TaggedObjects
from millstream.testing.tags.relation import Datum, Relation, Row

UNTAGGED = ""
"""The group of rows without tags."""


@dataclass(frozen=True, slots=True)
class AggregateColumn:
    """A column of the result: its name, a function, and the values it is of."""

    name: str
    function: str
    of: Callable[[Row], Datum]


def window_at(relation: Relation, row: Row, window: int | None) -> tuple[Row, ...]:
    """The rows that have come up to a row, itself included, and are in the window at its time."""
    return tuple(
        each
        for each in relation
        if each.position <= row.position
        and (window is None or each.time <= row.time < each.time + window)
    )


def aggregate(
    relation: Relation,
    window: int | None,
    keys: Sequence[str],
    columns: Sequence[AggregateColumn],
) -> Relation:
    """For each row the new answer of its group, which replaces the one before.

    Every tag on any object of the group's rows in the window is on the answer.
    """

    def key(row: Row) -> tuple[Datum, ...]:
        return tuple(relation.value(row, name) for name in keys)

    names = (*keys, *(column.name for column in columns))
    rows = []
    for row in relation:
        group = [each for each in window_at(relation, row, window) if key(each) == key(row)]
        rows.append(_answer(row, key(row), group, columns, names))
    return Relation(names, tuple(rows))


@dataclass(frozen=True, slots=True)
class TagGrouping:
    """How rows find their group: by closeness, and what a group is called."""

    closeness: Closeness
    label: Callable[[str], str] = str
    untagged: bool = False


def aggregate_by_tags(
    relation: Relation,
    window: int | None,
    grouping: TagGrouping,
    columns: Sequence[AggregateColumn],
) -> Relation:
    """For each row the new answer of the group that its tags bring it to."""
    names = ("TAG", *(column.name for column in columns))
    groups: dict[int, str] = {}
    rows = []
    for row in relation:
        present = window_at(relation, row, window)
        group = _group_of(row, present, groups, grouping)
        if group is None:
            continue
        groups[row.position] = group
        members = [each for each in present if groups.get(each.position) == group]
        rows.append(_answer(row, (group,), members, columns, names))
    return Relation(names, tuple(rows))


def last_answers(answers: Relation, keys: int) -> Relation:
    """The last answer of each group, whose first columns tell which it is."""
    last = {row.values[:keys]: row for row in answers}
    return replace(answers, rows=tuple(row for row in answers if last[row.values[:keys]] is row))


def _group_of(
    row: Row, present: Sequence[Row], groups: dict[int, str], grouping: TagGrouping
) -> str | None:
    """The closest of the groups in the window, the first among equals; else a new one."""
    contents = [tag.tag.content for tag in row.tags]
    if not contents:
        return UNTAGGED if grouping.untagged else None
    objects = TaggedObjects(present)
    known = dict.fromkeys(
        groups[each.position] for each in present if groups.get(each.position, UNTAGGED)
    )
    best, closest = None, Fraction(0)
    for group in known:
        closeness = max(grouping.closeness(content, group, objects) for content in contents)
        if closeness > closest:
            best, closest = group, closeness
    return grouping.label(contents[0]) if best is None else best


def _answer(
    row: Row,
    key: tuple[Datum, ...],
    group: Sequence[Row],
    columns: Sequence[AggregateColumn],
    names: Sequence[str],
) -> Row:
    values = tuple(_aggregated(column, group) for column in columns)
    tags = {mark.tag for each in group for mark in each.marks}
    marks = frozenset(Mark(name, Granularity.TUPLE, tag) for name in names for tag in tags)
    return replace(row, values=(*key, *values), marks=marks)


def _aggregated(column: AggregateColumn, group: Iterable[Row]) -> Datum:
    values = [value for row in group if (value := column.of(row)) is not None]
    match column.function:
        case "COUNT":
            return len(values)
        case "SUM":
            return sum(_numbers(values), Decimal(0))
        case "AVG":
            numbers = list(_numbers(values))
            return sum(numbers, Decimal(0)) / len(numbers) if numbers else None
        case function:
            choose = min if function == "MIN" else max
            return choose(values) if values else None


def _numbers(values: Iterable[Datum]) -> Iterator[Decimal]:
    for value in values:
        if isinstance(value, int | float | Decimal):
            yield Decimal(value)
