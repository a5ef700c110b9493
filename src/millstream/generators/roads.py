"""A made-up road: vehicles that tell where they are, sensors in the road, and traffic lights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from millstream.errors import MillstreamError
from millstream.generators.event_stream import Event, EventStream

START = datetime(2003, 11, 1, tzinfo=UTC)
LENGTH = 40.0
"""Of the road, in kilometres."""
TICK = timedelta(seconds=10)

VEHICLES = EventStream("vehicle", "vehicles", "event", ("id", "type", "location"))
SENSORS = EventStream("road_sensor", "sensors", "event", ("id", "location", "speed"))
LIGHTS = EventStream("traffic_light", "lights", "event", ("id", "location", "status"))
TYPES = ("bus", "ambulance", "car")
STATUSES = ("red", "green")


@dataclass(frozen=True, slots=True)
class Road:
    """How many vehicles go along a road, how many lights stand at it, and for how long."""

    vehicles: int
    lights: int
    ticks: int
    seed: int = 0
    start: datetime = START

    def __post_init__(self) -> None:
        if min(self.vehicles, self.lights, self.ticks) < 0:
            raise MillstreamError("vehicles, lights and ticks are counted from 0")


@dataclass(frozen=True, slots=True)
class Passing:
    """A vehicle at a place of the road, with its speed in kilometres a second."""

    at: datetime
    vehicle: int
    type: str
    location: float
    speed: float


def passings(road: Road) -> Iterator[Passing]:
    """Where every vehicle is at every tick."""
    random = Random(f"{road.seed}/roads")
    speeds = [random.randint(10, 40) / 1_000 for _ in range(road.vehicles)]
    starts = [round(random.uniform(0, LENGTH), 2) for _ in range(road.vehicles)]
    for tick in range(road.ticks):
        for vehicle, (speed, begin) in enumerate(zip(speeds, starts, strict=True)):
            location = round((begin + speed * 10 * tick) % LENGTH, 2)
            kind = TYPES[vehicle % len(TYPES)]
            yield Passing(road.start + tick * TICK, vehicle, kind, location, speed)


def vehicle_events(road: Road) -> Iterator[Event]:
    """What the vehicles report."""
    for each in passings(road):
        yield Event(
            each.at,
            {"id": f"v{each.vehicle}", "type": each.type, "location": f"{each.location:.2f}"},
        )


def sensor_events(road: Road) -> Iterator[Event]:
    """What the sensors in the road report: one lies beside every vehicle, up to 40 metres off."""
    random = Random(f"{road.seed}/sensors")
    for number, each in enumerate(passings(road)):
        location = each.location + random.randint(-40, 40) / 1_000
        values = {"id": f"s{number}", "location": f"{location:.3f}", "speed": f"{each.speed:.3f}"}
        yield Event(each.at, values)


def light_locations(road: Road) -> tuple[float, ...]:
    """Where the traffic lights stand."""
    random = Random(f"{road.seed}/lights")
    return tuple(round(random.uniform(0, LENGTH), 2) for _ in range(road.lights))


def light_events(road: Road) -> Iterator[Event]:
    """What the traffic lights report: each changes at every tick."""
    places = light_locations(road)
    for tick in range(road.ticks):
        for light, location in enumerate(places):
            status = STATUSES[(tick + light) % 2]
            values = {"id": f"t{light}", "location": f"{location:.2f}", "status": status}
            yield Event(road.start + tick * TICK, values)
