"""The tag structures of the streams that a query reads, and what can be reached in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from millstream.errors import QueryError, Span, did_you_mean
from millstream.languages.xquery.translation.shape import Place
from millstream.model.tag_structure import Tag, TagStructure, TagType


@dataclass(slots=True)
class Structures:
    """Tag structures by the names of their streams, and the streams that were asked for."""

    known: Mapping[str, TagStructure]
    used: dict[str, None] = field(default_factory=dict)
    _holed: dict[Place, bool] = field(default_factory=dict)

    def document(self, name: str | None, span: Span) -> Place:
        """The document of a stream; without a name, of the only one."""
        if name is None:
            if len(self.known) != 1:
                raise QueryError(
                    f"{len(self.known)} streams are known, so the one to read must be named",
                    span=span,
                    help=did_you_mean("", self.known),
                )
            name = next(iter(self.known))
        if name not in self.known:
            raise QueryError(
                f"there is no stream '{name}'", span=span, help=did_you_mean(name, self.known)
            )
        self.used[name] = None
        return Place(name)

    def tag(self, place: Place) -> Tag:
        """The tag of a place that is no document."""
        assert place.tag is not None, "a document has no tag"
        return self.known[place.stream].tag(place.tag)

    def children(self, place: Place) -> tuple[Tag, ...]:
        """The tags that may stand in a place."""
        if place.tag is None:
            return (self.known[place.stream].root,)
        return self.tag(place).children

    def crosses(self, above: Place, tag: Tag) -> bool:
        """True if a hole lies between a place and a tag in it; the root stands in no hole."""
        return above.tag is not None and tag.fragmented

    def has_filler(self, place: Place) -> bool:
        """True if the elements of a place may have a lifespan of their own."""
        root = self.known[place.stream].root
        return place.tag in (None, root.id) or self.tag(place).fragmented

    def has_holes(self, place: Place) -> bool:
        """True if there may be a hole anywhere in the elements of a place."""
        if place not in self._holed:
            self._holed[place] = any(
                self.crosses(place, tag) or self.has_holes(Place(place.stream, tag.id))
                for tag in self.children(place)
            )
        return self._holed[place]

    def holes_in(self, places: Iterable[Place]) -> frozenset[int]:
        """The tags of the holes that may stand directly in some places."""
        return frozenset(
            tag.id for place in places for tag in self.children(place) if self.crosses(place, tag)
        )

    def below(self, place: Place) -> Iterator[tuple[Tag, ...]]:
        """The line of tags from a place down to each tag below it."""
        for tag in self.children(place):
            yield (tag,)
            for line in self.below(Place(place.stream, tag.id)):
                yield (tag, *line)

    def line(self, place: Place) -> tuple[Tag, ...]:
        """The tags from the root to a place, both included."""
        assert place.tag is not None, "a document has no line"
        return self.known[place.stream].line(place.tag)

    def holder(self, place: Place) -> Tag:
        """The tag in whose fillers the elements of a place, or their holes, stand."""
        assert place.tag is not None, "a document stands in nothing"
        return self.known[place.stream].holder(place.tag)

    def may_repeat(self, above: Place, tag: Tag) -> bool:
        """True if versions of what is above may share the elements of a tag."""
        if not self.crosses(above, tag):
            return False
        return self.holder(Place(above.stream, tag.id)).type is not TagType.EVENT

    def path(self, place: Place) -> str:
        """A place as messages name it."""
        if place.tag is None:
            return f"stream '{place.stream}'"
        return "/".join(self.known[place.stream].path(place.tag))

    def types(self, name: str) -> dict[int, str]:
        """The tags of a stream whose fillers are no versions of each other: events and the root."""
        structure = self.known[name]
        return {
            tag.id: tag.type.value
            for tag in structure.tags.values()
            if tag.type is TagType.EVENT or (tag is structure.root and not tag.fragmented)
        }
