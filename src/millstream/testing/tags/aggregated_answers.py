"""SELECT with aggregates, by attributes and by tags."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from millstream.languages.tagql import syntax
from millstream.languages.tagql.unparsed_expressions import unparse_value
from millstream.languages.tagql.words import AGGREGATES
from millstream.testing.tags.aggregation import (
    AggregateColumn,
    TagGrouping,
    aggregate,
    aggregate_by_tags,
    last_answers,
)
from millstream.testing.tags.columns import attribute_column, column_name
from millstream.testing.tags.expressions import evaluate
from millstream.testing.tags.likeness import (
    by_dictionary,
    by_equality,
    by_function,
    by_jaccard,
)
from millstream.testing.tags.operators import ProjectedColumn, project
from millstream.testing.tags.relation import Datum, Relation, Row
from millstream.testing.tags.sources import Sources


def is_aggregated(statement: syntax.Select) -> bool:
    """True when a statement asks for groups, or for an aggregate of everything."""
    return statement.grouping is not None or any(True for _ in _calls(statement))


def aggregated(statement: syntax.Select, sources: Sources, rows: Relation) -> Relation:
    """The answers of the groups: one for each row that brings a new one, once the last of each."""
    window = sources.listed[0].window
    columns = [_aggregate_column(call, sources) for call in _calls(statement)]
    match statement.grouping:
        case syntax.GroupByTags() as grouping:
            keys = ["TAG"]
            answers = aggregate_by_tags(rows, window, _tag_grouping(grouping, sources), columns)
        case grouping:
            names = grouping.names if grouping else ()
            keys = [sources.scope.attribute(name).attribute for name in names]
            answers = aggregate(rows, window, keys, columns)
    if sources.once:
        answers = last_answers(answers, len(keys))
    return project(answers, list(_answer_columns(statement, sources, answers)))


def _calls(statement: syntax.Select) -> Iterator[syntax.Call]:
    for column in statement.columns:
        for each in syntax.walk(column):
            if isinstance(each, syntax.Call) and each.function in AGGREGATES:
                yield each


def _aggregate_column(call: syntax.Call, sources: Sources) -> AggregateColumn:
    name = sources.listed[0].name

    def of(row: Row) -> Datum:
        return evaluate(call.arguments[0], sources.situation({name: row}))

    return AggregateColumn(unparse_value(call), call.function, of)


def _answer_columns(
    statement: syntax.Select, sources: Sources, answers: Relation
) -> Iterator[ProjectedColumn]:
    for column in statement.columns:
        match column:
            case syntax.Column(syntax.Name() as name):
                found = sources.scope.attribute(name).attribute
                yield attribute_column(column_name(column), found, answers)
            case syntax.Column(syntax.TagReference()):
                yield attribute_column(column_name(column), "TAG", answers)
            case syntax.Column(value):
                yield attribute_column(column_name(column), unparse_value(value), answers)


def _tag_grouping(grouping: syntax.GroupByTags, sources: Sources) -> TagGrouping:
    match grouping.likeness:
        case syntax.Likeness.EQUALITY:
            return TagGrouping(by_equality, untagged=grouping.untagged)
        case syntax.Likeness.DICTIONARY:
            thesaurus = sources.thesaurus
            return TagGrouping(by_dictionary(thesaurus), thesaurus.meaning, grouping.untagged)
        case syntax.Likeness.JACCARD:
            closeness = by_jaccard(Fraction(grouping.threshold or "0"))
            return TagGrouping(closeness, untagged=grouping.untagged)
        case syntax.Likeness.FUNCTION:
            function = sources.functions[grouping.function or ""]
            closeness = by_function(function, Fraction(grouping.threshold or "0"))
            return TagGrouping(closeness, untagged=grouping.untagged)
