"""Whether a statement makes sense for the streams that are known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from millstream.errors import MillstreamError, QueryError, UnsupportedError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.parser import parse
from millstream.languages.tagql.scope import Catalog, Scope, check_attribute, known_shape
from millstream.languages.tagql.words import AGGREGATES, TagField


def parse_checked(text: str, catalog: Catalog) -> syntax.Statement:
    """The syntax tree of a statement in which every name is known."""
    statement = parse(text)
    try:
        check(statement, catalog)
    except MillstreamError as error:
        raise error.with_text(text) from None
    return statement


def check(statement: syntax.Statement, catalog: Catalog) -> None:
    """Raise QueryError, or UnsupportedError, for a statement that cannot be answered."""
    match statement:
        case syntax.AttachTag():
            _check_attach(statement, catalog)
        case syntax.Select():
            _check_select(statement, catalog)
        case syntax.SelectTags(sources):
            if len(sources) > 1:
                raise UnsupportedError(
                    "SELECT TAGS of several streams is not supported",
                    span=sources[1].span,
                    help="SELECT TAGGED OBJECTS joins two streams by their tags",
                )
            _check_condition(statement.condition, _scope(sources, catalog))
        case syntax.SelectTagged(sources):
            _check_condition(statement.condition, _scope(sources, catalog))


def _scope(sources: tuple[syntax.Source, ...], catalog: Catalog) -> Scope:
    """The scope of some sources; those of a join have windows."""
    if len(sources) > 2:
        raise UnsupportedError(
            "joins of more than two streams are not supported", span=sources[2].span
        )
    for source in sources if len(sources) > 1 else ():
        if source.window is None:
            raise QueryError(
                f"'{source.name}' has no window",
                code="window",
                span=source.span,
                help=f"streams are joined within windows: {source.name} [1 min]",
            )
    return Scope.of(sources, catalog)


def _check_attach(attach: syntax.AttachTag, catalog: Catalog) -> None:
    target = attach.target
    check_attribute(target, known_shape(target.stream, catalog, target))
    if isinstance(attach.condition, syntax.Select):
        _check_nested(attach.condition, target, catalog)
        return
    source = syntax.Source(target.stream, span=target.span)
    _check_condition(attach.condition, _scope((source,), catalog))


def _check_nested(query: syntax.Select, target: syntax.ObjectReference, catalog: Catalog) -> None:
    if len(query.sources) > 1 or query.sources[0].stream != target.stream:
        raise UnsupportedError(
            "the nested query is of another stream than the tag",
            span=query.span,
            help=f"tags are attached to tuples of '{target.stream}' by what these are like",
        )
    if query.grouping is not None or query.with_tags:
        raise UnsupportedError("a nested query only selects tuples", span=query.span)
    _check_select(query, catalog)


def _check_select(select: syntax.Select, catalog: Catalog) -> None:
    aggregated = select.grouping is not None or any(map(_aggregates, _values(select)))
    if aggregated and len(select.sources) > 1:
        raise UnsupportedError("aggregates of joins are not supported", span=select.sources[1].span)
    scope = _scope(select.sources, catalog)
    _check_condition(select.condition, scope)
    for column in select.columns:
        _check_column(column, select, scope)
    match select.grouping:
        case syntax.GroupByNames(names):
            _check_names(names, scope)
        case syntax.GroupByTags() as grouping:
            _check_threshold(grouping)
    if aggregated:
        _check_grouped(select, scope)


def _check_column(
    column: syntax.Column | syntax.AllColumns, select: syntax.Select, scope: Scope
) -> None:
    if isinstance(column, syntax.AllColumns):
        if column.source is not None:
            scope.check_source(column.source, column)
        return
    _check_names([column.value], scope)
    references = [each for each in syntax.walk(column) if isinstance(each, syntax.TagReference)]
    for reference in references:
        if reference.field is not TagField.CONTENT or not _by_tags(select):
            raise QueryError(
                "a tag is no column",
                code="columns",
                span=reference.span,
                help="WITH TAGS gives tags with the tuples; TAG is the group of GROUP BY TAGS",
            )


def _check_grouped(select: syntax.Select, scope: Scope) -> None:
    """Every column is an aggregate, or what the groups are made by."""
    grouping = select.grouping
    names = grouping.names if isinstance(grouping, syntax.GroupByNames) else ()
    keys = {scope.attribute(name) for name in names}
    for column in select.columns:
        value = column.value if isinstance(column, syntax.Column) else None
        grouped = isinstance(value, syntax.TagReference) or (
            isinstance(value, syntax.Name) and scope.attribute(value) in keys
        )
        if value is None or not (grouped or _is_aggregate(value)):
            raise QueryError(
                "this column is neither an aggregate nor what is grouped by",
                code="columns",
                span=column.span,
            )
        if _is_aggregate(value):
            _check_argument(value)


def _check_argument(aggregate: syntax.Call) -> None:
    (argument,) = aggregate.arguments
    if _aggregates(argument):
        raise QueryError("an aggregate of an aggregate", code="columns", span=aggregate.span)
    if any(isinstance(each, syntax.TagReference) for each in syntax.walk(argument)):
        raise QueryError("aggregates are of attributes", code="columns", span=argument.span)


def _check_condition(condition: syntax.Condition | None, scope: Scope) -> None:
    if condition is None:
        return
    _check_names([condition], scope)
    for each in syntax.walk(condition):
        if isinstance(each, syntax.Call) and each.function in AGGREGATES:
            raise QueryError("a condition has no aggregates", code="aggregate", span=each.span)
        if isinstance(each, syntax.Equivalent | syntax.Similar | syntax.CoOccurs):
            _check_contents(each)


def _check_contents(node: syntax.Equivalent | syntax.Similar | syntax.CoOccurs) -> None:
    for side in (node.left, node.right):
        tag = isinstance(side, syntax.TagReference) and side.field is TagField.CONTENT
        if not tag and not isinstance(side, syntax.StringLiteral):
            raise QueryError("only tags and texts are alike in this way", span=side.span)


def _check_threshold(grouping: syntax.GroupByTags) -> None:
    if grouping.function is None and not 0 < float(grouping.threshold or 1) <= 1:
        raise QueryError("a share is above 0 and at most 1", code="threshold", span=grouping.span)


def _check_names(nodes: Iterable[syntax.Node], scope: Scope) -> None:
    for node in (below for each in nodes for below in syntax.walk(each)):
        match node:
            case syntax.Name():
                scope.attribute(node)
            case syntax.TagReference():
                scope.source_of(node)
            case syntax.ObjectReference():
                scope.check_object(node)


def _by_tags(select: syntax.Select) -> bool:
    return isinstance(select.grouping, syntax.GroupByTags)


def _values(select: syntax.Select) -> list[syntax.Value]:
    return [each.value for each in select.columns if isinstance(each, syntax.Column)]


def _aggregates(value: syntax.Value) -> bool:
    """True when an aggregate stands anywhere in a value."""
    return any(
        isinstance(each, syntax.Call) and each.function in AGGREGATES for each in syntax.walk(value)
    )


def _is_aggregate(value: syntax.Value) -> TypeGuard[syntax.Call]:
    return isinstance(value, syntax.Call) and value.function in AGGREGATES
