"""SELECT with aggregates in SQL: by attributes, and row by row by tags."""

from __future__ import annotations

import sqlite3

from millstream.languages.tagql import syntax
from millstream.languages.tagql.words import AGGREGATES
from millstream.testing.tags.sql.answering import Positions, SqlRows, SqlSources, TagKey
from millstream.testing.tags.sql.conditions import Translation, jaccard
from millstream.testing.tags.sql.schema import quoted

_INSIDE = "u.position <= a.position"


def aggregated(statement: syntax.Select, sources: SqlSources) -> SqlRows:
    """For each row that passes, the answer of its group at that row."""
    (source,) = sources.listed
    connection, table = sources.connection, quoted(source.stream)
    connection.execute("DROP TABLE IF EXISTS kept")
    connection.execute(
        "CREATE TEMP TABLE kept AS SELECT a.position, NULL AS label"
        f" FROM {table} a WHERE {sources.filtered()}"
    )
    if isinstance(statement.grouping, syntax.GroupByTags):
        _label(connection, statement.grouping, source)
        same = "k.label = l.label"
    else:
        names = statement.grouping.names if statement.grouping else ()
        keys = [quoted(sources.scope.attribute(name).attribute) for name in names]
        same = " AND ".join(f"u.{key} IS a.{key}" for key in keys) or "1"
    return _answers(statement, sources, f"{same} AND {_in_window(source)}")


def _answers(statement: syntax.Select, sources: SqlSources, group: str) -> SqlRows:
    (source,) = sources.listed
    table = quoted(source.stream)
    rows = f"{table} a JOIN kept l ON l.position = a.position"
    members = f"{table} u JOIN kept k ON k.position = u.position"
    if isinstance(statement.grouping, syntax.GroupByTags):
        rows += " AND l.label IS NOT NULL"
    inner = Translation(sources.scope, {source.name: "u"})
    outer = Translation(sources.scope, {source.name: "a"})
    columns = ", ".join(
        _column(column, inner, outer, f"FROM {members} WHERE {group}")
        for column in statement.columns
        if isinstance(column, syntax.Column)
    )
    found = sources.run(f"SELECT a.position, {columns} FROM {rows}")
    values: dict[Positions, tuple[object, ...]] = {row[:1]: row[1:] for row in found}
    if not statement.with_tags:
        return SqlRows(values, frozenset())
    marks = sources.run(
        f"SELECT DISTINCT a.position, m.stream, m.tag FROM {rows}, {members},"
        f" marks m WHERE {group} AND m.stream = '{source.stream}' AND m.position = u.position"
    )
    tags: set[tuple[Positions, int, TagKey]] = {
        ((position,), number, (stream, tag))
        for position, stream, tag in marks
        for number in range(len(statement.columns))
    }
    return SqlRows(values, frozenset(tags))


def _column(column: syntax.Column, inner: Translation, outer: Translation, group: str) -> str:
    match column.value:
        case syntax.TagReference():
            return "l.label"
        case syntax.Call(function, (argument,)) if function in AGGREGATES:
            aggregate = f"(SELECT {function}({inner.value(argument)}) {group})"
            return f"COALESCE({aggregate}, 0)" if function == "SUM" else aggregate
        case value:
            return outer.value(value)


def _in_window(source: syntax.Source) -> str:
    if source.window is None:
        return _INSIDE
    return f"{_INSIDE} AND u.time <= a.time AND a.time < u.time + {source.window}"


def _label(
    connection: sqlite3.Connection, grouping: syntax.GroupByTags, source: syntax.Source
) -> None:
    """Give each row, in order, the label of the closest group that is in the window by then."""
    rows = connection.execute("SELECT position FROM kept ORDER BY position").fetchall()
    for (position,) in rows:
        found = connection.execute(_closest(grouping, source), {"at": position}).fetchone()
        label = found[0] if found else "" if grouping.untagged else None
        connection.execute("UPDATE kept SET label = ? WHERE position = ?", (label, position))


def _closest(grouping: syntax.GroupByTags, source: syntax.Source) -> str:
    """The labels that a row may get, the best first: of groups by closeness, then a new one."""
    table = quoted(source.stream)
    window = _in_window(source)
    present = (
        f"SELECT k.label, MIN(u.position) AS first FROM {table} a, {table} u"
        " JOIN kept k ON k.position = u.position"
        f" WHERE a.position = :at AND {window} AND k.label <> '' GROUP BY k.label"
    )
    contents = (
        "SELECT DISTINCT g.content, g.position FROM marks m"
        " JOIN tags g ON g.stream = m.stream AND g.position = m.tag"
        f" WHERE m.stream = '{source.stream}' AND m.position = :at"
    )
    objects = (
        "SELECT g.content, m.position || '/' || m.granularity || '/' || CASE"
        " WHEN m.granularity IN ('stream', 'tuple') THEN '' ELSE m.attribute END AS object"
        f" FROM {table} a, {table} u JOIN kept k ON k.position = u.position"
        f" JOIN marks m ON m.stream = '{source.stream}' AND m.position = u.position"
        " JOIN tags g ON g.stream = m.stream AND g.position = m.tag"
        f" WHERE a.position = :at AND {window}"
    )
    closeness, label = _closeness(grouping, objects)
    return (
        f"SELECT label FROM ("
        f"SELECT p.label, MAX({closeness}) AS closeness, p.first, 0 AS fresh"
        f" FROM ({present}) p, ({contents}) c GROUP BY p.label, p.first"
        f" HAVING closeness > 0"
        f" UNION ALL SELECT {label}, 0, c.position, 1 FROM ({contents}) c)"
        " ORDER BY fresh, closeness DESC, first LIMIT 1"
    )


def _closeness(grouping: syntax.GroupByTags, objects: str) -> tuple[str, str]:
    """How close a content is to a label, and the label of a new group."""
    meaning = (
        "COALESCE((SELECT meaning FROM thesaurus WHERE word = LOWER(TRIM(c.content))),"
        " LOWER(TRIM(c.content)))"
    )
    match grouping.likeness:
        case syntax.Likeness.EQUALITY:
            return "(c.content = p.label)", "c.content"
        case syntax.Likeness.DICTIONARY:
            return f"({meaning} = p.label)", meaning
        case syntax.Likeness.JACCARD:
            share = jaccard(objects, "c.content", "p.label")
            return f"CASE WHEN {share} >= {grouping.threshold} THEN {share} ELSE 0 END", "c.content"
        case syntax.Likeness.FUNCTION:
            near = f"{grouping.function}(c.content, p.label)"
            return f"CASE WHEN {near} >= {grouping.threshold} THEN {near} ELSE 0 END", "c.content"
