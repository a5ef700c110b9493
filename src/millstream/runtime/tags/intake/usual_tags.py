"""Tags of XML in the usual spelling, read a column at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from millstream.errors import ItemError
from millstream.model.tags.duration import SECOND
from millstream.model.tags.tick_tag import is_plain_content
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.parsing.xml_regular import FLUSH_ROWS, Captures, RegularRun, is_sound
from millstream.runtime.tags.intake.tag_rows import LOCATED_FIELDS, TagReader, Values
from millstream.runtime.tags.numbers import Flags

_VALUE = rb'="[^"<>&\x00-\x1f]*+"'
_OTHERS = rb"((?: (?!time=)[a-z]++" + _VALUE + rb")*+)"
_TIME = rb'(?: time="([^"<>&\x00-\x1f]*+)")?'
USUAL_TAG = re.compile(
    rb"<tag" + _OTHERS + _TIME + _OTHERS + rb">([^<>&\x00-\x08\x0b-\x1f]*+)</tag>[ \t\r\n]*+"
)
"""A tag and the white space after it: attributes before the time, the time, those after it, text.

The text has none of what only XML knows how to read, so it is the content as it stands.
"""
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_SECONDS = r"^(?P<whole>[0-9]{1,12})(?:\.(?P<rest>[0-9]{1,6}))?$"
_GROUPS = USUAL_TAG.groups
_MOST_KNOWN = 65_536
_ANY_CONTENT = "any"
_CHANGING = ("start", "content", "time")
_NOTHING: Values = (None,) * (len(LOCATED_FIELDS) - 1)


@dataclass
class TaggedRun(RegularRun):
    """One slice of a stream, as far as its tuples and tags are in the usual spelling."""

    tag_starts: list[int] = field(default_factory=list)
    tag_captures: Captures = field(default_factory=list)

    def advance(self, start: int, stop: int) -> int:
        """Read tuples and tags from here until one is unusual."""
        tuple_at, tag_at = self.reader.pattern.match, USUAL_TAG.match
        data, longest, sound, position = self.data, self._longest, self._sound, start
        while position < stop and (found := tuple_at(data, position) or tag_at(data, position)):
            end = found.end()
            if not (sound or is_sound(found.group())):
                break
            if found.re is USUAL_TAG:
                self.tag_starts.append(position)
                self.tag_captures += found.groups()
            elif end - position > longest:
                break
            else:
                self._starts.append(position)
                self._captures += found.groups()
                if len(self._starts) == FLUSH_ROWS:
                    self.flush()
            position = end
        return position


class UsualTags:
    """Makes columns of tags in the usual spelling; what many have in common is checked once."""

    def __init__(self, reader: TagReader) -> None:
        self._reader = reader
        self._known: dict[bytes, Values | None] = {}

    def table(self, run: TaggedRun) -> tuple[pa.Table, list[int]]:
        """The tags of a run that are good as they stand, and where the others begin."""
        if not run.tag_starts:
            return LOCATED_FIELDS.empty_table(), []
        groups = (run.tag_captures[each::_GROUPS] for each in range(_GROUPS))
        before, times, after, contents = groups
        columns, sound = self._statics(_joined(before, after))
        columns["content"], plain = _contents(contents)
        columns["time"], timed = self._times(times)
        columns["start"] = pa.array(run.tag_starts)
        table = pa.table([columns[name] for name in LOCATED_FIELDS.names], schema=LOCATED_FIELDS)
        good = sound & plain & timed
        if good.all():
            return table, []
        return table.filter(pa.array(good)), np.array(run.tag_starts)[~good].tolist()

    def _statics(self, spelt: Captures) -> tuple[dict[str, Column], Flags]:
        """The fields that do not differ from tag to tag, and for which tags they are good."""
        coded = pa.array(spelt, pa.binary()).dictionary_encode()
        told = [self._static(each) for each in coded.dictionary.to_pylist()]
        rows = zip(*(each or _NOTHING for each in told), strict=True)
        columns = zip(LOCATED_FIELDS.names[1:], rows, strict=True)
        taken = {
            name: pa.array(values, LOCATED_FIELDS.field(name).type).take(coded.indices)
            for name, values in columns
            if name not in _CHANGING
        }
        sound = np.array([each is not None for each in told])
        return taken, sound[coded.indices.to_numpy()]

    def _static(self, spelt: bytes) -> Values | None:
        if spelt not in self._known:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            self._known[spelt] = self._read(spelt.decode())
        return self._known[spelt]

    def _read(self, spelt: str) -> Values | None:
        pairs = _ATTRIBUTE.findall(spelt)
        fields = dict(pairs)
        if len(fields) < len(pairs):
            return None
        try:
            return self._reader.tag(fields, _ANY_CONTENT).values
        except ItemError:
            return None

    def _times(self, texts: Captures) -> tuple[Column, Flags]:
        """Times in microseconds; those of tags without any are not known yet."""
        if not self._reader.in_seconds:
            return self._instants(texts)
        written = pa.array(texts, pa.string())
        parts = compute.extract_regex(written, _SECONDS)
        whole, rest = (parts.field(name) for name in ("whole", "rest"))
        usual = compute.is_valid(parts)
        filled = compute.utf8_rpad(rest, 6, "0")
        seconds = compute.multiply(_numbers(whole), SECOND)
        times = compute.if_else(usual, compute.add(seconds, _numbers(filled)), None)
        good = compute.or_(usual, compute.is_null(written))
        return times, good.to_numpy(False)

    def _instants(self, texts: Captures) -> tuple[Column, Flags]:
        times: list[int | None] = []
        good = np.ones(len(texts), np.bool_)
        for place, text in enumerate(texts):
            try:
                times.append(None if text is None else self._reader.time(text.decode()))
            except ItemError:
                times.append(None)
                good[place] = False
        return pa.array(times, pa.int64()), good


def _joined(before: Captures, after: Captures) -> Captures:
    if not any(after):
        return before
    return [(one or b"") + (other or b"") for one, other in zip(before, after, strict=True)]


def _contents(texts: Captures) -> tuple[Column, Flags]:
    """Contents, and which of them any tag may have."""
    coded = pa.array(texts, pa.string()).dictionary_encode()
    plain = np.array([is_plain_content(each) for each in coded.dictionary.to_pylist()])
    return coded.dictionary_decode(), plain[coded.indices.to_numpy()]


def _numbers(digits: Column) -> Column:
    """Numbers; what was not matched is an empty text."""
    return compute.cast(compute.if_else(compute.equal(digits, ""), "0", digits), pa.int64())
