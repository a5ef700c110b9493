"""The tag structure of a history: which elements stand where, and which of them come as fillers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from millstream.errors import SchemaError, did_you_mean
from millstream.model.schema import Path

RESERVED_NAMES = frozenset({"hole", "filler"})
"""Names of the wire format, which no element of a document may have."""


class TagType(Enum):
    """How the elements of a tag change."""

    SNAPSHOT = "snapshot"
    """Inline in its parent, without a lifespan of its own."""
    TEMPORAL = "temporal"
    """A filler, of which each new version ends the one before."""
    EVENT = "event"
    """A filler that is valid at one instant."""


@dataclass(frozen=True, slots=True)
class Tag:
    """An element of a history, with all that may stand inside it."""

    id: int
    name: str
    type: TagType = TagType.SNAPSHOT
    children: tuple[Tag, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    """What a structure's text says about the tag beyond id, name and type."""

    @property
    def fragmented(self) -> bool:
        """True when its elements come as fillers of their own."""
        return self.type is not TagType.SNAPSHOT

    def child(self, name: str) -> Tag | None:
        return next((child for child in self.children if child.name == name), None)

    def walk(self) -> Iterator[Tag]:
        """This tag and all below it, in document order."""
        waiting = [self]
        while waiting:
            tag = waiting.pop()
            yield tag
            waiting += reversed(tag.children)


@dataclass(frozen=True)
class TagStructure:
    """The tags of a history below its root element."""

    root: Tag

    @cached_property
    def tags(self) -> Mapping[int, Tag]:
        """Every tag by its id, in document order."""
        return {tag.id: tag for tag in self.root.walk()}

    @cached_property
    def parents(self) -> Mapping[int, Tag]:
        """The parent of every tag but the root, by the tag's id."""
        return {child.id: tag for tag in self.tags.values() for child in tag.children}

    @cached_property
    def children(self) -> Mapping[int, Mapping[str, Tag]]:
        """The children of every tag by name, by the tag's id."""
        return {tag.id: {child.name: child for child in tag.children} for tag in self.tags.values()}

    def tag(self, id: int) -> Tag:
        """The tag of an id, or SchemaError."""
        if id not in self.tags:
            known = (f"{tag.id} ({tag.name})" for tag in self.tags.values())
            raise SchemaError(f"the tag structure has no tag {id}", help=did_you_mean("", known))
        return self.tags[id]

    def path(self, id: int) -> Path:
        """The names from the root down to a tag."""
        return tuple(tag.name for tag in self.line(id))

    def line(self, id: int) -> tuple[Tag, ...]:
        """The tags from the root down to a tag, both included."""
        line = [self.tag(id)]
        while line[-1].id in self.parents:
            line.append(self.parents[line[-1].id])
        return tuple(reversed(line))

    def at(self, path: Path) -> Tag | None:
        """The tag at a path of names that begins with the root's."""
        if path[:1] != (self.root.name,):
            return None
        tag: Tag | None = self.root
        for name in path[1:]:
            tag = self.children[tag.id].get(name) if tag else None
        return tag

    def holder(self, id: int) -> Tag:
        """The tag in whose fillers the elements, or the holes, of a tag stand."""
        above = self.line(id)[:-1]
        return next((tag for tag in reversed(above) if tag.fragmented), self.root)
