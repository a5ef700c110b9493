"""Tags of XML in the usual spelling, read a column at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from millstream.errors import ItemError
from millstream.model.tags.duration import SECOND
from millstream.model.tags.tick_tag import is_plain_content
from millstream.model.tags.wire.xml_elements import TAG
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.parsing.sound_text import is_sound
from millstream.runtime.parsing.spelt_alike import Alike, Value, Window
from millstream.runtime.parsing.xml_regular import Captures, RegularRun
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
_GROUPS = _CONTENT = USUAL_TAG.groups
_TAG = TAG.encode()
_VALUES = re.compile(rb'="([^"]*+)"')
_MOST_KNOWN = 65_536
_ANY_CONTENT = "any"
_CHANGING = ("start", "content", "time")
_NOTHING: Values = (None,) * (len(LOCATED_FIELDS) - 1)


@dataclass
class TaggedRun(RegularRun):
    """One slice of a stream, as far as its tuples and tags are in the usual spelling."""

    _tags: list[tuple[Column, list[Column]]] = field(default_factory=list)
    """Where tags begin and what was captured of them, some at a time."""
    _tag_starts: list[int] = field(default_factory=list)
    _tag_captures: Captures = field(default_factory=list)

    @property
    def names(self) -> tuple[bytes, ...]:
        return (self.reader.name, _TAG)

    def matched(self, position: int) -> re.Match[bytes] | None:
        found = self.reader.pattern.match(self.data, position)
        if found:
            return found if self.is_usual(found) else None
        found = USUAL_TAG.match(self.data, position)
        return found if found and (self._sound or is_sound(found.group())) else None

    def values(self, match: re.Match[bytes]) -> list[Value]:
        if match.re is not USUAL_TAG:
            return self.reader.values(match)
        attributes = _VALUES.finditer(self.data, match.start(), match.start(_CONTENT))
        found = [Value(*each.span(1), lines=False) for each in attributes]
        return [*found, Value(*match.span(_CONTENT), lines=True)]

    def take(self, position: int, match: re.Match[bytes]) -> None:
        if match.re is not USUAL_TAG:
            super().take(position, match)
            return
        self._tag_starts.append(position)
        self._tag_captures += match.groups()

    def take_alike(self, window: Window, found: Alike[re.Match[bytes]]) -> None:
        if found.example.re is not USUAL_TAG:
            super().take_alike(window, found)
            return
        self._tags.append((pa.array(found.starts(window)), found.captured(window)))

    def tags(self) -> tuple[Column, list[Column]]:
        """Where all tags begin, in order, and what each group has captured of them."""
        found = [
            pa.array(self._tag_captures[each::_GROUPS], pa.string()) for each in range(_GROUPS)
        ]
        parts = [*self._tags, (pa.array(self._tag_starts, pa.int64()), found)]
        starts = pa.concat_arrays([each for each, _ in parts])
        captured = [
            pa.concat_arrays(each) for each in zip(*(each for _, each in parts), strict=True)
        ]
        if len(parts) == 1 or not len(starts):
            return starts, captured
        order = compute.sort_indices(starts)
        return starts.take(order), [each.take(order) for each in captured]


class UsualTags:
    """Makes columns of tags in the usual spelling; what many have in common is checked once."""

    def __init__(self, reader: TagReader) -> None:
        self._reader = reader
        self._known: dict[str, Values | None] = {}

    def of_run(self, run: TaggedRun) -> tuple[pa.Table, list[int]]:
        """The tags of a run that are good as they stand, and where the others begin."""
        starts, (before, times, after, contents) = run.tags()
        if not len(starts):
            return LOCATED_FIELDS.empty_table(), []
        return self.table(starts, _joined(before, after), times, contents)

    def table(
        self, starts: Column, spelt: Column, times: Column, contents: Column
    ) -> tuple[pa.Table, list[int]]:
        """The same of tags whose other fields are spelt as attributes of XML."""
        columns, sound = self._statics(spelt)
        columns["content"], plain = _contents(contents)
        columns["time"], timed = self._times(times)
        columns["start"] = starts
        table = pa.table([columns[name] for name in LOCATED_FIELDS.names], schema=LOCATED_FIELDS)
        good = sound & plain & timed
        if good.all():
            return table, []
        return table.filter(pa.array(good)), starts.to_numpy()[~good].tolist()

    def _statics(self, spelt: Column) -> tuple[dict[str, Column], Flags]:
        """The fields that do not differ from tag to tag, and for which tags they are good."""
        coded = spelt.dictionary_encode()
        told = [self._static(each) for each in coded.dictionary.to_pylist()]
        rows = zip(*(each or _NOTHING for each in told), strict=True)
        columns = zip(LOCATED_FIELDS.names[1:], rows, strict=True)
        taken = {
            name: _taken(pa.array(values, LOCATED_FIELDS.field(name).type), coded.indices)
            for name, values in columns
            if name not in _CHANGING
        }
        sound = np.array([each is not None for each in told])
        return taken, sound[coded.indices.to_numpy()]

    def _static(self, spelt: str) -> Values | None:
        if spelt not in self._known:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            self._known[spelt] = self._read(spelt)
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

    def _times(self, written: Column) -> tuple[Column, Flags]:
        """Times in microseconds; those of tags without any are not known yet."""
        if not self._reader.in_seconds:
            return self._instants(written)
        parts = compute.extract_regex(written, _SECONDS)
        whole, rest = (parts.field(name) for name in ("whole", "rest"))
        usual = compute.is_valid(parts)
        filled = compute.utf8_rpad(rest, 6, "0")
        seconds = compute.multiply(_numbers(whole), SECOND)
        times = compute.if_else(usual, compute.add(seconds, _numbers(filled)), None)
        good = compute.or_(usual, compute.is_null(written))
        return times, good.to_numpy(False)

    def _instants(self, written: Column) -> tuple[Column, Flags]:
        times: list[int | None] = []
        good = np.ones(len(written), np.bool_)
        for place, text in enumerate(written.to_pylist()):
            try:
                times.append(None if text is None else self._reader.time(text))
            except ItemError:
                times.append(None)
                good[place] = False
        return pa.array(times, pa.int64()), good


def _taken(values: Column, which: Column) -> Column:
    """The values at some places, which are often all the same."""
    if len(compute.unique(values)) > 1:
        return values.take(which)
    return pa.repeat(values[0], len(which))


def _joined(before: Column, after: Column) -> Column:
    if not compute.any(compute.not_equal(after, "")).as_py():
        return before
    return compute.binary_join_element_wise(before, after, "")


def _contents(texts: Column) -> tuple[Column, Flags]:
    """Contents, and which of them any tag may have."""
    coded = texts.dictionary_encode()
    plain = np.array([is_plain_content(each) for each in coded.dictionary.to_pylist()])
    return coded.dictionary_decode(), plain[coded.indices.to_numpy()]


def _numbers(digits: Column) -> Column:
    """Numbers; what was not matched is an empty text."""
    return compute.cast(compute.if_else(compute.equal(digits, ""), "0", digits), pa.int64())
