"""Comma-separated lines, cut into records with the place where each begins."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from millstream.runtime.parsing.chunk import too_large
from millstream.runtime.parsing.xml_markup import BYTE_ORDER_MARK


@dataclass(frozen=True, slots=True)
class Record:
    """A half-open range of the data with its fields, or with what is wrong with it."""

    start: int
    end: int
    fields: list[str]
    reason: str | None = None


@dataclass
class RecordCutter:
    """One slice of a stream of comma-separated lines."""

    data: bytes
    delimiter: str
    max_item_bytes: int

    def __post_init__(self) -> None:
        # The mark is no part of the first field; it is cut off without moving any offset.
        skipped = len(BYTE_ORDER_MARK) if self.data.startswith(BYTE_ORDER_MARK) else 0
        self._lines = self.data[skipped:].split(b"\n")
        lengths = (len(line) + 1 for line in self._lines)
        self._starts = list(accumulate(lengths, initial=skipped))
        self._valid = _is_utf8(self.data)
        # The limit is one for the whole process; it only ever grows here.
        csv.field_size_limit(max(csv.field_size_limit(), self.max_item_bytes))

    def records(self) -> Iterator[Record]:
        """All records that are not blank; after a broken line, cutting resumes at the next."""
        first = 0
        while first < len(self._lines):
            reader = csv.reader(self._texts(first), delimiter=self.delimiter, strict=True)
            begin = first
            try:
                for fields in reader:
                    if not _is_blank(fields):
                        yield self._record(begin, first + reader.line_num, fields)
                    begin = first + reader.line_num
                return
            except csv.Error as error:
                yield self._record(begin, begin + 1, [], f"not a record: {error}")
                first = begin + 1

    def _texts(self, first: int) -> Iterator[str]:
        for place in range(first, len(self._lines)):
            yield self._lines[place].decode(errors="surrogateescape") + "\n"

    def _record(
        self, first: int, after: int, fields: list[str], reason: str | None = None
    ) -> Record:
        start, end = self._starts[first], min(self._starts[after], len(self.data))
        raw = self.data[start:end].rstrip(b"\r\n")
        if reason is None and len(raw) > self.max_item_bytes:
            reason = too_large(len(raw), self.max_item_bytes)
        if reason is None and not self._valid and not _is_utf8(raw):
            reason = "invalid UTF-8"
        return Record(start, start + len(raw), fields, reason)


def _is_blank(fields: list[str]) -> bool:
    return len(fields) < 2 and not "".join(fields).strip()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
