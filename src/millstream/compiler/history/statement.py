"""One SQL statement of named parts, each written when all that is asked of it is known."""

from __future__ import annotations

import re
from collections.abc import Callable

_PART = re.compile(r"\b(?:source|holes|hops|frame|loop|filled|made)_\d+\b")

_COLUMN = re.compile(r"\bt\.(?:`([^`]+)`|(\w+))")
_NO_COLUMNS = frozenset({"i", "f", "e"})
"""What is made of a view's rows while they are read."""


class Statement:
    """Parts of a statement by name; they may ask more of each other until all is written."""

    def __init__(self) -> None:
        self._parts: dict[str, Callable[[], str]] = {}
        self.reads: dict[str, set[str]] = {}
        """The columns that are read of each view, once all is written."""
        self._used = 0

    def fresh(self, prefix: str) -> str:
        """A name that nothing else has."""
        self._used += 1
        return f"{prefix}_{self._used}"

    def add(self, prefix: str, write: Callable[[], str]) -> str:
        """The name of a new part."""
        name = self.fresh(prefix)
        self._parts[name] = write
        return name

    def reading(self, view: str, sql: str) -> str:
        """SQL that reads a view under the name t, of which the columns are noted."""
        columns = self.reads.setdefault(view, set())
        columns |= {quoted or plain for quoted, plain in _COLUMN.findall(sql)} - _NO_COLUMNS
        return sql

    def sql(self, main: str) -> str:
        """The whole statement; what no other part names is left out."""
        written: dict[str, str] = {}
        self._write(main, written)
        parts = ",\n".join(f"{name} AS (\n{text}\n)" for name, text in written.items())
        return f"WITH {parts}\n{main}" if written else main

    def _write(self, text: str, written: dict[str, str]) -> None:
        for name in dict.fromkeys(_PART.findall(text)):
            if name not in written and name in self._parts:
                part = self._parts[name]()
                self._write(part, written)
                written[name] = part
