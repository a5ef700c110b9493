"""Where the fillers are in a text that may go on for ever and may be broken in places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_FILLER = 64 * 1024 * 1024
"""Characters of a filler, unless told otherwise; a larger one is set aside unread."""

_HEAD = 1_000
_LONGEST_TOKEN = 64

_OUTSIDE = re.compile(r"<!--|<filler(?=[\s/>])")
_INSIDE = re.compile(r"<!--|<!\[CDATA\[|<filler(?=[\s/>])|</filler\s*>")
_SKIPPED = re.compile(r"<filler(?=[\s/>])|</filler\s*>")
_EMPTY = re.compile(r"<filler(?:\s+[^\s=<>]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*\s*/>")
_CLOSING = {"<!--": "-->", "<![CDATA[": "]]>"}
_HARMLESS = re.compile(r"\s+|\ufeff|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>|</?fragments[^>]*>", re.S)


@dataclass(frozen=True, slots=True)
class FillerText:
    """A stretch of text that should be one filler, or the reason why it is none."""

    text: str
    line: int
    fault: str = ""
    code: str = ""


def scan_fillers(chunks: Iterable[str], *, max_filler: int = MAX_FILLER) -> Iterator[FillerText]:
    """The fillers of a text, which comes in chunks; what stands between them must be harmless.

    Several documents may follow one another, with or without an element around the fillers.
    """
    scanner = _Scanner(max_filler)
    for chunk in chunks:
        yield from scanner.feed(chunk)
    yield from scanner.finish()


class _Scanner:
    """The text that is not yet told apart, and whether a filler has begun in it."""

    def __init__(self, max_filler: int) -> None:
        self._most = max_filler
        self._text = ""
        self._at = 0
        """What is before has been dealt with."""
        self._from = 0
        """Where the search goes on: what is before needs no second look."""
        self._line = 1
        self._ended = False
        self._state = self._outside
        self._pieces: list[FillerText] = []

    def feed(self, chunk: str) -> list[FillerText]:
        self._text = self._text[self._at :] + chunk
        self._at, self._from = 0, self._from - self._at
        return self._look()

    def finish(self) -> list[FillerText]:
        self._ended = True
        pieces = self._look()
        if self._state == self._inside:
            self._add(len(self._text), "the filler is not closed", "malformed")
        elif self._state == self._outside:
            self._drop_outside(len(self._text))
        return pieces + self._taken()

    def _look(self) -> list[FillerText]:
        while self._state():
            pass
        return self._taken()

    def _taken(self) -> list[FillerText]:
        pieces, self._pieces = self._pieces, []
        return pieces

    # Each state consumes what it can and says whether another look is worth while.

    def _outside(self) -> bool:
        match = _OUTSIDE.search(self._text, self._from)
        if match is None:
            self._wait()
            if self._length() > self._most:
                self._drop_outside(self._from)
            return False
        if match[0] in _CLOSING:
            return self._jump(match)
        self._drop_outside(match.start())
        return self._enter()

    def _inside(self) -> bool:
        empty = _EMPTY.match(self._text, self._at)
        if empty:
            return self._close(empty.end())
        match = _INSIDE.search(self._text, self._from)
        if match is None:
            self._wait()
            return self._length() > self._most and self._give_up()
        if match[0] in _CLOSING:
            return self._jump(match)
        if match[0].startswith("</"):
            return self._close(match.end())
        # No element of a history is called filler, so the one before was never closed.
        self._add(match.start(), "the filler is not closed before the next begins", "malformed")
        return self._enter()

    def _skipped(self) -> bool:
        match = _SKIPPED.search(self._text, self._from)
        if match is None:
            self._wait()
            self._drop(self._from)
            return False
        self._drop(match.end() if match[0].startswith("</") else match.start())
        self._state = self._outside
        return True

    def _enter(self) -> bool:
        self._from = self._at + len("<filler")
        self._state = self._inside
        return True

    def _close(self, end: int) -> bool:
        if end - self._at > self._most:
            self._add(end, self._too_large(), "too-large")
        else:
            self._add(end)
        self._state = self._outside
        return True

    def _give_up(self) -> bool:
        self._add(self._from, self._too_large(), "too-large")
        self._state = self._skipped
        return True

    def _too_large(self) -> str:
        return f"the filler is larger than {self._most:,} characters"

    def _length(self) -> int:
        return len(self._text) - self._at

    def _wait(self) -> None:
        """Go on where a token may have begun that the next chunk completes."""
        self._from = max(self._from, len(self._text) - _LONGEST_TOKEN)

    def _jump(self, opening: re.Match[str]) -> bool:
        """Past a comment or CDATA section, once its end has come; without an end it is none."""
        closing = _CLOSING[opening[0]]
        end = self._text.find(closing, opening.end())
        if end >= 0:
            self._from = end + len(closing)
            return True
        lost = self._ended or len(self._text) - opening.start() > self._most
        self._from = opening.end() if lost else opening.start()
        return lost

    def _add(self, end: int, fault: str = "", code: str = "") -> None:
        text = self._text[self._at : min(end, self._at + _HEAD) if fault else end]
        self._pieces.append(FillerText(text, self._line, fault, code))
        self._drop(end)

    def _drop_outside(self, end: int) -> None:
        while harmless := _HARMLESS.match(self._text, self._at, end):
            self._drop(harmless.end())
        if self._at < end:
            stray = _HARMLESS.sub(" ", self._text[self._at : end]).strip()
            fault = "this text stands outside of fillers"
            self._pieces.append(FillerText(stray[:_HEAD], self._line, fault, "stray-text"))
        self._drop(end)

    def _drop(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = self._from = end
