"""The characters between the parts of a constructor."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.errors import Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.references import normalize_line_ends

SPACE = " \t\r\n"
_TO_SPACES = str.maketrans("\t\n", "  ")


class CharacterRun:
    """Characters with nothing between them; white space alone is boundary space.

    Characters that come from references or CDATA sections make a run solid: it is kept.
    """

    def __init__(self, start: int) -> None:
        self._start = start
        self._pieces: list[str] = []
        self._solid = False

    def add_content(self, characters: str) -> None:
        """Characters of element content, as written."""
        self._pieces.append(normalize_line_ends(characters))
        self._solid = self._solid or bool(characters.strip(SPACE))

    def add_value(self, characters: str) -> None:
        """Characters of an attribute value, as written: line ends and tabs are spaces."""
        self._pieces.append(normalize_line_ends(characters).translate(_TO_SPACES))

    def add(self, characters: str) -> None:
        """Characters that a reference, doubling or CDATA section stands for."""
        self._pieces.append(characters)
        self._solid = True

    def flush(self, end: int, *, keep_space: bool = False) -> Iterator[syntax.Text]:
        """The run as one text, unless it is empty or boundary space."""
        value = "".join(self._pieces)
        if value and (self._solid or keep_space):
            yield syntax.Text(value, span=Span(self._start, end))
