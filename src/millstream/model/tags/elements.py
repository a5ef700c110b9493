"""What flows in a tagged stream: tuples, the tick-tags before them, and stix between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from millstream.model.tags.stix import Stix
from millstream.model.tags.tick_tag import TickTag


@dataclass(frozen=True, slots=True)
class StreamTuple:
    """A tuple: its id, its event time, and the texts of its attributes in the stream's order."""

    id: str
    time: int
    """In microseconds."""
    texts: tuple[str | None, ...]
    """None where the attribute is missing."""


Element = StreamTuple | TickTag | Stix


@dataclass(frozen=True, slots=True)
class Placed:
    """An element at its position in a stream."""

    position: int
    element: Element


def place(elements: Iterable[Element], start: int = 0) -> Iterator[Placed]:
    """Elements with the positions at which they follow one another."""
    return (Placed(position, element) for position, element in enumerate(elements, start))
