"""Attaching a tag to a stream from outside its source."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.errors import ItemError, QueryError, SchemaError, UnsupportedError
from millstream.model.tags.event_time import format_time
from millstream.model.tags.tick_tag import TickTag
from millstream.model.tags.wire.fields import read_tag
from millstream.model.tags.wire.reading import Unstamped, WireOptions
from millstream.runtime.journal import Journal
from millstream.runtime.records import StreamRecord
from millstream.runtime.tags.intake.tag_rows import tag_row
from millstream.runtime.tags.known_tags import KnownTag
from millstream.runtime.tags.numbers import LONG_AGO
from millstream.runtime.tags.stream_tags import StreamTags


def attach(
    tags: StreamTags,
    record: StreamRecord,
    journal: Journal,
    content: str,
    fields: Mapping[str, str],
) -> KnownTag:
    """Write down a tag that enters a stream with its next step; ItemError if it is none.

    Without a time it gets that which the stream has reached by then.
    """
    check_stream(record, journal)
    read = read_tag(fields, content, WireOptions(record.shape, classify=tags.classify))
    tag = read.tag if isinstance(read, Unstamped) else read
    time = None if isinstance(read, Unstamped) else tag.timestamp
    _check_names(tag, record)
    _check_time(tag, time, tags, record)
    row = tag_row(tag, time)
    tags.attached.add(row, tags.in_play()[1])
    return KnownTag.of(row.named(), record.shape.time)


def check_stream(record: StreamRecord, journal: Journal) -> None:
    """Raise an error for a stream to which no tags can be attached any more, or at all."""
    if journal.state.ended:
        raise QueryError(
            f"stream '{record.name}' has ended: no tuple will follow that a tag could be on",
            code="ended",
        )
    if record.structure is not None:
        raise UnsupportedError(f"stream '{record.name}' is a history, which has no tags")
    if record.tuple_time is None:
        raise SchemaError(
            f"stream '{record.name}' has no order, so nobody can tell when a tag is on its items",
            code="no-order",
            help="create the stream with order_by",
        )


def _check_names(tag: TickTag, record: StreamRecord) -> None:
    if record.tuple_id is None and not tag.applicability.tuples.matches_all:
        raise ItemError(
            f"the tag names tuples, but those of stream '{record.name}' have no ids",
            code="no-ids",
            help="write * for all tuples, or create the stream with a key",
        )


def _check_time(tag: TickTag, time: int | None, tags: StreamTags, record: StreamRecord) -> None:
    """Raise ItemError for a tag that would be set aside for coming too late."""
    reached = tags.reached()
    overwritten = tags.in_play()[0].overwritten.get(tag.tagger, LONG_AGO)
    if time is None or reached == LONG_AGO or time >= reached - tags.lateness:
        return
    if time < overwritten:
        form = record.shape.time
        raise ItemError(
            f"the tag is late: '{tag.tagger}' has overwritten tags at"
            f" {format_time(overwritten, form)}, and the stream has reached"
            f" {format_time(reached, form)}",
            code="late-tag",
            help="leave out its time, or give the stream more lateness",
        )
