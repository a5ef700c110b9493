"""A stix (streaming tag index): which tags after it apply to which of the tuples after them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from millstream.errors import ItemError

Tag = TypeVar("Tag", bound=Hashable)

MOST_REFERENCES = 100_000
"""References that a stix may hold."""


@dataclass(frozen=True, slots=True, order=True)
class Reference:
    """A tuple after the stix, or some of its attributes; both are counted from 1."""

    offset: int
    attributes: tuple[int, ...] = ()
    """In order; empty for the whole tuple."""

    def __post_init__(self) -> None:
        if self.offset < 1 or any(number < 1 for number in self.attributes):
            raise _bad("tuples and attributes are counted from 1")
        if list(self.attributes) != sorted(set(self.attributes)):
            raise _bad(f"the attributes of tuple {self.offset} are not in order")


@dataclass(frozen=True, slots=True)
class Stix:
    """For each of the tags that follow, in their order, what it applies to."""

    entries: tuple[tuple[Reference, ...], ...]

    def __post_init__(self) -> None:
        if not self.entries:
            raise _bad("it speaks of no tag")
        if sum(map(len, self.entries)) > MOST_REFERENCES:
            raise _bad(f"it has more than {MOST_REFERENCES:,} references")
        for number, entry in enumerate(self.entries, 1):
            offsets = [reference.offset for reference in entry]
            if not offsets:
                raise _bad(f"tag {number} applies to nothing")
            if offsets != sorted(set(offsets)):
                raise _bad(f"the tuples of tag {number} are not in order")

    def references(self, offset: int) -> Mapping[int, tuple[int, ...]]:
        """The attributes of one tuple that each tag, counted from 1, applies to."""
        return {
            number: reference.attributes
            for number, entry in enumerate(self.entries, 1)
            for reference in entry
            if reference.offset == offset
        }

    @property
    def length(self) -> int:
        """How many tuples it reaches over."""
        return max(entry[-1].offset for entry in self.entries)


def build_stix(tags: Sequence[Tag], tuples: Sequence[Mapping[Tag, Sequence[int]]]) -> Stix:
    """The index of tags that are followed by tuples.

    Each tuple says which tags are on it, and on which of its attributes, counted from 1; no
    attributes means the whole tuple.
    """
    return Stix(
        tuple(
            tuple(
                Reference(offset, tuple(sorted(set(placed[tag]))))
                for offset, placed in enumerate(tuples, 1)
                if tag in placed
            )
            for tag in tags
        )
    )


def _bad(reason: str) -> ItemError:
    return ItemError(f"not a stix: {reason}", code="bad-stix")
