"""Lines of JSON cut at quotes, and at all that stands between values, so they can be compared."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from millstream.runtime.parsing.spelt_alike import Flags, Places, Window

_QUOTE, _BRACE, _LINE, _SPACE, _BACKSLASH = b'"{\n \\'
_IS_MARK = np.zeros(256, np.bool_)
_IS_MARK[list(b'"{}[],:')] = True


class JsonWindow(Window):
    """A part of some data that begins with a line, and ends with one."""

    def __init__(self, data: bytes, start: int, stop: int) -> None:
        super().__init__(data, start, stop)
        characters = self.characters
        behind = np.flatnonzero(characters == _LINE) + 1
        lines = np.concatenate(([0], behind[behind < len(characters)]))
        likely = np.flatnonzero(_IS_MARK[characters])
        quotes = characters[likely] == _QUOTE
        counted = np.cumsum(quotes)
        edges = np.searchsorted(likely, np.append(lines, len(characters)))
        before = np.append(0, counted)[edges]
        # What stands in a text, behind an odd quote of its line, is no mark.
        inside = (counted - np.repeat(before[:-1], np.diff(edges))) & 1
        self.marks: Places = likely[quotes | (inside == 0)]
        opened = lines[characters[lines] == _BRACE]
        self.elements: Places = np.append(opened, len(characters))
        """Lines that begin with an object, and the end."""
        self.firsts: Places = np.searchsorted(self.marks, self.elements)
        odd = lines[np.diff(before) & 1 == 1]
        doubtful = np.append(np.flatnonzero(characters == _BACKSLASH), odd)
        self.plain: Flags = np.ones(len(opened), np.bool_)
        """Which of them have no escapes, and no texts that are not closed."""
        found = np.searchsorted(opened, doubtful, side="right") - 1
        self.plain[found[found >= 0]] = False

    @cached_property
    def unusual(self) -> tuple[Flags, Flags]:
        found = np.flatnonzero(self.characters < _SPACE)
        flags = np.zeros(len(self.marks) + 1, np.bool_)
        flags[np.searchsorted(self.marks, found) - 1] = True
        return flags, flags
