"""All fillers of a stream that have arrived, whatever their order: versions, events and holes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from lxml import etree

from millstream.errors import ItemError
from millstream.history.body import Body
from millstream.history.filler import CheckedFiller, check_filler, parse_xml
from millstream.history.quarantine import Rejected
from millstream.model.filler import ROOT_ID, Filler, FillerKey
from millstream.model.lifespan import Lifespan, format_instant
from millstream.model.tag_structure import Tag, TagStructure, TagType


class Arrival(Enum):
    """What a filler was to the store."""

    NEW = "new"
    REPEATED = "repeated"
    """Known already, and ignored."""
    REPLACED = "replaced"
    """It took the place of one with the same id and validTime."""


@dataclass(frozen=True, slots=True)
class Version:
    """A filler in its place among those with its key."""

    filler: Filler
    body: Body
    lifespan: Lifespan
    number: int
    """From 1, in the order of validTime and, for equal ones, of arrival."""
    arrival: int = field(compare=False)
    """How many fillers came before it."""


@dataclass(frozen=True, slots=True)
class _Stored:
    time: datetime
    arrival: int
    filler: Filler
    body: Body

    @property
    def order(self) -> tuple[datetime, int]:
        return self.time, self.arrival


class FillerStore:
    """The fillers of one stream."""

    def __init__(self, structure: TagStructure, fillers: Iterable[Filler] = ()) -> None:
        self.structure = structure
        self.arrivals: Counter[Arrival] = Counter()
        self.now: datetime | None = None
        """The largest validTime seen."""
        self._stored: dict[FillerKey, list[_Stored]] = {}
        for filler in fillers:
            self.add(filler)

    @property
    def root_key(self) -> FillerKey:
        return FillerKey(ROOT_ID, self.structure.root.id)

    def __len__(self) -> int:
        return sum(map(len, self._stored.values()))

    def __contains__(self, key: object) -> bool:
        return key in self._stored

    def __iter__(self) -> Iterator[FillerKey]:
        """The keys of all fillers, in order of their first arrival."""
        return iter(self._stored)

    def tag(self, key: FillerKey) -> Tag:
        return self.structure.tag(key.tsid)

    def add(self, filler: Filler) -> Arrival:
        """Take a filler in; ItemError if it does not fit the tag structure."""
        return self.add_checked(check_filler(filler, self.structure))

    def add_checked(self, checked: CheckedFiller) -> Arrival:
        """Take a filler in that has been checked against this store's structure."""
        filler = checked.filler
        here = self._stored.setdefault(filler.key, [])
        arrival = self._place(here, checked, sum(self.arrivals.values()))
        self.arrivals[arrival] += 1
        self.now = max(filler.valid_time, self.now or filler.valid_time)
        return arrival

    def _place(self, here: list[_Stored], checked: CheckedFiller, number: int) -> Arrival:
        filler = checked.filler
        start = bisect_left(here, filler.valid_time, key=lambda each: each.time)
        end = bisect_right(here, filler.valid_time, key=lambda each: each.time)
        if any(_same_content(each.filler, filler) for each in here[start:end]):
            return Arrival.REPEATED
        stored = _Stored(filler.valid_time, number, filler, checked.body)
        if start < end and self.tag(filler.key).type is not TagType.EVENT:
            here[start] = stored
            return Arrival.REPLACED
        insort(here, stored, key=lambda each: each.order)
        return Arrival.NEW

    def versions(self, key: FillerKey) -> tuple[Version, ...]:
        """The fillers of a key in version order, with their lifespans; none if none has come."""
        here = self._stored.get(key, [])
        return tuple(self._version(key, here, place) for place in range(len(here)))

    def versions_at(self, key: FillerKey, at: datetime) -> tuple[Version, ...]:
        """What holds at an instant: at most one version, or the events of that very instant."""
        here = self._stored.get(key, [])
        return tuple(self._version(key, here, place) for place in self._places_at(key, here, at))

    def _version(self, key: FillerKey, here: list[_Stored], place: int) -> Version:
        stored = here[place]
        lifespan = self._lifespan(key, here, place)
        return Version(stored.filler, stored.body, lifespan, place + 1, stored.arrival)

    def _places_at(self, key: FillerKey, here: list[_Stored], at: datetime) -> range:
        type = self.tag(key).type
        end = bisect_right(here, at, key=lambda each: each.time)
        if type is TagType.EVENT:
            return range(bisect_left(here, at, key=lambda each: each.time), end)
        if type is TagType.SNAPSHOT and here:
            end = max(end, 1)
        return range(max(end - 1, 0), end)

    def _lifespan(self, key: FillerKey, here: list[_Stored], place: int) -> Lifespan:
        time = here[place].time
        tag = self.tag(key)
        if tag.type is TagType.EVENT:
            return Lifespan.at(time)
        end = here[place + 1].time if place + 1 < len(here) else None
        # A snapshot has no lifespan of its own: its first version was always there.
        begin = None if tag.type is TagType.SNAPSHOT and place == 0 else time
        return Lifespan(begin, end)

    def holes(self) -> Mapping[FillerKey, tuple[FillerKey, ...]]:
        """Every hole of every version, with the keys of the fillers that it stands in."""
        found: dict[FillerKey, dict[FillerKey, None]] = {}
        for key, here in self._stored.items():
            for each in here:
                for hole in each.body.holes:
                    found.setdefault(hole, {})[key] = None
        return {hole: tuple(keys) for hole, keys in found.items()}

    def unfilled(self) -> tuple[FillerKey, ...]:
        """The holes that wait for a filler and show as nothing; one for events may stay empty."""
        return tuple(
            hole
            for hole in self.holes()
            if hole not in self._stored and self.tag(hole).type is not TagType.EVENT
        )

    def unplaced(self) -> tuple[Rejected, ...]:
        """The fillers that no hole is for, so far."""
        holes = self.holes()
        ids = {hole.id: hole for hole in holes}
        return tuple(
            Rejected.because(self._no_hole(key, ids.get(key.id)), each.filler.content)
            for key, here in self._stored.items()
            if key not in holes and key != self.root_key
            for each in here
        )

    def _no_hole(self, key: FillerKey, other: FillerKey | None) -> ItemError:
        tag = self.tag(key)
        times = ", ".join(format_instant(each.time) for each in self._stored[key][:3])
        if other is not None:
            reason = f"hole {other.id} is for {self.tag(other).name} (tsid {other.tsid})"
        else:
            reason = f"no {self.structure.holder(tag.id).name} has one with its id"
        return ItemError(
            f"{tag.type.value} {tag.name} of filler {key.id} ({times}) has no hole: {reason}",
            code="no-hole",
            help="send its parent with a hole of that id and tsid",
        )


def _same_content(one: Filler, other: Filler) -> bool:
    return one.content == other.content or canonical(one.content) == canonical(other.content)


def canonical(xml: str) -> str:
    """The canonical form of an XML text: equal forms mean the same."""
    element = parse_xml(xml)
    try:
        return etree.tostring(element, method="c14n").decode("utf-8")
    except etree.C14NError:
        # A namespace that is a relative address has no canonical form.
        return etree.tostring(element, encoding="unicode")
