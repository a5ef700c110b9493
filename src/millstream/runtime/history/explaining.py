"""How a continuous query over histories would be answered, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from millstream.algebra.standing import Bound, Entry, Link, Need, Standing, TimeWindow
from millstream.model.filler_layout import instant_of
from millstream.model.lifespan import format_instant
from millstream.model.tag_structure import TagStructure
from millstream.model.time_shift import TimeShift
from millstream.rendering import html


@dataclass(frozen=True)
class StandingExplanation:
    """A subscription to histories that is not registered, in the parts of all explanations."""

    text: str
    standing: Standing
    structures: Mapping[str, TagStructure]

    @property
    def algebra(self) -> str:
        """The paths from streams, and what is read of the fillers that they lead to."""
        return "\n".join(
            line
            for number, entry in enumerate(self.standing.entries)
            for line in _entry(number, entry, self.structures[entry.stream])
        )

    @property
    def properties(self) -> str:
        """What joins streams in time, and when a filler can matter anew."""
        joins = [_link(each) for each in self.standing.links]
        shifts = [f"a filler matters anew {_length(each)} now" for each in self.standing.shifts]
        return "\n".join((*joins, *shifts))

    @property
    def sharing(self) -> str:
        names = ", ".join(self.standing.streams)
        return f"{names}: read, parsed and indexed once for all subscriptions"

    @property
    def evaluation(self) -> str:
        if self.standing.whole is not None:
            return f"everything in every step, by SaxonC: {self.standing.whole}"
        return "bindings that new fillers or the passing of time affect, by SaxonC"

    @property
    def sql(self) -> str:
        """What runs: XQuery over the fillers that are needed."""
        return self.standing.text

    @property
    def parts(self) -> dict[str, str]:
        """All of it, by titles."""
        return {
            "Paths": self.algebra,
            "Time": self.properties,
            "Sharing": self.sharing,
            "Evaluation": self.evaluation,
            "XQuery": self.sql,
        }

    def __str__(self) -> str:
        parts = (self.algebra, self.properties, self.sharing, self.evaluation)
        return "\n\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        return html.explained("how it would be answered", self.parts)


def _entry(number: int, entry: Entry, structure: TagStructure) -> Iterator[str]:
    path = "/".join(structure.path(entry.tsid))
    kind = "each" if entry.event else "all versions with an id"
    use = "bound by a loop" if entry.binds else "looked at"
    yield f'{number}: stream("{entry.stream}")/{path}, {kind}, {use}'
    for need in entry.inside:
        yield from _need(need, structure, "  ")


def _need(need: Need, structure: TagStructure, indent: str) -> Iterator[str]:
    yield f"{indent}{structure.tag(need.tsid).name}{_window(need.window)}"
    for inside in need.inside:
        yield from _need(inside, structure, indent + "  ")


def _window(window: TimeWindow | None) -> str:
    return "" if window is None else f" ?[{_bound(window.begin)}, {_bound(window.end)}]"


def _bound(bound: Bound) -> str:
    if bound.after_now is not None:
        return _from_now(bound.after_now)
    return "start" if bound.instant is None else format_instant(instant_of(bound.instant))


def _from_now(shift: TimeShift) -> str:
    if shift == TimeShift():
        return "now"
    back = shift < TimeShift()
    return f"now {'-' if back else '+'} {_iso(-shift if back else shift)}"


def _iso(shift: TimeShift) -> str:
    months = f"{shift.months}M" if shift.months else ""
    seconds = f"T{shift.microseconds / 1_000_000:g}S" if shift.microseconds else ""
    return f"P{months}{seconds}"


def _length(shift: TimeShift) -> str:
    """A filler's distance from now at which it matters anew."""
    if shift == TimeShift():
        return "when its validTime is"
    ahead = shift < TimeShift()
    return (
        f"when its validTime is {_iso(-shift if ahead else shift)} {'after' if ahead else 'before'}"
    )


def _link(link: Link) -> str:
    least = "any time" if link.least is None else f"{link.least.microseconds / 1_000_000:g} s"
    most = "any time" if link.most is None else f"{link.most.microseconds / 1_000_000:g} s"
    return f"{link.other} lies from {least} to {most} after {link.one}"
