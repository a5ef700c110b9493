"""Statements of TAG-QL, answered by SQLite over the relation (tuple, attribute, tag)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from millstream.languages.tagql import Scope, syntax
from millstream.model.tags import TagFunction, Thesaurus, emotions
from millstream.testing.tags.situation import tagged_sources
from millstream.testing.tags.sources import Streams
from millstream.testing.tags.sql.conditions import Translation
from millstream.testing.tags.sql.resolution import resolve_in_sql
from millstream.testing.tags.sql.schema import open_database, quoted

ALIASES = ("a", "b")

Positions = tuple[int, ...]
"""The positions of the tuples that a row is made of."""

TagKey = tuple[str, int]
"""The stream and position of a tag."""


@dataclass(frozen=True, slots=True)
class SqlRows:
    """Rows by what they are made of, and the tags on each of their columns."""

    values: Mapping[Positions, tuple[object, ...]]
    tags: frozenset[tuple[Positions, int, TagKey]]


@dataclass(frozen=True, slots=True)
class SqlPairs:
    """For two tuples that were joined by tags, those tags, the left and the right one."""

    matches: frozenset[tuple[Positions, TagKey, TagKey]]


SqlAnswer = tuple[TagKey, ...] | SqlRows | SqlPairs


def open_streams(
    streams: Streams,
    thesaurus: Thesaurus | None = None,
    functions: Mapping[str, TagFunction] = MappingProxyType({}),
) -> sqlite3.Connection:
    """A database of some streams in which it is resolved what each tag marks."""
    loaded = {name: (each.shape, each.elements) for name, each in streams.items()}
    connection = open_database(loaded, thesaurus or emotions())
    for name, function in functions.items():
        connection.create_function(name, 2, function, deterministic=True)
    resolve_in_sql(connection)
    return connection


class SqlSources:
    """The sources of a statement as tables."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        statement: syntax.Select | syntax.SelectTags | syntax.SelectTagged,
        streams: Streams,
    ) -> None:
        self.connection = connection
        self.listed = statement.sources
        self.condition = statement.condition
        self.scope = Scope.of(self.listed, {name: each.shape for name, each in streams.items()})
        self.aliases = {
            source.name: alias for source, alias in zip(self.listed, ALIASES, strict=False)
        }

    @property
    def joined(self) -> bool:
        return len(self.listed) > 1

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql).fetchall()

    def translation(self) -> Translation:
        return Translation(self.scope, self.aliases, self._present_objects())

    def tables(self) -> str:
        """The tables of all sources; those of a join within their windows."""
        named = (f"{quoted(each.stream)} {self.aliases[each.name]}" for each in self.listed)
        return " JOIN ".join(named) + (f" ON {self._in_time()}" if self.joined else "")

    def marked(self, sources: Iterable[str]) -> str:
        """The tables of the marks on some sources, and of their tags."""
        streams = {each.name: each.stream for each in self.listed}
        return ", ".join(
            f"(SELECT * FROM marks WHERE stream = '{streams[name]}') m_{alias}, tags g_{alias}"
            for name in sources
            for alias in (self.aliases[name],)
        )

    def linked(self, sources: Iterable[str]) -> str:
        """The condition that marks and tags belong to the rows of some sources."""
        return " AND ".join(
            f"m_{alias}.position = {alias}.position AND g_{alias}.stream = m_{alias}.stream"
            f" AND g_{alias}.position = m_{alias}.tag"
            for name in sources
            for alias in (self.aliases[name],)
        )

    def filtered(self) -> str:
        """The condition that a row, or a pair of rows, passes with some of its tags."""
        if self.condition is None:
            return "1"
        passes = self.translation().condition(self.condition)
        asked = sorted(tagged_sources(self.condition, self.scope))
        if not asked:
            return passes
        where = f"{self.linked(asked)} AND {passes}"
        return f"EXISTS (SELECT 1 FROM {self.marked(asked)} WHERE {where})"

    def _in_time(self) -> str:
        one, other = (each.window for each in self.listed)
        return (
            f"((a.time <= b.time AND b.time < a.time + {one})"
            f" OR (b.time <= a.time AND a.time < b.time + {other}))"
        )

    def _present_objects(self) -> str:
        if not self.joined:
            (source,) = self.listed
            only = f"m.stream = '{source.stream}' AND m.position <= a.position"
            if source.window is not None:
                only += f" AND u.time <= a.time AND a.time < u.time + {source.window}"
            return f"{TAGGED_OBJECTS} WHERE {only}"
        sides = (
            f"m.stream = '{each.stream}' AND MAX(a.time, b.time) < u.time + {each.window} AND"
            f" ((u.time, {side}, u.position) <= (a.time, 0, a.position)"
            f" OR (u.time, {side}, u.position) <= (b.time, 1, b.position))"
            for side, each in enumerate(self.listed)
        )
        return " UNION ".join(f"{TAGGED_OBJECTS} WHERE {side}" for side in sides)


TAGGED_OBJECTS = """
    SELECT g.content, m.stream || '/' || m.position || '/' || m.granularity || '/' ||
        CASE WHEN m.granularity IN ('stream', 'tuple') THEN '' ELSE m.attribute END AS object
    FROM marks m
    JOIN tags g ON g.stream = m.stream AND g.position = m.tag
    JOIN tuples u ON u.stream = m.stream AND u.position = m.position"""
