"""The same statements in plain SQL: a second opinion on what tags mean."""

from __future__ import annotations

from millstream.languages.tagql import check, syntax
from millstream.model.tags import Thesaurus
from millstream.testing.tags.aggregated_answers import is_aggregated
from millstream.testing.tags.sources import Streams
from millstream.testing.tags.sql.aggregations import aggregated
from millstream.testing.tags.sql.answering import SqlAnswer, SqlSources, open_streams
from millstream.testing.tags.sql.selections import (
    joined_by_tags,
    selected,
    selected_tagged,
    selected_tags,
)

__all__ = ["answer_in_sql"]


def answer_in_sql(
    statement: syntax.Statement, streams: Streams, thesaurus: Thesaurus | None = None
) -> SqlAnswer:
    """What SQLite answers to a SELECT statement."""
    check(statement, {name: stream.shape for name, stream in streams.items()})
    if isinstance(statement, syntax.AttachTag):
        raise TypeError("ATTACH TAG has no answer")
    sources = SqlSources(open_streams(streams, thesaurus), statement, streams)
    match statement:
        case syntax.SelectTags():
            return selected_tags(sources)
        case syntax.SelectTagged() if sources.joined:
            return joined_by_tags(sources)
        case syntax.SelectTagged(with_tags=with_tags):
            return selected_tagged(sources, with_tags)
        case syntax.Select() if is_aggregated(statement):
            return aggregated(statement, sources)
        case syntax.Select():
            return selected(statement, sources)
