"""Where a reader stands: a place in a log that means the same after a restart."""

from __future__ import annotations

import re

from millstream.errors import QueryError

Position = tuple[int, ...]
"""Of a stream: the position of an item. Of results: a step, and a place among its results."""

_WRITTEN = re.compile(r"-?[0-9]{1,18}(\.-?[0-9]{1,18})?")


def write_position(position: Position) -> str:
    """A position as readers see it, and send it back."""
    return ".".join(str(each) for each in position)


def read_position(text: str, parts: int) -> Position:
    """The position that a reader sent back."""
    found = tuple(int(each) for each in text.split(".")) if _WRITTEN.fullmatch(text) else ()
    if len(found) != parts:
        raise QueryError(
            f"'{text}' is no position",
            code="position",
            help="send back a position that a page or an event had",
        )
    return found
