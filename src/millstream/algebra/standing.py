"""What a continuous query over histories depends on: which fillers, and which instants.

A query reads its streams through **entries**, each a path that begins at a stream. The topmost
fillers on that path are the entry's **anchors**: whatever the query sees of one lies inside it. So
if a filler comes, only bindings that touch its anchor can change.
"""

from __future__ import annotations

from dataclasses import dataclass

from millstream.model.time_shift import TimeShift


@dataclass(frozen=True, slots=True)
class Bound:
    """An end of a window: so much after now, or a fixed instant; neither means without limit."""

    after_now: TimeShift | None = None
    instant: int | None = None

    def at(self, now: int) -> int | None:
        return self.instant if self.after_now is None else self.after_now.after(now)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The validTimes of events, or of versions that hold, that a query asks for."""

    begin: Bound
    end: Bound


@dataclass(frozen=True, slots=True)
class Need:
    """The fillers of a tag that are read in those of the tag above, and what is read in them."""

    tsid: int
    inside: tuple[Need, ...] = ()
    window: TimeWindow | None = None
    """None for all of them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A path from a stream: its anchors are fillers of one tag, whose holes the root has."""

    stream: str
    tsid: int
    event: bool
    """True if the anchors are events: each stands for itself, and not for all with its id."""
    binds: bool
    """True if a variable of the query's own loops goes through it."""
    inside: tuple[Need, ...] = ()

    @property
    def need(self) -> Need:
        return Need(self.tsid, self.inside)


@dataclass(frozen=True, slots=True)
class Link:
    """Events of one entry matter to those of another that lie so far from them in time."""

    one: int
    other: int
    least: TimeShift | None
    """How much later than the one the other is at least; None without limit."""
    most: TimeShift | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A continuous query over histories."""

    text: str
    """In plain XQuery over fillers; each result comes with what was bound for it."""
    streams: tuple[str, ...]
    opening: str = ""
    closing: str = ""
    entries: tuple[Entry, ...] = ()
    links: tuple[Link, ...] = ()
    shifts: tuple[TimeShift, ...] = ()
    """A filler can matter anew when now is so much after its validTime."""
    looped: bool = True
    """False for a query that is no loop: its values are known by their places."""
    timed: bool = False
    """True if it asks for now."""
    whole: str | None = None
    """Why everything is evaluated again in every step; None if only what is affected is."""

    @property
    def local(self) -> bool:
        return self.whole is None
