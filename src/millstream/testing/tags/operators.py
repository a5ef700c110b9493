"""Selection, projection and join of tagged rows, and selection of and by tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from millstream.model.tags import Mark, PlacedTag
from millstream.testing.tags.relation import Datum, Relation, Row

RowTest = Callable[[Row], bool]
MarkTest = Callable[[Row, Mark], bool]
PairTest = Callable[[Row, Row], bool]


def select_tags(relation: Relation, test: MarkTest) -> tuple[PlacedTag, ...]:
    """Each tag that is on a tuple in a way that passes, once, with the first such tuple."""
    found: dict[PlacedTag, None] = {}
    for row in relation:
        for tag in row.tags:
            if any(mark.tag == tag and test(row, mark) for mark in row.marks):
                found.setdefault(tag)
    return tuple(found)


def select_tagged(relation: Relation, test: MarkTest) -> Relation:
    """The rows with an object whose tag passes."""
    return select(relation, lambda row: any(test(row, mark) for mark in row.marks))


def select(relation: Relation, test: RowTest) -> Relation:
    """The rows that pass; a tag survives with the tuples it is on."""
    return replace(relation, rows=tuple(row for row in relation if test(row)))


@dataclass(frozen=True, slots=True)
class ProjectedColumn:
    """A column of the result: its name, how it is computed, and from which attributes."""

    name: str
    compute: Callable[[Row], Datum]
    sources: frozenset[str]


def project(relation: Relation, columns: Sequence[ProjectedColumn]) -> Relation:
    """New columns; a tag on an attribute is on all that is computed from it."""
    rows = tuple(
        replace(
            row,
            values=tuple(column.compute(row) for column in columns),
            marks=frozenset(
                replace(mark, attribute=column.name)
                for mark in row.marks
                for column in columns
                if mark.attribute in column.sources
            ),
        )
        for row in relation
    )
    return Relation(tuple(column.name for column in columns), rows)


def keep_attributes(relation: Relation, names: Iterable[str]) -> Relation:
    """Some attributes as they are."""
    columns = [
        ProjectedColumn(name, lambda row, name=name: relation.value(row, name), frozenset({name}))  # type: ignore[misc]
        for name in names
    ]
    return project(relation, columns)


@dataclass(frozen=True, slots=True)
class Side:
    """One of two relations that are joined: the name it goes by, and its window."""

    name: str
    relation: Relation
    window: int


def in_time(left: Row, left_window: int, right: Row, right_window: int) -> bool:
    """True when the earlier of two rows is still in its window at the time of the later."""
    return (
        left.time <= right.time < left.time + left_window
        or right.time <= left.time < right.time + right_window
    )


def pairs(left: Side, right: Side, test: PairTest) -> list[tuple[Row, Row]]:
    """The rows that meet within the windows and pass, each pair once, with the later row."""
    found = [
        (one, other)
        for one in left.relation
        for other in right.relation
        if in_time(one, left.window, other, right.window) and test(one, other)
    ]
    return sorted(found, key=lambda pair: sorted(map(moment, pair, (0, 1)), reverse=True))


def moment(row: Row, side: int) -> tuple[int, int, int]:
    """When a row of one of two streams comes: by time, then by stream, then by position."""
    return row.time, side, row.position


def join(
    left: Side, right: Side, test: PairTest, merged: Mapping[str, str] | None = None
) -> Relation:
    """Both rows of each pair as one; attributes go by the name of their side.

    Attributes that the join makes equal, right ones by left ones, are one attribute: that of the
    left side, with the tags of both.
    """
    equal = dict(merged or {})
    own = {name: f"{left.name}.{name}" for name in left.relation.attributes}
    others = {
        name: own[equal[name]] if name in equal else f"{right.name}.{name}"
        for name in right.relation.attributes
    }
    kept = [name for name in right.relation.attributes if name not in equal]
    attributes = (*own.values(), *(others[name] for name in kept))
    rows = tuple(
        Row(
            max(one.time, other.time),
            one.origin + other.origin,
            (*one.values, *(right.relation.value(other, name) for name in kept)),
            _renamed(one, own) | _renamed(other, others),
        )
        for one, other in pairs(left, right, test)
    )
    return Relation(attributes, rows)


def _renamed(row: Row, names: Mapping[str, str]) -> frozenset[Mark]:
    return frozenset(replace(mark, attribute=names[mark.attribute]) for mark in row.marks)
