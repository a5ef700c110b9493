"""Headers of a record as tags on its item."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.model.tags.applicability import Applicability
from millstream.model.tags.name_pattern import NamePattern
from millstream.runtime.kafka.record import Record, text_of

LIFESPAN = "1 us"
"""A header is about one item: its tag lives for no more than the time of it."""


def shared_fields(tagger: str, id: str, time: str) -> dict[str, str]:
    """The fields of a tag on one tuple, besides its content."""
    applicability = Applicability(tuples=NamePattern.of_names([id]))
    fields = {"tagger": tagger, "applicability": str(applicability)}
    return fields | {"lifespan": LIFESPAN, "time": time}


def contents(record: Record) -> Iterator[str]:
    """What the tags of a record say: a header's name, and its value if it has one."""
    for name, value in record.headers:
        text = "" if value is None else text_of(value)
        yield f"{name}={text}" if text else name
