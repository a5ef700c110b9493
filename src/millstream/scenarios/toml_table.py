"""A table of a TOML file that knows where it is written, so that errors can point at it."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from reprlib import repr as shortened
from typing import Any

from millstream.errors import SchemaError, Span, did_you_mean
from millstream.scenarios.scenario_file import ScenarioFile

_HEADER = re.compile(r"^[ \t]*\[{1,2}[ \t]*([\w.\"'-]+)[ \t]*\]{1,2}\s*?(?:#.*)?$", re.MULTILINE)
_FILE = "the file"


@dataclass(frozen=True, slots=True)
class Table:
    """Keys and values, with what people call the table and its place in the text."""

    file: ScenarioFile
    content: Mapping[str, Any]
    what: str
    place: Span | None = None
    """From its header, or its key, to the next header."""

    def __contains__(self, key: str) -> bool:
        return key in self.content

    def only(self, *known: str) -> Table:
        """This table, whose keys are all known."""
        for key in self.content:
            if key not in known:
                raise self.error(
                    f"{self.what} has an unknown key '{key}'", key, help=did_you_mean(key, known)
                )
        return self

    def text(self, key: str, default: str | None = None) -> str:
        return str(self._value(key, str, "text", default))

    def maybe_text(self, key: str) -> str | None:
        return self.text(key) if key in self else None

    def number(self, key: str, default: float | None = None, *, above: float = -math.inf) -> float:
        value = self._value(key, (int, float), "a number", default)
        if not above < value <= sys.float_info.max:
            bound = "" if above == -math.inf else f" above {above:g}"
            what = f"{key} of {self.what}"
            raise self.error(f"{what} must be a number{bound}, not {shortened(value)}", key)
        return float(value)

    def whole(self, key: str, default: int | None = None, *, least: int | None = None) -> int:
        value = int(self._value(key, int, "a whole number", default))
        if least is not None and value < least:
            raise self.error(f"{key} of {self.what} must be at least {least}, not {value}", key)
        return value

    def texts(self, key: str, default: Iterable[str]) -> tuple[str, ...]:
        """A list of texts; a single one may stand alone."""
        value = self.content.get(key, list(default))
        listed = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str) for each in listed):
            raise self.error(f"{key} of {self.what} must be a list of texts", key)
        return tuple(listed)

    def table(self, key: str) -> Table:
        """A table inside this one; empty if it is not there."""
        value = self._value(key, dict, "a table", {})
        place = next(self._headers(key), None) or self.at(key)
        return Table(self.file, value, f"'{key}' of {self.what}", place)

    def tables(self, key: str, what: str | None = None) -> Iterator[Table]:
        """The tables of a list, each called by its name."""
        listed = self._value(key, list, f"written [[{key}]]", [])
        places = self._headers(key)
        for number, value in enumerate(listed):
            if not isinstance(value, dict):
                raise self.error(f"{key} of {self.what} must be written [[{key}]]", key)
            name = value.get("name", f"number {number + 1}")
            place = next(places, None) or self.at(key)
            yield Table(self.file, value, f"{what or key} '{name}'", place)

    def known(self, key: str, kind: str, name: str, names: Iterable[str]) -> None:
        """Refuse a name, said at a key, that is not among the known ones."""
        if name not in (listed := list(names)):
            raise self.error(f"there is no {kind} '{name}'", key, help=did_you_mean(name, listed))

    def at(self, key: str) -> Span | None:
        """Where a key of this table is written, if it is found."""
        if not key or self.place is None:
            return None
        pattern = re.compile(rf"(?<![\w.\"'-])[\"']?{re.escape(key)}[\"']?(?=\s*=)")
        found = pattern.search(self.file.text, self.place.start, self.place.end)
        return Span(*found.span()) if found else None

    def error(self, message: str, key: str = "", help: str | None = None) -> SchemaError:
        """An error at a key of this table, or at the table."""
        span = self.at(key) or self._header_line(key) or self._first_line()
        return self.file.error(message, span=span, help=help)

    def _value(self, key: str, kind: type | tuple[type, ...], name: str, default: object) -> Any:
        value = self.content.get(key, default)
        if value is None:
            raise self.error(f"{self.what} has no {key}")
        # A bool is an int to Python; to the writer of a file it is not.
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(f"{key} of {self.what} must be {name}, not {shortened(value)}", key)
        if value == "":
            raise self.error(f"{key} of {self.what} is empty", key)
        return value

    def _headers(self, key: str) -> Iterator[Span]:
        """The parts of the text below headers of a name, from here on."""
        text, start = self.file.text, self.place.start if self.place else 0
        found = _HEADER.finditer(text, start)
        for header, following in pairwise(chain(found, (None,))):
            if header and header[1].rpartition(".")[2].strip("\"'") == key:
                yield Span(header.start(), following.start() if following else len(text))

    def _header_line(self, key: str) -> Span | None:
        return self._line(next(self._headers(key), None)) if key else None

    def _first_line(self) -> Span | None:
        # The file as a whole begins nowhere in particular.
        return None if self.what == _FILE else self._line(self.place)

    def _line(self, place: Span | None) -> Span | None:
        return place and self.file.line(self.file.text.count("\n", 0, place.start) + 1)


def whole_file(file: ScenarioFile, content: Mapping[str, Any]) -> Table:
    """The table of a file's own keys."""
    first = _HEADER.search(file.text)
    return Table(file, content, _FILE, Span(0, first.start() if first else len(file.text)))
