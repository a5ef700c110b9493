"""The tagger: a stream with tags put before the tuples that satisfy a condition."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from millstream.languages.tagql import check, syntax
from millstream.model.tags import (
    Applicability,
    Classifier,
    Element,
    ObjectName,
    StreamTuple,
    TickTag,
    emotions,
    tick_tag,
)
from millstream.testing.tags.sources import Sources, TaggedStream


def attach(
    statement: syntax.AttachTag,
    stream: TaggedStream,
    tagger: str,
    *,
    after: int = -1,
    classify: Classifier | None = None,
) -> Iterator[Element]:
    """The elements of a stream, with new tags before the tuples they are attached to.

    A tag gets the time of its tuple, so a replay gives the same. Only tuples after a position
    are looked at; without CONTINUOUSLY the first that satisfies the condition is tagged.
    """
    check(statement, {stream.shape.name: stream.shape})
    tagged = _tagged_positions(statement, stream, after)
    for placed in sorted(stream.elements, key=lambda each: each.position):
        element = placed.element
        if isinstance(element, StreamTuple) and placed.position in tagged:
            yield new_tag(statement, element, tagger, classify)
        yield element


def new_tag(
    statement: syntax.AttachTag,
    element: StreamTuple,
    tagger: str,
    classify: Classifier | None = None,
) -> TickTag:
    """The tag that a statement attaches to a tuple."""
    target = statement.target
    objects = (ObjectName(target.attribute, target.of_value),) if target.steps else ()
    return tick_tag(
        _content(statement.content, element),
        tagger=tagger,
        timestamp=element.time,
        applicability=Applicability(objects=objects),
        sign=statement.sign,
        lifespan=statement.lifespan,
        mode=statement.mode,
        classify=classify,
    )


def _content(content: syntax.StringLiteral | syntax.OneOf, element: StreamTuple) -> str:
    """The content; one of several is drawn by the tuple's id and time, the same at every replay."""
    if isinstance(content, syntax.StringLiteral):
        return content.value
    drawn = crc32(f"{element.id}@{element.time}".encode())
    return content.choices[drawn % len(content.choices)]


def _tagged_positions(
    statement: syntax.AttachTag, stream: TaggedStream, after: int
) -> frozenset[int]:
    name = stream.shape.name
    source, condition = syntax.Source(name), statement.condition
    if isinstance(condition, syntax.Select):
        source, condition = condition.sources[0], condition.condition
    sources = Sources((source,), {name: stream}, emotions())
    found = [
        row.position
        for row in sources.only
        if row.position > after
        and sources.exists(condition, {source.name: row}, sources.so_far(row))
    ]
    return frozenset(found if statement.continuously else found[:1])
