"""What readers of tagged streams have in common: options, and elements that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from millstream.errors import ItemError
from millstream.model.tags.elements import Placed, StreamTuple
from millstream.model.tags.stix import Stix
from millstream.model.tags.stream_shape import StreamShape
from millstream.model.tags.tag_type import Classifier
from millstream.model.tags.tick_tag import TickTag

MAX_RAW = 1_000
"""Characters of its text that a bad element keeps."""


@dataclass(frozen=True, slots=True)
class WireOptions:
    """How the elements of a stream are read and written."""

    shape: StreamShape
    tagger: str | None = None
    """Who attached the tags that do not say so."""
    item: str = "tuple"
    """The XML element that holds a tuple."""
    classify: Classifier | None = None
    """Tells the type of tags that do not say so; None for the default."""


@dataclass(frozen=True, slots=True)
class BadElement:
    """An element that was set aside: where it stood, its text, and what is wrong with it."""

    position: int
    line: int
    raw: str
    error: ItemError

    def __str__(self) -> str:
        return f"line {self.line}: {self.error.message}"


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one element, and the line it begins in."""

    line: int
    text: str
    fault: ItemError | None = None
    """Why it is no element."""


@dataclass(frozen=True, slots=True)
class Unstamped:
    """A tag that does not say when it was attached."""

    tag: TickTag


Parsed = StreamTuple | TickTag | Stix | Unstamped
Read = Placed | BadElement


@dataclass(frozen=True, slots=True)
class _Found:
    position: int
    piece: Piece
    outcome: Parsed | ItemError


def read_pieces(
    pieces: Iterable[Piece], parse: Callable[[str], Parsed], start: int = 0
) -> Iterator[Read]:
    """The elements of some pieces; each piece has a position, also one that cannot be read.

    A tag without a time gets the time that the stream has reached: that of the latest tuple
    before it, or of the first tuple where none came before.
    """
    latest: int | None = None
    waiting: list[_Found] = []
    for position, piece in enumerate(pieces, start):
        outcome = _parse(piece, parse)
        if isinstance(outcome, StreamTuple):
            latest = outcome.time if latest is None else max(latest, outcome.time)
        waiting.append(_Found(position, piece, outcome))
        if latest is not None:
            yield from (_read(found, latest) for found in waiting)
            waiting.clear()
    yield from (_read(found, None) for found in waiting)


def _parse(piece: Piece, parse: Callable[[str], Parsed]) -> Parsed | ItemError:
    if piece.fault is not None:
        return piece.fault
    try:
        return parse(piece.text)
    except ItemError as error:
        return error


def _read(found: _Found, latest: int | None) -> Read:
    outcome = found.outcome
    if isinstance(outcome, Unstamped):
        if latest is not None:
            return Placed(found.position, replace(outcome.tag, timestamp=latest))
        outcome = ItemError("the tag has no time, and no tuple gives it one", code="no-time")
    if isinstance(outcome, ItemError):
        return BadElement(found.position, found.piece.line, found.piece.text[:MAX_RAW], outcome)
    return Placed(found.position, outcome)
