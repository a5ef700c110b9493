"""Statements of TAG-QL as queries of the algebra."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.algebra.expressions import (
    Expression,
    NewPair,
    NewTag,
    NewTuple,
    PathTo,
    Step,
    TupleColumn,
)
from millstream.algebra.operators import Construct, Operator, Query, Scan, Select
from millstream.algebra.tag_operators import (
    Attach,
    JoinTags,
    JoinTuples,
    SelectTagged,
    SelectTags,
    TagVariable,
    Tuples,
)
from millstream.algebra.walk import conjoin, conjuncts, free_variables
from millstream.errors import QueryError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.check import check
from millstream.languages.tagql.lowering.aggregates import (
    aggregated,
    answer_columns,
    is_aggregated,
)
from millstream.languages.tagql.lowering.catalog import Shapes, TupleCatalog
from millstream.languages.tagql.lowering.columns import Columns, merged_attributes, named
from millstream.languages.tagql.lowering.conditions import lower_condition
from millstream.languages.tagql.lowering.liveness import in_window
from millstream.languages.tagql.lowering.naming import Naming, tag_variable
from millstream.languages.tagql.scope import Scope
from millstream.model.schema import Path
from millstream.model.tags.vocabulary import EMOTIONS


def lower(
    statement: syntax.Statement,
    catalog: TupleCatalog,
    *,
    tagger: str = "query",
    dictionary: str = EMOTIONS,
    now: int | None = None,
) -> Query:
    """The algebra of a statement over the streams of a catalog.

    `tagger` is who attaches the tags of an ATTACH TAG statement. With a time that is `now`, the
    statement is asked once: of the tuples in windows then, and for the last answers of groups.
    """
    check(statement, Shapes(catalog))
    return Query((_Statements(catalog, tagger, dictionary, now).construct(statement),))


class _Statements:
    def __init__(
        self, catalog: TupleCatalog, tagger: str, dictionary: str, now: int | None
    ) -> None:
        self._catalog = catalog
        self._tagger = tagger
        self._dictionary = dictionary
        self._now = now

    def construct(self, statement: syntax.Statement) -> Construct:
        match statement:
            case syntax.AttachTag():
                return self._attached(statement)
            case syntax.SelectTags():
                return self._tags(statement)
            case syntax.SelectTagged(sources) if len(sources) > 1:
                return self._joined_by_tags(statement)
            case syntax.SelectTagged():
                return self._tagged(statement)
            case syntax.Select():
                return self._selected(statement)

    # One stream.

    def _tags(self, statement: syntax.SelectTags) -> Construct:
        (source,) = statement.sources
        naming = self._naming(statement.sources)
        tag = tag_variable(source.name)
        rows, rest = self._filtered(source, statement.condition, naming)
        window = self._window(source)
        return Construct(SelectTags(rows, tag, rest, window), NewTag(PathTo(tag.variable)))

    def _tagged(self, statement: syntax.SelectTagged) -> Construct:
        (source,) = statement.sources
        naming = self._naming(statement.sources)
        rows, rest = self._filtered(source, statement.condition, naming)
        found = SelectTagged(rows, (tag_variable(source.name),), rest, self._window(source))
        columns = tuple(Columns(naming, {}).all())
        return _results(found, NewTuple(columns, statement.with_tags))

    def _selected(self, statement: syntax.Select) -> Construct:
        naming = self._naming(statement.sources)
        if len(statement.sources) > 1:
            return self._joined(statement, naming)
        (source,) = statement.sources
        rows, rest = self._filtered(source, statement.condition, naming)
        tags = naming.tags_in(statement.condition)
        window = self._window(source)
        found: Operator = SelectTagged(rows, tags, rest, window) if tags else rows
        if is_aggregated(statement):
            answers = aggregated(statement, found, naming, window, last=self._now is not None)
            columns = tuple(answer_columns(statement, naming))
            return _results(answers, NewTuple(columns, statement.with_tags, whole=True))
        return _results(found, self._new_tuple(statement, Columns(naming, {})))

    def _filtered(
        self, source: syntax.Source, condition: syntax.Condition | None, naming: Naming
    ) -> tuple[Operator, Expression]:
        """The tuples of a source for which what is said of data alone holds, and what is left."""
        rows = self._tuples(source, naming)
        parts = _conjuncts(condition, naming)
        own = [each for each in parts if free_variables(each) <= {source.name}]
        rest = [each for each in parts if each not in own]
        return _where(rows, own), conjoin(rest)

    # Two streams.

    def _joined(self, statement: syntax.Select, naming: Naming) -> Construct:
        left, right, rest = self._sides(statement.sources, statement.condition, naming)
        windows = (statement.sources[0].window or 0, statement.sources[1].window or 0)
        tags = naming.tags_in(statement.condition)
        joined = JoinTuples(left, right, *windows, rest, tags)
        columns = Columns(naming, merged_attributes(statement.condition, naming))
        return _results(joined, self._new_tuple(statement, columns))

    def _joined_by_tags(self, statement: syntax.SelectTagged) -> Construct:
        naming = self._naming(statement.sources)
        left, right, rest = self._sides(statement.sources, statement.condition, naming)
        one, other = statement.sources
        tags: tuple[TagVariable, TagVariable] = tag_variable(one.name), tag_variable(other.name)
        joined = JoinTags(left, right, one.window or 0, other.window or 0, *tags, rest)
        sides = [_named_pair(Columns(naming, {}), each.name) for each in statement.sources]
        return Construct(joined, NewPair(*sides), carries_tags=True)

    def _sides(
        self,
        sources: tuple[syntax.Source, ...],
        condition: syntax.Condition | None,
        naming: Naming,
    ) -> tuple[Operator, Operator, Expression]:
        parts = _conjuncts(condition, naming)
        sides, taken = [], []
        for source in sources:
            own = [each for each in parts if free_variables(each) <= {source.name}]
            sides.append(_where(self._tuples(source, naming), own))
            taken += own
        rest = conjoin(each for each in parts if each not in taken)
        return sides[0], sides[1], rest

    # Tags that are attached.

    def _attached(self, statement: syntax.AttachTag) -> Construct:
        source = syntax.Source(statement.target.stream)
        attached = self._attach(statement, source, self._tagger)
        columns = Columns(self._naming((source,)), {})
        return _results(attached, NewTuple(tuple(columns.all()), with_tags=True))

    def _attach(self, statement: syntax.AttachTag, source: syntax.Source, tagger: str) -> Attach:
        """The tuples of the statement's stream, known by the name of a source, with its tags."""
        condition, window = statement.condition, None
        inner = syntax.Source(statement.target.stream, source.name)
        if isinstance(condition, syntax.Select):
            nested = condition.sources[0]
            inner = syntax.Source(nested.stream, nested.name)
            window, condition = nested.window, condition.condition
        naming = self._naming((inner,))
        predicate = conjoin(_conjuncts(condition, naming))
        content, target = statement.content, statement.target
        return Attach(
            self._tuples(inner, naming),
            inner.name,
            content.choices if isinstance(content, syntax.OneOf) else (content.value,),
            tagger,
            target.attribute or None,
            target.of_value,
            statement.sign,
            statement.lifespan,
            statement.mode,
            statement.continuously,
            naming.tags_in(condition),
            predicate,
            window,
        )

    # What all have in common.

    def _naming(self, sources: Iterable[syntax.Source]) -> Naming:
        return Naming(Scope.of(sources, Shapes(self._catalog)), self._dictionary)

    def _window(self, source: syntax.Source) -> int | None:
        """The window that tuples of one stream go through; asked once, they stand still."""
        return source.window if self._now is None else None

    def _tuples(self, source: syntax.Source, naming: Naming) -> Operator:
        stream = source.stream
        paths = self._catalog.tuple_paths(stream)
        if paths.time is None and source.window is not None:
            raise QueryError(
                f"the tuples of '{stream}' have no time, so there are no windows over them",
                code="no-time",
                span=source.span,
                help="create the stream with an order",
            )
        scan = Scan(stream, source.name, self._catalog.schema(stream))
        time, id = (_path(source.name, each) for each in (paths.time, paths.id))
        type = naming.time_type(source.name)
        tuples = Tuples(scan, time, id, type)
        if self._now is None or time is None or source.window is None:
            return tuples
        return Select(tuples, in_window(time, type, source.window, self._now))

    def _new_tuple(self, statement: syntax.Select, columns: Columns) -> NewTuple:
        listed = tuple(each for column in statement.columns for each in _columns(column, columns))
        return NewTuple(listed, statement.with_tags)


def _columns(column: syntax.Column | syntax.AllColumns, columns: Columns) -> Iterator[TupleColumn]:
    if isinstance(column, syntax.AllColumns):
        yield from columns.all(column.source)
    else:
        yield columns.computed(column)


def _results(rows: Operator, new: NewTuple) -> Construct:
    return Construct(rows, named(new), carries_tags=new.with_tags)


def _named_pair(columns: Columns, source: str) -> NewTuple:
    """All attributes of one of two sources, by their own names."""
    found = tuple(
        TupleColumn(each.name.removeprefix(f"{source}."), each.value, each.type, each.sources)
        for each in columns.all(source)
    )
    return named(NewTuple(found, with_tags=True))


def _conjuncts(condition: syntax.Condition | None, naming: Naming) -> tuple[Expression, ...]:
    return () if condition is None else conjuncts(lower_condition(condition, naming))


def _where(rows: Operator, conditions: list[Expression]) -> Operator:
    return Select(rows, conjoin(conditions)) if conditions else rows


def _path(variable: str, path: Path | None) -> PathTo | None:
    return None if path is None else PathTo(variable, tuple(Step(each) for each in path))
