"""What is known of a value before it is computed: where its nodes stand, and what else it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from millstream.languages.xquery import syntax


class Place(NamedTuple):
    """A tag of a stream, or the stream's document, which has no tag."""

    stream: str
    tag: int | None = None


class Kind(Enum):
    """What a value may be beside nodes of a stream."""

    MADE = "a constructed element"
    TEXT_NODE = "text of an element"
    ATTRIBUTE = "an attribute"
    TIME = "a time"
    DURATION = "a duration"
    NUMBER = "a number"
    TEXT = "a text"
    TRUTH = "a truth"
    INTERVAL = "an interval"
    ANY = "anything"


@dataclass(frozen=True, slots=True)
class Shape:
    """The kinds of item that a value may hold.

    Stored nodes stand in fillers, with holes; copied ones have been put together and carry their
    lifespans themselves.
    """

    stored: frozenset[Place] = frozenset()
    copied: frozenset[Place] = frozenset()
    kinds: frozenset[Kind] = frozenset()

    @classmethod
    def of(cls, *kinds: Kind) -> Shape:
        return cls(kinds=frozenset(kinds))

    def __or__(self, other: Shape) -> Shape:
        return Shape(
            self.stored | other.stored, self.copied | other.copied, self.kinds | other.kinds
        )

    @property
    def places(self) -> frozenset[Place]:
        return self.stored | self.copied

    @property
    def has_elements(self) -> bool:
        """True if there may be elements in it."""
        return bool(self.places or self.kinds & {Kind.MADE, Kind.ANY})

    @property
    def known(self) -> bool:
        """True if all its elements are of tags that are known."""
        return not self.kinds & {Kind.MADE, Kind.ANY}

    @property
    def may_be_copied(self) -> bool:
        """True if it may hold copies of stored nodes, of which there may be several of one."""
        return bool(self.copied) or Kind.ANY in self.kinds

    def may_be(self, *kinds: Kind) -> bool:
        return not self.kinds.isdisjoint(kinds)

    def only(self, *kinds: Kind) -> bool:
        """True if it holds nothing but items of these kinds."""
        return not self.places and self.kinds <= set(kinds)

    def copies(self) -> Shape:
        """The shape after all its nodes have been put together."""
        kinds = {Kind.MADE if kind is Kind.ANY else kind for kind in self.kinds}
        return Shape(copied=self.places, kinds=frozenset(kinds))


NOTHING = Shape()
ANYTHING = Shape.of(Kind.ANY)
NUMBER = Shape.of(Kind.NUMBER)
TEXT = Shape.of(Kind.TEXT)
TRUTH = Shape.of(Kind.TRUTH)
TIME = Shape.of(Kind.TIME)
DURATION = Shape.of(Kind.DURATION)


def union(shapes: Iterable[Shape]) -> Shape:
    """The shape of what may be any of some."""
    joined = NOTHING
    for shape in shapes:
        joined |= shape
    return joined


class Translated(NamedTuple):
    """An expression of plain XQuery, and the shape of its value."""

    expression: syntax.Expression
    shape: Shape
