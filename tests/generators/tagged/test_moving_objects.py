"""Traffic on a road network."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from millstream.errors import MillstreamError
from millstream.generators.tagged.moving_objects import (
    MOVING_OBJECTS,
    SPEEDS,
    Traffic,
    moving_objects,
    split,
    stream_number,
)
from millstream.generators.tagged.road_network import RoadNetwork
from millstream.model.tags import StreamTuple
from millstream.model.tags.duration import SECOND
from millstream.model.tags.location import distance, parse_location

REPORTS = list(moving_objects(5_000, Traffic(population=100)))


def field(report: StreamTuple, name: str) -> str:
    text = report.texts[MOVING_OBJECTS.names.index(name)]
    assert text is not None
    return text


def test_reports_have_the_fields_of_the_experiment() -> None:
    expected = "update_type object_id report_number object_type timestamp location speed next_node"
    assert " ".join(MOVING_OBJECTS.names) == expected


def test_equal_traffic_gives_equal_reports() -> None:
    again = list(moving_objects(5_000, Traffic(population=100)))
    assert again == REPORTS
    assert list(moving_objects(50, Traffic(seed=1))) != list(moving_objects(50, Traffic(seed=2)))


def test_reports_come_every_ten_milliseconds_like_a_poisson_process() -> None:
    gaps = [(later.time - earlier.time) / SECOND for earlier, later in pairwise(REPORTS)]
    assert min(gaps) >= 0
    mean = sum(gaps) / len(gaps)
    assert mean == pytest.approx(0.010, rel=0.05)
    # The gaps of a Poisson process vary as much as they last.
    variance = sum((gap - mean) ** 2 for gap in gaps) / len(gaps)
    assert variance**0.5 == pytest.approx(mean, rel=0.1)


def test_reports_of_an_object_are_numbered_and_begin_and_end() -> None:
    seen: dict[str, list[str]] = {}
    for report in REPORTS:
        kinds = seen.setdefault(field(report, "object_id"), [])
        kinds.append(field(report, "update_type"))
        assert field(report, "report_number") == str(len(kinds))
    assert len(seen) > 100
    for kinds in seen.values():
        assert kinds[0] == "newpoint"
        assert set(kinds[1:-1]) <= {"point"}
    assert any(kinds[-1] == "disappearpoint" for kinds in seen.values())


def test_objects_are_of_three_types_and_move_at_their_speed() -> None:
    types = Counter(field(report, "object_type") for report in REPORTS)
    assert set(types) == set(SPEEDS)
    last: dict[str, StreamTuple] = {}
    for report in REPORTS:
        before = last.get(field(report, "object_id"))
        last[field(report, "object_id")] = report
        if before is None:
            continue
        start, end = (parse_location(field(each, "location")) for each in (before, report))
        assert start is not None and end is not None
        seconds = (report.time - before.time) / SECOND
        assert distance(start, end) <= float(field(report, "speed")) * seconds + 1e-5


def test_objects_stay_in_the_square() -> None:
    points = [parse_location(field(report, "location")) for report in REPORTS]
    assert all(point and min(point) >= 0 and max(point) <= 1 for point in points)


def test_streams_are_split_by_object() -> None:
    streams = split(REPORTS, 3)
    assert sum(map(len, streams)) == len(REPORTS)
    for number, stream in enumerate(streams):
        assert {stream_number(report, 3) for report in stream} == {number}
        assert stream == sorted(stream, key=lambda report: report.time)


@pytest.mark.parametrize("side", [2, 7, 20])
def test_all_crossings_can_be_reached(side: int) -> None:
    network = RoadNetwork.generate(side)
    reached, waiting = {0}, [0]
    while waiting:
        fresh = set(network.streets[waiting.pop()]) - reached
        reached |= fresh
        waiting += fresh
    assert len(reached) == len(network.crossings) == side * side


def test_senseless_traffic_is_refused() -> None:
    with pytest.raises(MillstreamError):
        Traffic(population=0)
    with pytest.raises(MillstreamError):
        RoadNetwork.generate(1)
