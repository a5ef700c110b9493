"""The statistics of one original stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from millstream.model.schema import Content, Element, Path, Schema
from millstream.sharing.statistics.sample import Sample


@dataclass(frozen=True, slots=True)
class ElementStatistics:
    """How often an element (or attribute) stands in an item, and how long its XML is."""

    occurrence: float
    """Per item, on average."""
    size: float
    """Bytes of one of them, on average, with all that stands inside."""

    @property
    def weight(self) -> float:
        """The bytes that an item has of it."""
        return self.occurrence * self.size


@dataclass(frozen=True, slots=True, eq=False)
class StreamStatistics:
    """What an average item of a stream is like, and how many come a second."""

    schema: Schema
    items: int
    """How many were looked at."""
    size: float
    """Bytes of the XML of an item, on average."""
    frequency: float
    """Items a second."""
    elements: Mapping[Path, ElementStatistics]
    increments: Mapping[Path, float]
    """By how much the value of a leaf grows from item to item; times in seconds."""
    sample: Sample

    def size_of(self, kept: Iterable[Path]) -> float:
        """Bytes of an average item of which only some paths, with all below them, are kept."""
        paths = frozenset(kept)
        return self.size - self._dropped(self.schema.item, (), paths)

    def _dropped(self, element: Element, path: Path, kept: frozenset[Path]) -> float:
        """The bytes that go; a subtree that goes as a whole is counted once, at its top."""
        if path in kept and element.content is not Content.LEAF:
            return 0.0
        attributes = [(*path, f"@{each.name}") for each in element.attributes]
        gone = sum(self._weight(each) for each in attributes if each not in kept)
        if element.content is Content.LEAF and path not in kept:
            gone += self._text_weight(path, attributes)
        for child in element.children:
            below = (*path, child.name)
            if any(each[: len(below)] == below for each in kept):
                gone += self._dropped(child, below, kept)
            else:
                gone += self._weight(below)
        return gone

    def _text_weight(self, path: Path, attributes: Iterable[Path]) -> float:
        """The bytes that an item has of the text of a leaf, without its tags and attributes."""
        found = self.elements.get(path)
        if found is None:
            return 0.0
        text = found.weight - found.occurrence * tags(path[-1]) - sum(map(self._weight, attributes))
        return max(0.0, text)

    def _weight(self, path: Path) -> float:
        found = self.elements.get(path)
        return found.weight if found else 0.0


def tags(name: str) -> int:
    """Bytes of the two tags of an element."""
    return 2 * len(name.encode()) + len("<></>")
