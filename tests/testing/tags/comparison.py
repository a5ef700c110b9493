"""Answers of the reference and of SQL in one form."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from millstream.languages.tagql import syntax, unparse
from millstream.model.tags import PlacedTag
from millstream.testing.tags import Relation, TaggedPair, answer
from millstream.testing.tags.sources import Streams
from millstream.testing.tags.sql import answer_in_sql
from millstream.testing.tags.sql.answering import SqlPairs, SqlRows


def assert_same_answer(statement: syntax.Statement, streams: Streams) -> None:
    """The reference and SQL give the same answer to a statement."""
    given = answer(statement, streams)
    expected = in_one_form(answer_in_sql(statement, streams))
    assert in_one_form(given) == expected, unparse(statement)


def in_one_form(given: Any) -> Any:
    match given:
        case Relation():
            return _rows(given)
        case SqlRows(values, tags):
            plain = {origin: tuple(map(_plain, row)) for origin, row in values.items()}
            return plain, tags
        case SqlPairs(matches):
            return _gathered(matches)
        case (TaggedPair(), *_):
            return {
                (pair.left.position, pair.right.position): (
                    frozenset(map(_key, pair.left_tags)),
                    frozenset(map(_key, pair.right_tags)),
                )
                for pair in given
            }
        case () | (tuple(), *_):
            return given or {}
    return tuple(map(_key, given))


def _rows(relation: Relation) -> Any:
    values, tags = {}, set()
    for row in relation:
        origin = tuple(position for _, position in row.origin)
        values[origin] = tuple(map(_plain, row.values))
        for number, attribute in enumerate(relation.attributes):
            tags |= {
                (origin, number, _key(mark.tag))
                for mark in row.marks
                if mark.attribute == attribute
            }
    return values, frozenset(tags)


def _gathered(matches: frozenset[Any]) -> Any:
    found: dict[Any, tuple[set[Any], set[Any]]] = {}
    for positions, left, right in matches:
        mine, theirs = found.setdefault(positions, (set(), set()))
        mine.add(left)
        theirs.add(right)
    return {key: tuple(map(frozenset, pair)) for key, pair in found.items()}


def _key(tag: PlacedTag) -> tuple[str, int]:
    return tag.stream, tag.position


def _plain(value: object) -> object:
    match value:
        case int() | float() | Decimal():
            return round(float(value), 9)
        case datetime():
            return value.isoformat()
    return value
