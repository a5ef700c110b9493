"""SELECT TAGS, SELECT TAGGED OBJECTS and SELECT without aggregates, in SQL."""

from __future__ import annotations

from millstream.languages.tagql import syntax
from millstream.testing.tags.sql.answering import (
    Positions,
    SqlPairs,
    SqlRows,
    SqlSources,
    TagKey,
)


def selected_tags(sources: SqlSources) -> tuple[TagKey, ...]:
    """Each tag that passes, with the first tuple."""
    (source,) = sources.listed
    passes = sources.translation().condition(sources.condition) if sources.condition else "1"
    found = sources.run(
        f"SELECT m_a.stream, m_a.tag FROM {sources.tables()}, {sources.marked([source.name])}"
        f" WHERE {sources.linked([source.name])} AND {passes}"
        " GROUP BY m_a.stream, m_a.tag ORDER BY MIN(a.position), m_a.tag"
    )
    return tuple(_key(*row) for row in found)


def selected_tagged(sources: SqlSources, with_tags: bool) -> SqlRows:
    """Tuples with a tag that passes, with all their attributes."""
    (source,) = sources.listed
    names = sources.scope.shapes[source.name].names
    columns = [syntax.Column(syntax.Name((name,))) for name in names]
    passes = sources.translation().condition(sources.condition) if sources.condition else "1"
    exists = (
        f"EXISTS (SELECT 1 FROM {sources.marked([source.name])}"
        f" WHERE {sources.linked([source.name])} AND {passes})"
    )
    return _rows(sources, columns, exists, with_tags)


def joined_by_tags(sources: SqlSources) -> SqlPairs:
    """Pairs of tuples, within the windows, with the tags that pass."""
    names = [each.name for each in sources.listed]
    passes = sources.translation().condition(sources.condition) if sources.condition else "1"
    found = sources.run(
        "SELECT DISTINCT a.position, b.position, m_a.stream, m_a.tag, m_b.stream, m_b.tag"
        f" FROM {sources.tables()}, {sources.marked(names)}"
        f" WHERE {sources.linked(names)} AND {passes}"
    )
    return SqlPairs(frozenset((row[:2], _key(*row[2:4]), _key(*row[4:])) for row in found))


def selected(statement: syntax.Select, sources: SqlSources) -> SqlRows:
    """The columns of the rows that pass."""
    columns = [each for column in statement.columns for each in _expanded(column, sources)]
    return _rows(sources, columns, sources.filtered(), statement.with_tags)


def _expanded(
    column: syntax.Column | syntax.AllColumns, sources: SqlSources
) -> list[syntax.Column]:
    if isinstance(column, syntax.Column):
        return [column]
    merged = {(place, name) for _, (place, name) in equalities(sources)}
    return [
        syntax.Column(syntax.Name((source.name, name)))
        for source in sources.listed
        if column.source in (None, source.name)
        for name in sources.scope.shapes[source.name].names
        if (source.name, name) not in merged
    ]


Place = tuple[str, str]
"""A source and an attribute of it."""


def equalities(sources: SqlSources) -> list[tuple[Place, Place]]:
    """The attributes that a join makes equal: one of the left source, and one of the right."""
    condition = sources.condition
    conjuncts = condition.operands if isinstance(condition, syntax.And) else (condition,)
    found: list[tuple[Place, Place]] = []
    for each in conjuncts:
        if not isinstance(each, syntax.Compare) or each.operator != "=" or not sources.joined:
            continue
        if isinstance(each.left, syntax.Name) and isinstance(each.right, syntax.Name):
            ends = [sources.scope.attribute(side) for side in (each.left, each.right)]
            places = [(end.source, end.attribute) for end in ends]
            places.sort(key=lambda place: sources.aliases[place[0]])
            fresh = places[1] not in (right for _, right in found)
            if places[0][0] != places[1][0] and fresh:
                found.append((places[0], places[1]))
    return found


def _rows(
    sources: SqlSources, columns: list[syntax.Column], where: str, with_tags: bool
) -> SqlRows:
    translation = sources.translation()
    positions = ", ".join(f"{alias}.position" for alias in sources.aliases.values())
    values = ", ".join(translation.value(column.value) for column in columns)
    count = len(sources.listed)
    found = sources.run(f"SELECT {positions}, {values} FROM {sources.tables()} WHERE {where}")
    tags: set[tuple[Positions, int, TagKey]] = set()
    for number, column in enumerate(columns if with_tags else ()):
        for source, attribute in _sources_of(column, sources):
            alias = sources.aliases[source]
            marks = sources.run(
                f"SELECT {positions}, t_{alias}.stream, t_{alias}.tag"
                f" FROM {sources.tables()}, marks t_{alias}"
                f" WHERE t_{alias}.position = {alias}.position"
                f" AND t_{alias}.stream = '{_stream(source, sources)}'"
                f" AND t_{alias}.attribute = '{attribute}' AND {where}"
            )
            tags |= {(row[:count], number, _key(*row[count:])) for row in marks}
    return SqlRows({row[:count]: row[count:] for row in found}, frozenset(tags))


def _sources_of(column: syntax.Column, sources: SqlSources) -> set[Place]:
    """The attributes whose tags are on a column: those it is made of, and their equals."""
    named = {
        (found.source, found.attribute)
        for each in syntax.walk(column.value)
        if isinstance(each, syntax.Name)
        for found in (sources.scope.attribute(each),)
    }
    pairs = equalities(sources)
    lefts = {left for left, right in pairs if right in named} | named
    return lefts | {right for left, right in pairs if left in lefts}


def _stream(source: str, sources: SqlSources) -> str:
    return next(each.stream for each in sources.listed if each.name == source)


def _key(stream: str, position: int) -> TagKey:
    return stream, position
