"""Made-up vehicles seen by two radars: when, under which angle, and on which frequency."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import atan2, degrees
from random import Random

from millstream.errors import MillstreamError
from millstream.generators.event_stream import Event, EventStream

START = datetime(2003, 11, 1, tzinfo=UTC)
BASELINE = 1_000
"""How far the second radar is from the first, in metres along the x axis."""

LEAVES = ("frequency", "angle", "intensity")
RADARS = (
    EventStream("radar1", "radar", "event", LEAVES),
    EventStream("radar2", "radar", "event", LEAVES),
)


@dataclass(frozen=True, slots=True)
class Airspace:
    """How many vehicles there are, and how often each of them is heard."""

    vehicles: int
    rounds: int
    seed: int = 0
    start: datetime = START

    def __post_init__(self) -> None:
        if self.vehicles < 0 or self.rounds < 0:
            raise MillstreamError("vehicles and rounds are counted from 0")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A vehicle at a place, and when the antenna of each radar passed over it."""

    frequency: int
    x: int
    y: int
    seen: tuple[datetime, datetime]


def sightings(airspace: Airspace) -> Iterator[Sighting]:
    """All sightings; the two times of one are less than a second apart, others are far from it."""
    random = Random(f"{airspace.seed}/radars")
    for turn in range(airspace.rounds):
        for vehicle in range(airspace.vehicles):
            time = airspace.start + timedelta(seconds=10 * turn, milliseconds=7 * vehicle)
            delays = (random.randint(0, 900), random.randint(0, 900))
            first, second = (time + timedelta(milliseconds=delay) for delay in delays)
            place = (random.randint(-5_000, 5_000), random.randint(1, 5_000))
            yield Sighting(100 + vehicle, *place, (first, second))


def events(airspace: Airspace, radar: int) -> Iterator[Event]:
    """What the radar of a number, 0 or 1, sees, in order of time."""
    seen = (_event(each, radar) for each in sightings(airspace))
    return iter(sorted(seen, key=lambda event: event.at))


def _event(sighting: Sighting, radar: int) -> Event:
    angle = degrees(atan2(sighting.y, sighting.x - radar * BASELINE))
    values = (sighting.frequency, f"{angle:.10f}", 10 + sighting.frequency % 7)
    return Event(sighting.seen[radar], dict(zip(LEAVES, values, strict=True)))
