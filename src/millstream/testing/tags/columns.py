"""The columns of a SELECT, as projections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.languages.tagql import syntax
from millstream.languages.tagql.unparsed_expressions import unparse_value
from millstream.testing.tags.expressions import evaluate
from millstream.testing.tags.operators import ProjectedColumn
from millstream.testing.tags.relation import Datum, Relation, Row
from millstream.testing.tags.sources import Sources


def column_name(column: syntax.Column) -> str:
    """What a column is called: its alias, else as it is written."""
    return column.alias or unparse_value(column.value)


def projected_columns(
    statement: syntax.Select, sources: Sources, rows: Relation
) -> list[ProjectedColumn]:
    """How the columns of a statement without aggregates come from rows."""
    return [
        projected
        for column in statement.columns
        for projected in _projected(column, statement, sources, rows)
    ]


def attribute_column(name: str, attribute: str, rows: Relation) -> ProjectedColumn:
    """An attribute under a name."""
    return ProjectedColumn(name, lambda row: rows.value(row, attribute), frozenset({attribute}))


def _projected(
    column: syntax.Column | syntax.AllColumns,
    statement: syntax.Select,
    sources: Sources,
    rows: Relation,
) -> Iterable[ProjectedColumn]:
    match column:
        case syntax.AllColumns():
            return _all_columns(column, sources, rows)
        case syntax.Column():
            return (_column(column, statement, sources),)


def _all_columns(
    column: syntax.AllColumns, sources: Sources, rows: Relation
) -> Iterator[ProjectedColumn]:
    prefix = f"{column.source}." if column.source and sources.joined else ""
    for name in rows.attributes:
        if name.startswith(prefix):
            yield attribute_column(name, name, rows)


def _column(column: syntax.Column, statement: syntax.Select, sources: Sources) -> ProjectedColumn:
    names = (each for each in syntax.walk(column.value) if isinstance(each, syntax.Name))
    used = frozenset(
        sources.joined_name(sources.scope.attribute(name), statement.condition) for name in names
    )

    def compute(row: Row) -> Datum:
        return evaluate(column.value, sources.situation(sources.originals(row)))

    return ProjectedColumn(column_name(column), compute, used)
