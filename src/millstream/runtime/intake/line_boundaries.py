"""Where lines of JSON and records of CSV may be cut."""

from __future__ import annotations

import re

from millstream.runtime.intake.boundaries import Cut, Flaw


class LineBoundaries:
    """One item a line; the last line of a file needs no line end."""

    spans_files = False

    def __init__(self, beside: re.Pattern[bytes] | None = None) -> None:
        """Lines that begin with this pattern stand before an item and are about it."""
        self._beside = beside

    def cut(self, window: bytes, limit: int | None, final: bool) -> Cut:
        """The whole lines of a window."""
        if limit is not None:
            return self._counted(window, limit, final)
        if final and window.strip():
            return Cut(len(window))
        end = window.rfind(b"\n") + 1
        return Cut(self._behind_items(window, end) or end)

    def _behind_items(self, window: bytes, end: int) -> int:
        """Just after the last line before the end that is an item, or 0."""
        while end and self._beside:
            start = window.rfind(b"\n", 0, end - 1) + 1
            if not self._beside.match(window, start, end):
                break
            end = start
        return end

    def _counted(self, window: bytes, limit: int, final: bool) -> Cut:
        end = items = 0
        while items < limit and (line_end := window.find(b"\n", end)) >= 0:
            items += bool(window[end:line_end].strip())
            end = line_end + 1
        if final and items < limit:
            return Cut(len(window), items + bool(window[end:].strip()))
        return Cut(end, items)

    def start(self, window: bytes) -> int:
        """An item begins at once."""
        return 0

    def resume(self, window: bytes, desperate: bool) -> tuple[int, bool]:
        """Reading goes on in the next line."""
        line_end = window.find(b"\n")
        return (line_end + 1, True) if line_end >= 0 else (len(window), False)

    def flaw(self, rest: bytes, fruitful: bool) -> Flaw | None:
        """Every line is an item, however bad: its parser says what is wrong."""
        return None

    def idle(self, rest: bytes) -> bool:
        """True for white space."""
        return not rest.strip()


class RecordBoundaries(LineBoundaries):
    """One item a record; a line end inside quotes belongs to the record."""

    def cut(self, window: bytes, limit: int | None, final: bool) -> Cut:
        """The whole records of a window."""
        if limit is not None:
            return self._counted(window, limit, final)
        if final and window.strip() and window.count(b'"') % 2 == 0:
            return Cut(len(window))
        return Cut(_last_record_end(window))

    def _counted(self, window: bytes, limit: int, final: bool) -> Cut:
        end = items = 0
        while items < limit and (record_end := _record_end(window, end)):
            items += bool(window[end:record_end].strip())
            end = record_end
        rest = window[end:]
        if final and items < limit and rest.count(b'"') % 2 == 0:
            return Cut(len(window), items + bool(rest.strip()))
        return Cut(end, items)

    def flaw(self, rest: bytes, fruitful: bool) -> Flaw | None:
        """A record whose quotes are never closed."""
        return Flaw(0, "truncated", "quotes are not closed") if rest.strip() else None


def header_end(text: bytes) -> int:
    """Just after the first record, or 0 when it is not whole."""
    return _record_end(text, 0)


def _record_end(window: bytes, start: int) -> int:
    """Just after the record that starts here, or 0 when it is not whole."""
    line_end = window.find(b"\n", start)
    quotes = 0
    low = start
    while line_end >= 0:
        quotes += window.count(b'"', low, line_end)
        if quotes % 2 == 0:
            return line_end + 1
        low, line_end = line_end, window.find(b"\n", line_end + 1)
    return 0


def _last_record_end(window: bytes) -> int:
    """Just after the last line end outside quotes, or 0."""
    line_end = window.rfind(b"\n")
    quotes = window.count(b'"', 0, max(line_end, 0))
    while line_end >= 0 and quotes % 2:
        opening = window.rfind(b'"', 0, line_end)
        earlier = window.rfind(b"\n", 0, opening)
        quotes -= window.count(b'"', max(earlier, 0), line_end)
        line_end = earlier
    return line_end + 1
