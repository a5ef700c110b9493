"""Tagged streams of XML: tags and stix are taken out, tuples are items like any other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from millstream.errors import ItemError
from millstream.model.schema import Schema
from millstream.model.tags.stream_shape import StreamShape
from millstream.model.tags.wire.xml_elements import STIX, TAG, own_attributes, parse_element
from millstream.runtime.parsing.chunk import DEFAULT_MAX_ITEM_BYTES, ParsedChunk, Rejected, reject
from millstream.runtime.parsing.xml import XmlParser
from millstream.runtime.tags.intake.tag_rows import TaggedChunk, TagReader, TagRow, located
from millstream.runtime.tags.intake.tuple_times import with_times
from millstream.runtime.tags.intake.usual_tags import TaggedRun, UsualTags

BESIDE = (TAG, STIX)
"""The elements that may stand beside tuples."""

_SECTIONS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_USUAL = re.compile(
    rb"""<tag((?:\s+[a-z]+="[^"<&\t\r\n]*")*)\s*>([^<&\r]*)</tag>""",
)
_TAG_END = b"</tag>"
_ATTRIBUTE = re.compile(r"""\s([a-z]+)="([^"]*)\"""")


class TaggedXmlParser:
    """Parses slices of one stream of XML elements."""

    def __init__(
        self,
        stream: str,
        schema: Schema,
        *,
        namespaces: Mapping[str, str] | None = None,
        max_item_bytes: int = DEFAULT_MAX_ITEM_BYTES,
    ) -> None:
        self._schema = schema
        self._tuples = XmlParser(schema, namespaces=namespaces, max_item_bytes=max_item_bytes)
        self._tags = TagReader(StreamShape.of_wire(stream, schema))
        self._usual_tags = UsualTags(self._tags)
        self._item = schema.item.name.encode()
        edges = b"|".join(re.escape(each) for each in (self._item, *map(str.encode, BESIDE)))
        self._element = re.compile(rb"<(?:" + edges + rb")(?=[\s/>])")
        self._token = re.compile(rb"<!--|<!\[CDATA\[|<\?|" + self._element.pattern)
        self._close = b"</" + self._item + b">"
        close = rb"</" + re.escape(self._item) + rb"\s*>"
        self._tuple_end = re.compile(rb"<!--|<!\[CDATA\[|" + close)
        self._start_end = re.compile(rb"""[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*(/?)>""")

    def parse(self, data: bytes) -> TaggedChunk:
        """The rows of a slice that holds whole elements."""
        regular = self._tuples.regular
        if regular is None:
            return self._parse_closely(data)
        run = TaggedRun(regular, data, self._tuples.max_item_bytes)
        found = _Found()

        def beside(start: int) -> int:
            element = self._element.match(data, start)
            if element is None or element.group()[1:] == self._item:
                return start
            end = self._end(data, element)
            self._take(found, data, start, end)
            return end

        parsed, end = self._tuples.parse_beside(run, beside)
        read = self._read(run, found, parsed)
        if end == len(data):
            return read
        return read.followed_by(self._parse_closely(data[end:]), end)

    def _read(self, run: TaggedRun, found: _Found, parsed: ParsedChunk) -> TaggedChunk:
        """A chunk with its tags; one in the usual spelling that is not good is looked at again."""
        tags, others = self._usual_tags.of_run(run)
        for start in others:
            self._take(found, run.data, start, _behind(run.data, _TAG_END, start))
        timed = with_times(parsed, self._schema, lambda at: _raw(run.data, at))
        if found.tags:
            tags = pa.concat_tables([tags, located(found.tags)]).sort_by("start")
        rejected = _in_order(timed.rejected, found.rejected)
        return TaggedChunk(timed.offsets, timed.rows, rejected, tags)

    def _parse_closely(self, data: bytes) -> TaggedChunk:
        """The same for elements that may be spelt in any way."""
        found, rest = _Found(), bytearray(data)
        for start, end in self._beside(data):
            self._take(found, data, start, end)
            rest[start:end] = b" " * (end - start)
        # What was taken out leaves white space, so all that is left stands where it stood.
        parsed = self._tuples.parse(bytes(rest))
        timed = with_times(parsed, self._schema, lambda at: _raw(data, at))
        rejected = _in_order(timed.rejected, found.rejected)
        return TaggedChunk(timed.offsets, timed.rows, rejected, located(found.tags))

    def _beside(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where the tags and stix between tuples begin and end."""
        at, plain = 0, b"<!" not in data
        while token := self._token.search(data, at):
            text = token.group()
            if text in _SECTIONS:
                at = _behind(data, _SECTIONS[text], token.end())
            elif text[1:] == self._item:
                at = self._behind_tuple(data, token.end(), plain)
            else:
                at = self._end(data, token)
                yield token.start(), at

    def _behind_tuple(self, data: bytes, at: int, plain: bool) -> int:
        """Where a tuple ends; in plain data nothing hides its end tag."""
        if plain and (end := data.find(self._close, at)) >= 0:
            opened = data.find(b">", at)
            if opened < end and data[opened - 1 : opened] != b"/":
                return end + len(self._close)
        start = self._start_end.match(data, at)
        if start is None:
            return at
        if start[1]:
            return start.end()
        at = start.end()
        while edge := self._tuple_end.search(data, at):
            if edge.group() not in _SECTIONS:
                return edge.end()
            at = _behind(data, _SECTIONS[edge.group()], edge.end())
        return at

    def _end(self, data: bytes, token: re.Match[bytes]) -> int:
        """Where a tag or stix ends; one that is not closed ends before the next element."""
        if usual := _USUAL.match(data, token.start()):
            return usual.end()
        start = self._start_end.match(data, token.end())
        if start is not None and start[1]:
            return start.end()
        following = self._element.search(data, token.end())
        limit = following.start() if following else len(data)
        close = re.compile(rb"</" + token.group()[1:] + rb"\s*>").search(data, token.end(), limit)
        return close.end() if close else limit

    def _take(self, found: _Found, data: bytes, start: int, end: int) -> None:
        raw = data[start:end]
        try:
            found.tags.append((start, self._row(raw)))
        except ItemError as error:
            found.rejected.append(reject(start, error.message, raw))
        except UnicodeDecodeError:
            found.rejected.append(reject(start, "invalid UTF-8", raw))

    def _row(self, raw: bytes) -> TagRow:
        if usual := _USUAL.fullmatch(raw):
            pairs = _ATTRIBUTE.findall(usual[1].decode())
            fields = dict(pairs)
            if len(fields) == len(pairs):
                return self._tags.tag(fields, usual[2].decode())
        element = parse_element(raw.decode())
        if len(element):
            raise ItemError(f"a {element.tag} holds text only", code="malformed")
        content = element.text or ""
        if element.tag == STIX:
            return self._tags.stix(content)
        return self._tags.tag(own_attributes(element), content)


@dataclass
class _Found:
    tags: list[tuple[int, TagRow]] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


def _in_order(one: Sequence[Rejected], other: Sequence[Rejected]) -> tuple[Rejected, ...]:
    return tuple(sorted((*one, *other), key=lambda each: each.offset))


def _behind(data: bytes, closing: bytes, at: int) -> int:
    end = data.find(closing, at)
    return len(data) if end < 0 else end + len(closing)


def _raw(data: bytes, start: int) -> bytes:
    end = data.find(b"\n", start)
    return data[start : end if end >= 0 else len(data)]
