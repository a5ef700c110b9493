"""Cars, cyclists and pedestrians on a road network, who report where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from millstream.errors import MillstreamError
from millstream.generators.tagged.road_network import RoadNetwork
from millstream.model.schema import ValueType
from millstream.model.tags import StreamAttribute, StreamShape, StreamTuple
from millstream.model.tags.duration import SECOND
from millstream.model.tags.event_time import TimeForm, format_time
from millstream.model.tags.location import Point, distance, format_location

MOVING_OBJECTS = StreamShape(
    "MovingObjects",
    (
        StreamAttribute("update_type"),
        StreamAttribute("object_id", ValueType.INTEGER),
        StreamAttribute("report_number", ValueType.INTEGER),
        StreamAttribute("object_type"),
        StreamAttribute("timestamp", ValueType.DECIMAL),
        StreamAttribute("location"),
        StreamAttribute("speed", ValueType.DECIMAL),
        StreamAttribute("next_node"),
    ),
)

SPEEDS = {"car": 0.0040, "cyclist": 0.0012, "pedestrian": 0.0003}
"""Sides of the square a second, on average."""

_SHARES = (6, 2, 2)
_LEAVES = 0.01
"""How likely a report is an object's last."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Who moves where: equal traffic gives equal reports."""

    seed: int = 0
    population: int = 1_000
    """Objects on the roads at a time."""
    interval: float = 0.010
    """Seconds from one report to the next, on average; reports are a Poisson process."""
    crossings: int = 20
    """A side of the road network."""

    def __post_init__(self) -> None:
        if self.population < 1 or not self.interval > 0:
            raise MillstreamError("traffic has at least one object and an interval above 0")


@dataclass(slots=True)
class _Traveller:
    """An object on its way from one crossing to the next."""

    id: int
    type: str
    speed: float
    origin: int
    target: int
    along: float = 0.0
    seen: float = 0.0
    reports: int = 0


@dataclass(slots=True)
class _Roads:
    network: RoadNetwork
    random: Random
    born: int = field(default=0)

    def new_traveller(self, now: float) -> _Traveller:
        self.born += 1
        (kind,) = self.random.choices(list(SPEEDS), _SHARES)
        origin = self.random.randrange(len(self.network.crossings))
        target = self.network.way_on(origin, None, self.random)
        speed = SPEEDS[kind] * self.random.uniform(0.5, 1.5)
        return _Traveller(self.born, kind, speed, origin, target, seen=now)

    def move(self, traveller: _Traveller, now: float) -> None:
        """Let time pass for a traveller."""
        traveller.along += traveller.speed * (now - traveller.seen)
        traveller.seen = now
        while traveller.along >= (length := self._length(traveller)):
            traveller.along -= length
            onward = self.network.way_on(traveller.target, traveller.origin, self.random)
            traveller.origin, traveller.target = traveller.target, onward

    def location(self, traveller: _Traveller) -> Point:
        start, end = self._ends(traveller)
        share = traveller.along / self._length(traveller)
        return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])

    def next_node(self, traveller: _Traveller) -> Point:
        return self.network.crossings[traveller.target]

    def _ends(self, traveller: _Traveller) -> tuple[Point, Point]:
        crossings = self.network.crossings
        return crossings[traveller.origin], crossings[traveller.target]

    def _length(self, traveller: _Traveller) -> float:
        return distance(*self._ends(traveller))


def moving_objects(count: int, traffic: Traffic | None = None) -> Iterator[StreamTuple]:
    """The first reports of some traffic, in the order of time.

    A tuple's id is the object's and the number of the report: all of object 7 match '7-.*'.
    """
    return islice(_reports(traffic or Traffic()), count)


def stream_number(report: StreamTuple, streams: int) -> int:
    """Which of several streams an object reports to: by its id, always the same."""
    return int(report.id.partition("-")[0]) % streams


def split(reports: Iterable[StreamTuple], streams: int) -> tuple[list[StreamTuple], ...]:
    """Reports to several providers, in the order of time for each."""
    found: tuple[list[StreamTuple], ...] = tuple([] for _ in range(streams))
    for report in reports:
        found[stream_number(report, streams)].append(report)
    return found


def _reports(traffic: Traffic) -> Iterator[StreamTuple]:
    random = Random(f"traffic {traffic.seed}")
    roads = _Roads(RoadNetwork.generate(traffic.crossings, traffic.seed), random)
    travellers = [roads.new_traveller(0.0) for _ in range(traffic.population)]
    now = 0.0
    while True:
        now += random.expovariate(1 / traffic.interval)
        place = random.randrange(len(travellers))
        traveller = travellers[place]
        roads.move(traveller, now)
        leaves = traveller.reports > 0 and random.random() < _LEAVES
        yield _report(traveller, roads, leaves)
        if leaves:
            travellers[place] = roads.new_traveller(now)


def _report(traveller: _Traveller, roads: _Roads, leaves: bool) -> StreamTuple:
    traveller.reports += 1
    first = "newpoint" if traveller.reports == 1 else "point"
    time = round(traveller.seen * SECOND)
    texts = (
        "disappearpoint" if leaves else first,
        str(traveller.id),
        str(traveller.reports),
        traveller.type,
        format_time(time, TimeForm.SECONDS),
        format_location(roads.location(traveller)),
        f"{traveller.speed:.6f}",
        format_location(roads.next_node(traveller)),
    )
    return StreamTuple(f"{traveller.id}-{traveller.reports}", time, texts)
