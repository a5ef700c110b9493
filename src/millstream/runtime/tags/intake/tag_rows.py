"""Tags and stix of a source as rows: checked by the rules of the wire, most of them only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa

from millstream.errors import ItemError
from millstream.model.tags.duration import SECOND
from millstream.model.tags.event_time import TimeForm, parse_time
from millstream.model.tags.stix_text import parse_stix
from millstream.model.tags.stream_shape import StreamShape
from millstream.model.tags.tick_tag import TickTag, is_plain_content
from millstream.model.tags.wire.fields import read_tag
from millstream.model.tags.wire.reading import Unstamped, WireOptions
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.parsing.chunk import ParsedChunk

ELEMENT_FIELDS: Final = pa.schema(
    [
        ("position", pa.int64()),
        ("stix", pa.string()),
        ("tagger", pa.string()),
        ("applicability", pa.string()),
        ("content", pa.string()),
        ("type", pa.string()),
        ("sign", pa.string()),
        ("lifespan", pa.int64()),
        ("mode", pa.string()),
        ("time", pa.int64()),
    ]
)
"""A tag, or a stix, which has nothing but its text; a tag may not know its time and type yet."""

LOCATED_FIELDS: Final = pa.schema([("start", pa.int64()), *list(ELEMENT_FIELDS)[1:]])
"""The same with the byte of a slice at which the element begins."""

Values = tuple[str | int | None, ...]
"""What the fields of an element say, but for where it stands."""

_MOST_KNOWN = 65_536
_STATIC = ("tagger", "applicability", "type", "sign", "lifespan", "mode")


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag or a stix; the values are those of the element's fields but its position."""

    values: Values

    def named(self) -> dict[str, str | int | None]:
        """The values by the names of their fields."""
        return dict(zip(ELEMENT_FIELDS.names[1:], self.values, strict=True))


@dataclass(frozen=True, slots=True)
class TaggedChunk(ParsedChunk):
    """A chunk with the tags and stix that stand between its items."""

    tags: pa.Table
    """Each with the byte at which it begins, in this order."""

    def followed_by(self, other: TaggedChunk, at: int) -> TaggedChunk:
        """This chunk and another that begins at a byte behind it."""
        tags = other.tags.set_column(0, "start", compute.add(other.tags.column("start"), at))
        moved = (replace(each, offset=each.offset + at) for each in other.rejected)
        return TaggedChunk(
            pa.concat_arrays([self.offsets, compute.add(other.offsets, at)]),
            pa.concat_tables([self.rows, other.rows]),
            (*self.rejected, *moved),
            pa.concat_tables([self.tags, tags]),
        )


def located(rows: Sequence[tuple[int, TagRow]]) -> pa.Table:
    """Rows as a table, each with the byte at which it begins."""
    if not rows:
        return LOCATED_FIELDS.empty_table()
    columns = zip(*(row.values for _, row in rows), strict=True)
    return pa.table([[start for start, _ in rows], *map(list, columns)], schema=LOCATED_FIELDS)


class TagReader:
    """Reads the tags of one stream; what many have in common is checked once."""

    def __init__(self, shape: StreamShape) -> None:
        self._options = WireOptions(shape)
        self.in_seconds = shape.time is TimeForm.SECONDS
        self._known: dict[tuple[str | None, ...], TagRow] = {}

    def stix(self, text: str) -> TagRow:
        """The row of a stix, or ItemError."""
        parse_stix(text)
        return TagRow((text.strip(), *(None,) * (len(ELEMENT_FIELDS) - 2)))

    def tag(self, fields: Mapping[str, str], content: str) -> TagRow:
        """The row of a tag, or ItemError."""
        key = tuple(map(fields.get, _STATIC))
        known = self._known.get(key)
        named = len(_STATIC) - key.count(None) + ("time" in fields)
        if known is None or named < len(fields) or not is_plain_content(content):
            return self._checked(fields, content, key)
        none, tagger, applicability, _, type, sign, lifespan, mode, _ = known.values
        type = type if key[2] else None
        text = fields.get("time")
        time = None if text is None else self.time(text)
        return TagRow((none, tagger, applicability, content, type, sign, lifespan, mode, time))

    def _checked(
        self, fields: Mapping[str, str], content: str, key: tuple[str | None, ...]
    ) -> TagRow:
        read = read_tag(fields, content, self._options)
        tag = read.tag if isinstance(read, Unstamped) else read
        time = None if isinstance(read, Unstamped) else tag.timestamp
        row = tag_row(tag, time, typed="type" in fields)
        if not tag.is_retraction and len(self._known) < _MOST_KNOWN:
            self._known[key] = row
        return row

    def time(self, text: str) -> int:
        """The time that a text says, or ItemError."""
        if self.in_seconds and (usual := _usual_seconds(text)) is not None:
            return usual
        try:
            return parse_time(text, self._options.shape.time)
        except ValueError as error:
            raise ItemError(f"time: {error}", code="bad-time") from None


def tag_row(tag: TickTag, time: int | None, *, typed: bool = True) -> TagRow:
    """The row of a tag, with or without a time and a type."""
    type = tag.type.value if typed else None
    head = (None, tag.tagger, str(tag.applicability), tag.content, type, tag.sign.value)
    return TagRow((*head, tag.lifespan, tag.mode.name, time))


def _usual_seconds(text: str) -> int | None:
    """The microseconds of a time such as 12.5; None if it is written in another way."""
    whole, _, rest = text.partition(".")
    digits = whole + rest
    if not (digits.isdecimal() and digits.isascii()) or len(whole) > 12 or len(rest) > 6:
        return None
    return int(whole or "0") * SECOND + int(rest.ljust(6, "0"))
