"""From a syntax tree back to text: reading the text gives the tree again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.languages.tagql import syntax
from millstream.languages.tagql.unparsed_expressions import (
    literal_text,
    name_text,
    object_text,
    steps_text,
    unparse_condition,
    unparse_value,
)
from millstream.languages.tagql.words import TagField
from millstream.model.tags.duration import format_duration
from millstream.model.tags.mode import Mode
from millstream.model.tags.sign import Sign


def unparse(statement: syntax.Statement) -> str:
    """The text of a statement, a clause a line."""
    match statement:
        case syntax.AttachTag():
            return "\n".join(_attach(statement))
        case syntax.SelectTags(sources, condition):
            return "\n".join(_selection("TAGS", sources, condition, False))
        case syntax.SelectTagged(sources, condition, with_tags):
            return "\n".join(_selection("TAGGED OBJECTS", sources, condition, with_tags))
        case syntax.Select():
            return "\n".join(_select(statement))


def _attach(attach: syntax.AttachTag) -> Iterator[str]:
    yield f"ATTACH TAG {_content(attach.content)}"
    if attach.continuously:
        yield "CONTINUOUSLY"
    yield f"TO {object_text(attach.target)}"
    match attach.condition:
        case None:
            pass
        case syntax.Select() as query:
            yield f"WHERE ({' '.join(_select(query))})"
        case condition:
            yield f"WHERE {unparse_condition(condition)}"
    options = tuple(_options(attach))
    if options:
        yield f"WITH {' AND '.join(options)}"


def _content(content: syntax.StringLiteral | syntax.OneOf) -> str:
    match content:
        case syntax.StringLiteral():
            return literal_text(content)
        case syntax.OneOf(choices):
            listed = (literal_text(syntax.StringLiteral(each)) for each in choices)
            return f"ONE OF ({', '.join(listed)})"


def _options(attach: syntax.AttachTag) -> Iterator[str]:
    if attach.sign is not Sign.NEUTRAL:
        yield f"{TagField.SIGN.value} = '{attach.sign.value}'"
    if attach.lifespan is not None:
        yield f"{TagField.LIFESPAN.value} = {format_duration(attach.lifespan)}"
    if attach.mode is not Mode.COMBINE:
        yield f"{TagField.MODE.value} = {attach.mode.name}"


def _select(select: syntax.Select) -> Iterator[str]:
    columns = ", ".join(map(_column, select.columns))
    yield from _selection(columns, select.sources, select.condition, False)
    match select.grouping:
        case syntax.GroupByNames(names):
            yield f"GROUP BY {', '.join(unparse_value(each) for each in names)}"
        case syntax.GroupByTags() as grouping:
            yield f"GROUP BY {_tag_grouping(grouping)}"
    if select.with_tags:
        yield "WITH TAGS"


def _selection(
    what: str,
    sources: Iterable[syntax.Source],
    condition: syntax.Condition | None,
    with_tags: bool,
) -> Iterator[str]:
    yield f"SELECT {what}"
    yield f"FROM {', '.join(map(_source, sources))}"
    if condition is not None:
        yield f"WHERE {unparse_condition(condition)}"
    if with_tags:
        yield "WITH TAGS"


def _source(source: syntax.Source) -> str:
    alias = f" AS {name_text(source.alias)}" if source.alias is not None else ""
    window = f" [{format_duration(source.window)}]" if source.window is not None else ""
    return name_text(source.stream) + alias + window


def _column(column: syntax.Column | syntax.AllColumns) -> str:
    match column:
        case syntax.AllColumns(source):
            return "*" if source is None else f"{steps_text((source,))}.*"
        case syntax.Column(value, alias):
            named = f" AS {name_text(alias)}" if alias is not None else ""
            return unparse_value(value) + named


def _tag_grouping(grouping: syntax.GroupByTags) -> str:
    threshold = f" {grouping.threshold}" if grouping.threshold is not None else ""
    using = f" USING {grouping.function or grouping.likeness.value}{threshold}"
    shown = "" if grouping.likeness is syntax.Likeness.EQUALITY else using
    return f"TAGS{shown}{' INCLUDING UNTAGGED' if grouping.untagged else ''}"
