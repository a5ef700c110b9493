"""Random statements about the streams R and S, which go by the names A and B."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from millstream.languages.tagql import syntax
from millstream.languages.tagql.words import TagField
from millstream.model.tags.duration import SECOND
from millstream.testing.tags.strategies.predicates import (
    conditions,
    data_predicates,
    name,
    pair_likenesses,
    tag_likenesses,
    tag_pairs,
    tag_predicates,
)
from millstream.testing.tags.strategies.streams import STREAMS

_LENGTHS = (SECOND, 3 * SECOND, 10 * SECOND)
_WINDOWS = st.sampled_from(_LENGTHS)


def _columns(*sources: str) -> SearchStrategy[tuple[syntax.Column | syntax.AllColumns, ...]]:
    names = [name(source, each) for source in sources for each in ("k", "n", "loc")]
    computed = syntax.Arithmetic("+", name(sources[0], "n"), name(sources[-1], "n"))
    values = st.sampled_from([*names, computed])
    column = st.builds(syntax.Column, values) | st.just(syntax.AllColumns())
    return st.lists(column, min_size=1, max_size=3).map(tuple)


_A = st.tuples(st.builds(syntax.Source, st.just("R"), st.just("A"), st.none() | _WINDOWS))
_ON_A = conditions(data_predicates("A"), tag_predicates("A"))
_MAYBE_ON_A = st.none() | _ON_A
_EQUAL_KEYS = syntax.Compare("=", name("A", "k"), name("B", "k"))
_AGGREGATES = st.lists(
    st.builds(
        syntax.Column,
        st.one_of(
            st.just(syntax.Call("COUNT", (syntax.Star(),))),
            st.builds(
                syntax.Call,
                st.sampled_from(("COUNT", "SUM", "AVG", "MIN", "MAX")),
                st.just((name("A", "n"),)),
            ),
        ),
    ),
    min_size=1,
    max_size=2,
).map(tuple)


def tag_selections() -> SearchStrategy[syntax.Statement]:
    """SELECT TAGS and SELECT TAGGED OBJECTS of one stream."""
    return st.builds(syntax.SelectTags, _A, _MAYBE_ON_A) | st.builds(
        syntax.SelectTagged, _A, _MAYBE_ON_A, st.booleans()
    )


def selections() -> SearchStrategy[syntax.Statement]:
    """SELECT of one stream, without aggregates."""
    return st.builds(syntax.Select, _columns("A"), _A, _MAYBE_ON_A, st.none(), st.booleans())


def _two_sources() -> SearchStrategy[tuple[syntax.Source, ...]]:
    return st.tuples(
        st.builds(syntax.Source, st.just("R"), st.just("A"), _WINDOWS),
        st.builds(syntax.Source, st.sampled_from(STREAMS), st.just("B"), _WINDOWS),
    )


def joins() -> SearchStrategy[syntax.Statement]:
    """SELECT of two streams, often with equal keys."""
    other = conditions(data_predicates("A"), data_predicates("B"), tag_predicates("B"))
    both = st.builds(lambda each: syntax.And((_EQUAL_KEYS, each)), other)
    condition = st.one_of(st.just(_EQUAL_KEYS), both, other)
    return st.builds(
        syntax.Select, _columns("A", "B"), _two_sources(), condition, st.none(), st.booleans()
    )


def tag_joins() -> SearchStrategy[syntax.Statement]:
    """SELECT TAGGED OBJECTS of two streams."""
    alike = tag_pairs("A", "B")
    more = conditions(data_predicates("A"), tag_predicates("B"), tag_pairs("A", "B"))
    condition = alike | st.builds(lambda one, other: syntax.And((one, other)), alike, more)
    return st.builds(syntax.SelectTagged, _two_sources(), condition)


def aggregations() -> SearchStrategy[syntax.Statement]:
    """SELECT with aggregates, grouped by an attribute or not."""
    key = name("A", "k")
    grouping = syntax.GroupByNames((key,))
    plain = st.builds(syntax.Select, _AGGREGATES, _A, _MAYBE_ON_A, st.none(), st.booleans())
    with_key = _AGGREGATES.map(lambda columns: (syntax.Column(key), *columns))
    return plain | st.builds(
        syntax.Select, with_key, _A, _MAYBE_ON_A, st.just(grouping), st.booleans()
    )


def tag_aggregations() -> SearchStrategy[syntax.Statement]:
    """SELECT … GROUP BY TAGS."""
    groupings = st.one_of(
        st.builds(syntax.GroupByTags, untagged=st.booleans()),
        st.builds(syntax.GroupByTags, st.just(syntax.Likeness.DICTIONARY), st.none()),
        _by_objects(),
    )
    return _grouped_by_tags(groupings)


def likenesses() -> SearchStrategy[syntax.Statement]:
    """Statements of all kinds that compare contents by the objects they have in common."""
    return st.one_of(
        st.builds(syntax.SelectTags, _A, tag_likenesses("A")),
        st.builds(syntax.SelectTagged, _A, tag_likenesses("A"), st.booleans()),
        st.builds(syntax.SelectTagged, _two_sources(), pair_likenesses("A", "B")),
        _grouped_by_tags(_by_objects()),
    )


def _by_objects() -> SearchStrategy[syntax.GroupByTags]:
    return st.builds(
        syntax.GroupByTags,
        st.just(syntax.Likeness.JACCARD),
        st.sampled_from(("0.3", "0.5", "1")),
        st.booleans(),
    )


def _grouped_by_tags(
    groupings: SearchStrategy[syntax.GroupByTags],
) -> SearchStrategy[syntax.Statement]:
    label = syntax.Column(syntax.TagReference(TagField.CONTENT))
    columns = _AGGREGATES.map(lambda columns: (label, *columns))
    return st.builds(syntax.Select, columns, _A, _MAYBE_ON_A, groupings, st.booleans())


def with_sibling(
    kind: SearchStrategy[syntax.Statement],
) -> SearchStrategy[tuple[syntax.Statement, syntax.Statement]]:
    """A statement beside another that keeps the same of tuples, but for other windows or tags."""
    return kind.flatmap(lambda one: st.tuples(st.just(one), _siblings(one)))


def _siblings(statement: syntax.Statement) -> SearchStrategy[syntax.Statement]:
    match statement:
        case syntax.Select(sources=sources) | syntax.SelectTagged(sources=(_,) as sources):
            return st.builds(
                lambda others, tags: replace(statement, sources=others, with_tags=tags),
                _other_windows(sources),
                st.booleans(),
            )
        case syntax.SelectTags(sources=sources) | syntax.SelectTagged(sources=sources):
            return _other_windows(sources).map(lambda others: replace(statement, sources=others))
    return st.just(statement)


def _other_windows(
    sources: tuple[syntax.Source, ...],
) -> SearchStrategy[tuple[syntax.Source, ...]]:
    def other(source: syntax.Source) -> SearchStrategy[syntax.Source]:
        lengths = [each for each in _LENGTHS if each != source.window]
        return st.builds(replace, st.just(source), window=st.sampled_from(lengths))

    return st.tuples(*(other(each) for each in sources))
