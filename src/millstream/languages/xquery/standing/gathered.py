"""What is gathered of a query while it is gone through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from millstream.algebra.standing import Entry, Link, Need, TimeWindow
from millstream.model.tag_structure import Tag, TagStructure, TagType
from millstream.model.time_shift import TimeShift


class NotLocal(Exception):
    """A query whose bindings cannot be told apart; the message says why."""


@dataclass(slots=True)
class NeedTree:
    """The fillers of a tag that are read, while they are gathered."""

    tsid: int
    inside: dict[int, NeedTree] = field(default_factory=dict)
    windows: set[TimeWindow | None] = field(default_factory=set)

    def child(self, tsid: int) -> NeedTree:
        return self.inside.setdefault(tsid, NeedTree(tsid))

    def need(self) -> Need:
        """What was gathered; different windows are not told apart."""
        inside = tuple(self.inside[tsid].need() for tsid in sorted(self.inside))
        window = next(iter(self.windows)) if len(self.windows) == 1 else None
        return Need(self.tsid, inside, window)


@dataclass(slots=True, eq=False)
class EntryTree:
    """A path from a stream, while what it leads to is gathered."""

    number: int
    stream: str
    structure: TagStructure
    anchor: Tag
    binds: bool = False
    tree: NeedTree = field(init=False)

    def __post_init__(self) -> None:
        self.tree = NeedTree(self.anchor.id)

    def cross(self, start: Tag, tag: Tag, window: TimeWindow | None = None) -> None:
        """Note that fillers of a tag are read, and those on the way to it from another."""
        line = self.structure.line(tag.id)
        tree, new = self.tree, line.index(start)
        for place in range(line.index(self.anchor) + 1, len(line)):
            if line[place].fragmented:
                tree = tree.child(line[place].id)
                if place > new:
                    tree.windows.add(window if line[place] is tag else None)

    def cross_all(self, tag: Tag) -> None:
        """Note that all below a tag is read."""
        for each in tag.walk():
            if each.fragmented and each is not tag:
                self.cross(tag, each)

    def entry(self) -> Entry:
        event = self.anchor.type is TagType.EVENT
        return Entry(self.stream, self.anchor.id, event, self.binds, self.tree.need().inside)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where nodes of an expression may be: at a tag, inside the anchors of an entry.

    Without an entry it is above all anchors: in the root, or (without a tag) the stream itself.
    """

    stream: str
    tag: Tag | None
    entry: EntryTree | None = None
    bound: bool = False
    """True if a variable holds one of them at a time."""
    clipped: bool = False
    """True if what is left of its lifespan may depend on now."""

    @property
    def is_anchor(self) -> bool:
        return self.entry is not None and self.entry.anchor is self.tag


Spots = frozenset[Spot]
NONE: Spots = frozenset()


@dataclass(slots=True)
class Gathered:
    """Everything that is gathered of a query."""

    entries: list[EntryTree] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    shifts: set[TimeShift] = field(default_factory=set)

    def enter(self, stream: str, structure: TagStructure, anchor: Tag) -> EntryTree:
        """A new entry."""
        entry = EntryTree(len(self.entries), stream, structure, anchor)
        self.entries.append(entry)
        return entry

    def check(self) -> None:
        """Raise NotLocal unless bindings can be told apart."""
        if not any(entry.binds for entry in self.entries):
            raise NotLocal("no loop of the query goes through the fillers of a stream")
        unreached = {entry.number for entry in self.entries} - self._reached()
        if unreached:
            names = ", ".join(sorted({self.entries[each].stream for each in unreached}))
            raise NotLocal(f"nothing in time joins {names} to the rest of the query")

    def _reached(self) -> set[int]:
        """The entries that links join to the first that binds."""
        reached = {next(entry.number for entry in self.entries if entry.binds)}
        while (
            more := {
                end
                for link in self.links
                for end in (link.one, link.other)
                if reached & {link.one, link.other}
            }
            - reached
        ):
            reached |= more
        return reached


def bound(spots: Iterable[Spot], *, one: bool = True) -> Spots:
    """The same spots, one node at a time or many."""
    return frozenset(
        Spot(each.stream, each.tag, each.entry, bound=one, clipped=each.clipped) for each in spots
    )
