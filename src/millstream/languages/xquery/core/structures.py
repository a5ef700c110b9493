"""What steps reach in the tag structures of some streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from millstream.algebra.xcql.expressions import Place, Places
from millstream.model.tag_structure import Tag, TagStructure


@dataclass(frozen=True, slots=True)
class Structures:
    """Tag structures by the names of their streams."""

    known: Mapping[str, TagStructure]

    def children(self, place: Place) -> tuple[Tag, ...]:
        structure = self.known[place.stream]
        return (structure.root,) if place.tag is None else structure.tag(place.tag).children

    def reached(self, places: Places, name: str | None, *, deep: bool) -> Places:
        """The places of a name, or of any, among the children or anywhere below."""
        return frozenset(
            Place(place.stream, tag.id)
            for place in places
            for child in self.children(place)
            for tag in (child.walk() if deep else (child,))
            if name in (None, tag.name)
        )

    def parent(self, place: Place) -> Place:
        """The place right above another."""
        assert place.tag is not None, "nothing is above a document"
        line = self.known[place.stream].line(place.tag)
        return Place(place.stream, line[-2].id if len(line) > 1 else None)

    def nested(self, places: Places) -> bool:
        """True if elements of some places may stand inside those of others."""
        tags = {place for place in places if place.tag is not None}
        if len(places) > len(tags) > 0:
            return True
        return any(
            Place(place.stream, above.id) in tags
            for place in tags
            for above in self.known[place.stream].line(place.tag or 0)[:-1]
        )

    def named(self, places: Places, name: str) -> Places:
        """Those of some places whose elements have a name."""
        return frozenset(
            place
            for place in places
            if place.tag is not None and self.known[place.stream].tag(place.tag).name == name
        )

    def has_child(self, places: Places, name: str) -> bool:
        return any(tag.name == name for tag in self._all_children(places))

    def _all_children(self, places: Places) -> Iterator[Tag]:
        for place in places:
            yield from self.children(place)
