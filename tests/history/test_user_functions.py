"""Functions of Python in queries over histories, answered by SaxonC."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

import millstream
from millstream.errors import QueryError, SchemaError
from millstream.generators import radars, roads
from millstream.languages.xquery.translation import Strategy
from millstream.model import user_functions
from tests.history import credit, seed_queries
from tests.history.asking import Asked, events

AIRSPACE = radars.Airspace(4, 4, seed=5)
ROAD = roads.Road(6, 4, 3, seed=5)


def triangulate(one: float, other: float) -> list[float]:
    """Where two radars, 1000 apart, see a vehicle at these angles."""
    first, second = math.tan(math.radians(one)), math.tan(math.radians(other))
    x = 1000 * second / (second - first)
    return [math.floor(x + 0.5), math.floor(x * first + 0.5)]


def distance(one: float, other: float) -> float:
    return abs(one - other)


@pytest.fixture(autouse=True)
def functions() -> Iterator[None]:
    before = set(user_functions.registered())
    for each in (triangulate, distance):
        millstream.function(each)
    yield
    for name in set(user_functions.registered()) - before:
        user_functions.forget(name)


def undeclared(query: str) -> str:
    """A query without the function that it declares."""
    return query.partition("};")[2]


def account() -> Asked:
    return Asked({"credit": credit.store(*credit.ALL)})


def test_vehicles_are_located() -> None:
    first, second = (
        events(stream, radars.events(AIRSPACE, number), AIRSPACE.start)
        for number, stream in enumerate(radars.RADARS)
    )
    asked = Asked({"radar1": first, "radar2": second})
    positions = asked(undeclared(seed_queries.RADAR))
    assert len(positions) == AIRSPACE.vehicles * AIRSPACE.rounds
    assert positions == asked(seed_queries.RADAR)


def test_lights_turn_green() -> None:
    asked = Asked(
        {
            "vehicle": events(roads.VEHICLES, roads.vehicle_events(ROAD), ROAD.start),
            "road_sensor": events(roads.SENSORS, roads.sensor_events(ROAD), ROAD.start),
            "traffic_light": events(roads.LIGHTS, roads.light_events(ROAD), ROAD.start),
        }
    )
    lights = asked(undeclared(seed_queries.TRAFFIC_LIGHT))
    assert lights
    assert lights == asked(seed_queries.TRAFFIC_LIGHT)


def test_values_of_every_kind() -> None:
    def described(
        text: str, whole: int, number: float, truth: bool, time: datetime, many: list[float]
    ) -> list[str]:
        return [repr(each) for each in (text, whole, number, truth, time.isoformat(), many)]

    millstream.function(described)
    query = """
    for $a in stream("credit")//account
    return described($a/customer, count($a/creditLimit), $a/creditLimit#[1], true(),
                     vtFrom($a/transaction), $a/creditLimit)
    """
    assert account()(query) == [
        "'Smith'", "2", "2000.0", "True", "'2003-02-01T00:00:00+00:00'", "[2000.0, 5000.0]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("distance($a/creditLimit#[1], 1)", ["1999"]),
        ("distance($a/creditLimit#[9], 1)", []),
        ("distance(distance(3, 1), distance(9, 2))", ["5"]),
        ("string(distance(1, 2) = 1)", ["true"]),
        ("$a/creditLimit[distance(., 2000) > 0]", ["<creditLimit>5000</creditLimit>"]),
        ("some $l in $a/creditLimit satisfies distance($l, 1) = 4999", ["true"]),
        ("every $l in $a/creditLimit satisfies distance($l, 1) = 4999", ["false"]),
        ("for $l in $a/creditLimit where distance($l, 0) > 2000 return $l/text()", ["5000"]),
        ("for $l in $a/creditLimit order by distance($l, 9000) return $l/text()", ["5000", "2000"]),
        ("later(vtFrom($a/transaction)) > vtFrom($a/transaction)", ["true"]),
    ],
)
def test_calls_stand_anywhere(call: str, answer: list[str]) -> None:
    def later(time: datetime) -> datetime:
        return time + timedelta(days=1)

    millstream.function(later)
    assert account()(f'for $a in stream("credit")//account return {call}') == answer


def test_loops_ask_all_questions_at_once() -> None:
    rounds: list[float] = []

    @millstream.function
    def counted(value: float) -> float:
        rounds.append(value)
        return value

    query = 'for $l in stream("credit")//creditLimit where counted($l) > 1 return $l/text()'
    assert account().by(Strategy.QAC_PLUS, query) == ["2000", "5000"]
    assert rounds == [2000.0, 5000.0]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("distance(1)", "arity"),
        ("distanze(1, 2)", "unknown-function"),
        ("distance($a/creditLimit, 1)", "XPTY0004"),
        ("distance($a/customer, 1)", "FORG0001"),
        ("failing(1)", "function"),
        ("lying(1)", "function"),
        ("odd(1)", "function"),
    ],
)
def test_what_goes_wrong_is_told(call: str, code: str) -> None:
    @millstream.function
    def failing(value: float) -> float:
        raise ValueError("no such place")

    @millstream.function
    def lying(value: float) -> float:
        answer: Any = "text"
        return answer  # type: ignore[no-any-return]

    @millstream.function
    def odd(value: float) -> str:
        return "\0"

    with pytest.raises(QueryError) as caught:
        account()(f'for $a in stream("credit")//account return {call}')
    assert caught.value.code == code


def test_a_function_says_what_it_takes() -> None:
    with pytest.raises(SchemaError, match="must say"):
        millstream.function(lambda value: value, name="nameless")  # type: ignore[call-overload]
    with pytest.raises(SchemaError, match="fixed number"):

        @millstream.function
        def many(*values: float) -> float:
            return sum(values)
