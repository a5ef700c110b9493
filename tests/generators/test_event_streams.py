"""The made-up streams of events."""

from __future__ import annotations

from itertools import pairwise
from math import isclose, radians, tan

import pytest

from millstream.errors import MillstreamError
from millstream.generators import packets, radars, roads
from millstream.generators.event_stream import Event, EventStream
from millstream.history.filler_store import FillerStore

BACKBONE = packets.Backbone(200, seed=1)
AIRSPACE = radars.Airspace(5, 6, seed=1)
ROAD = roads.Road(9, 4, 5, seed=1)
STREAMS: list[tuple[EventStream, list[Event]]] = [
    (packets.SYNS, list(packets.syns(BACKBONE))),
    (packets.ACKS, list(packets.acks(BACKBONE))),
    (radars.RADARS[0], list(radars.events(AIRSPACE, 0))),
    (radars.RADARS[1], list(radars.events(AIRSPACE, 1))),
    (roads.VEHICLES, list(roads.vehicle_events(ROAD))),
    (roads.SENSORS, list(roads.sensor_events(ROAD))),
    (roads.LIGHTS, list(roads.light_events(ROAD))),
]


@pytest.mark.parametrize(("stream", "events"), STREAMS, ids=lambda each: getattr(each, "name", ""))
def test_events_become_a_history(stream: EventStream, events: list[Event]) -> None:
    store = FillerStore(stream.structure(), stream.fillers(events, packets.START))
    assert (store.unfilled(), store.unplaced(), len(store)) == ((), (), len(events) + 1)
    assert all(one.at <= other.at for one, other in pairwise(events))


def test_equal_seeds_give_equal_events() -> None:
    assert list(packets.syns(BACKBONE)) == list(packets.syns(BACKBONE))
    assert list(packets.syns(BACKBONE)) != list(packets.syns(packets.Backbone(200, seed=2)))


def test_some_connections_misbehave() -> None:
    connections = list(packets.connections(BACKBONE))
    lost = [each for each in connections if each.acknowledged is None]
    late = [each for each in connections if each.misbehaves and each.acknowledged is not None]
    assert 5 < len(lost) < 50
    assert 5 < len(late) < 50


def test_angles_lead_to_the_vehicle() -> None:
    first, second = (
        {(event.at, event.values["frequency"]): event for event in radars.events(AIRSPACE, number)}
        for number in (0, 1)
    )
    for sighting in radars.sightings(AIRSPACE):
        one = tan(radians(float(str(first[sighting.seen[0], sighting.frequency].values["angle"]))))
        two = tan(radians(float(str(second[sighting.seen[1], sighting.frequency].values["angle"]))))
        x = radars.BASELINE * two / (two - one)
        assert isclose(x, sighting.x, abs_tol=0.01)
        assert abs((sighting.seen[0] - sighting.seen[1]).total_seconds()) < 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: packets.Backbone(1, late=0.6, lost=0.6),
        lambda: radars.Airspace(-1, 1),
        lambda: roads.Road(1, 1, -1),
    ],
)
def test_impossible_worlds_are_refused(make: object) -> None:
    with pytest.raises(MillstreamError):
        make()  # type: ignore[operator]
