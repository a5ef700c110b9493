"""How alike two contents are: by equality, by dictionary, by the objects they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from millstream.model.tags import TagFunction, Thesaurus
from millstream.testing.tags.relation import Origin, Row

TaggedObject = tuple[Origin, str, str | None]
"""Where a tuple came from, the granularity, and the attribute; None for the whole tuple."""


class TaggedObjects:
    """The objects that each content is on, among some rows."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._objects: dict[str, set[TaggedObject]] = {}
        for row in rows:
            for mark in row.marks:
                attribute = None if mark.granularity.whole else mark.attribute
                place = (row.origin, mark.granularity.layer.value, attribute)
                self._objects.setdefault(mark.tag.tag.content, set()).add(place)

    def of(self, content: str) -> frozenset[TaggedObject]:
        return frozenset(self._objects.get(content, ()))

    def together(self, one: str, other: str) -> int:
        """On how many objects both contents are."""
        return len(self.of(one) & self.of(other))

    def jaccard(self, one: str, other: str) -> Fraction:
        """The share of objects that both contents are on, among those that either is on."""
        either = self.of(one) | self.of(other)
        return Fraction(self.together(one, other), len(either)) if either else Fraction(0)


Closeness = Callable[[str, str, TaggedObjects], Fraction]
"""How close a content is to a group of tags, from 0 to 1, given the objects in the window."""


def by_equality(content: str, group: str, objects: TaggedObjects) -> Fraction:
    return Fraction(content == group)


def by_dictionary(thesaurus: Thesaurus) -> Closeness:
    """Groups are called what their words mean."""
    return lambda content, group, _: Fraction(thesaurus.meaning(content) == group)


def by_jaccard(least: Fraction) -> Closeness:
    """The share of common objects, where it is at least so large."""

    def closeness(content: str, group: str, objects: TaggedObjects) -> Fraction:
        share = objects.jaccard(content, group)
        return share if share >= least else Fraction(0)

    return closeness


def by_function(function: TagFunction, least: Fraction) -> Closeness:
    """What a user's function says, where it is at least so much."""

    def closeness(content: str, group: str, objects: TaggedObjects) -> Fraction:
        near = Fraction(function(content, group) or 0)
        return near if near >= least else Fraction(0)

    return closeness
