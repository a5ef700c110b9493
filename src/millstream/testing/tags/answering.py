"""Statements of TAG-QL, answered in plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from millstream.languages.tagql import check, syntax
from millstream.model.tags import Mark, PlacedTag, TagFunction, Thesaurus, emotions
from millstream.testing.tags.aggregated_answers import aggregated, is_aggregated
from millstream.testing.tags.columns import projected_columns
from millstream.testing.tags.expressions import holds
from millstream.testing.tags.likeness import TaggedObjects
from millstream.testing.tags.operators import (
    MarkTest,
    join,
    project,
    select,
    select_tagged,
    select_tags,
)
from millstream.testing.tags.relation import Relation, Row
from millstream.testing.tags.sources import Sources, Streams
from millstream.testing.tags.tag_join import TaggedPair, join_by_tags, present_objects

Answer = tuple[PlacedTag, ...] | Relation | tuple[TaggedPair, ...]


def answer(
    statement: syntax.Statement,
    streams: Streams,
    thesaurus: Thesaurus | None = None,
    functions: Mapping[str, TagFunction] = MappingProxyType({}),
    *,
    once: bool = False,
) -> Answer:
    """The tags, rows or pairs of tuples that a SELECT statement asks for, continuously or once."""
    check(statement, {name: stream.shape for name, stream in streams.items()})
    if isinstance(statement, syntax.AttachTag):
        raise TypeError("ATTACH TAG gives a stream, not an answer: see attach")
    words = thesaurus or emotions()
    sources = Sources(statement.sources, streams, words, functions, once=once)
    match statement:
        case syntax.SelectTags():
            return select_tags(sources.only, _mark_test(statement.condition, sources))
        case syntax.SelectTagged() if sources.joined:
            return _joined_by_tags(statement.condition, sources)
        case syntax.SelectTagged():
            rows = select_tagged(sources.only, _mark_test(statement.condition, sources))
        case syntax.Select():
            rows = _selected(statement, sources)
    return rows if statement.with_tags else untagged(rows)


def untagged(relation: Relation) -> Relation:
    """The same rows without their tags."""
    return replace(relation, rows=tuple(replace(row, marks=frozenset()) for row in relation))


def _mark_test(condition: syntax.Condition | None, sources: Sources) -> MarkTest:
    name = sources.listed[0].name

    def test(row: Row, mark: Mark) -> bool:
        situation = sources.situation({name: row}, {name: mark}, sources.so_far(row))
        return condition is None or holds(condition, situation)

    return test


def _selected(statement: syntax.Select, sources: Sources) -> Relation:
    rows = _joined(statement, sources) if sources.joined else _filtered(statement, sources)
    if is_aggregated(statement):
        return aggregated(statement, sources, rows)
    return project(rows, projected_columns(statement, sources, rows))


def _filtered(statement: syntax.Select, sources: Sources) -> Relation:
    name = sources.listed[0].name

    def test(row: Row) -> bool:
        return sources.exists(statement.condition, {name: row}, sources.so_far(row))

    return select(sources.only, test)


def _joined(statement: syntax.Select, sources: Sources) -> Relation:
    left, right = sources.sides()

    def test(one: Row, other: Row) -> bool:
        rows = {left.name: one, right.name: other}
        objects = present_objects(left, right, one, other)
        return sources.exists(statement.condition, rows, objects)

    return join(left, right, test, sources.merged(statement.condition))


def _joined_by_tags(condition: syntax.Condition | None, sources: Sources) -> tuple[TaggedPair, ...]:
    left, right = sources.sides()

    def test(one: Row, mine: Mark, other: Row, theirs: Mark, objects: TaggedObjects) -> bool:
        rows = {left.name: one, right.name: other}
        marks = {left.name: mine, right.name: theirs}
        return condition is None or holds(condition, sources.situation(rows, marks, objects))

    return join_by_tags(left, right, test)
