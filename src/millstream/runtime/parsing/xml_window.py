"""XML cut at quotes and angle brackets, so that elements can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from millstream.runtime.parsing.spelt_alike import Flags, Places, Window

_QUOTE, _AMPERSAND, _SPACE, _TAB, _LINE = b'"& \t\n'
_BEHIND_NAME = np.frombuffer(b" \t\r\n>/", np.uint8)


class XmlWindow(Window):
    """A part of some data that begins with an element."""

    def __init__(self, data: bytes, start: int, stop: int, names: Sequence[bytes]) -> None:
        """`names` are those of the elements that are sought."""
        super().__init__(data, start, stop)
        brackets = (self.characters & 0xFD) == ord("<")
        self.marks: Places = np.flatnonzero(brackets | (self.characters == _QUOTE))
        openings = self.marks[self.characters[self.marks] == ord("<")]
        found = [self._begin_with(openings, b"<" + name) for name in dict.fromkeys(names)]
        self.elements: Places = found[0] if len(found) == 1 else np.sort(np.concatenate(found))
        self.firsts: Places = np.searchsorted(self.marks, self.elements)

    def _begin_with(self, openings: Places, opening: bytes) -> Places:
        """The openings that are these, and not others that only begin with them."""
        last = len(self.characters) - 1
        likely = openings[self.characters[np.minimum(openings + 1, last)] == opening[1]]
        likely = likely[self.have(likely, opening)]
        behind = self.characters[np.minimum(likely + len(opening), last)]
        found: Places = likely[np.isin(behind, _BEHIND_NAME)]
        return found

    @cached_property
    def unusual(self) -> tuple[Flags, Flags]:
        """Behind which marks there is something that attributes may not have, and texts not."""
        found = np.flatnonzero((self.characters < _SPACE) | (self.characters == _AMPERSAND))
        pieces = np.searchsorted(self.marks, found) - 1
        kinds = self.characters[found]
        for_attributes, for_texts = np.zeros((2, len(self.marks) + 1), np.bool_)
        for_attributes[pieces] = True
        for_texts[pieces[(kinds != _TAB) & (kinds != _LINE)]] = True
        return for_attributes, for_texts
