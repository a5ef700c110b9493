"""The seed's queries about histories, each against what was put into the streams."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

import pytest
from lxml import etree

from millstream.generators import packets, radars, roads
from millstream.generators.credit import Bank, credit_structure, example_fillers, fillers
from millstream.history.filler_store import FillerStore
from millstream.model.filler import Filler
from millstream.model.lifespan import format_instant
from tests.history import seed_queries
from tests.history.asking import Asked, events
from tests.history.credit import time

BACKBONE = packets.Backbone(40, seed=5)
AIRSPACE = radars.Airspace(4, 4, seed=5)
ROAD = roads.Road(6, 4, 3, seed=5)
BANK = Bank(6, 400, seed=2)
MINUTE = timedelta(minutes=1)


@cache
def backbone() -> Asked:
    return Asked(
        {
            "gsyn": events(packets.SYNS, packets.syns(BACKBONE), BACKBONE.start),
            "ack": events(packets.ACKS, packets.acks(BACKBONE), BACKBONE.start),
        }
    )


def warning(connection: packets.Connection) -> str:
    return f"<warning><id>{connection.id}</id></warning>"


def test_packets_that_get_no_answer_in_a_minute() -> None:
    now = max(connection.asked for connection in packets.connections(BACKBONE))
    old = [each for each in packets.connections(BACKBONE) if each.asked < now - MINUTE]
    misbehaving = [warning(each) for each in old if each.misbehaves]
    assert 0 < len(misbehaving) < len(old)
    assert backbone()(seed_queries.SYN_AS_MEANT, now) == misbehaving


def test_the_query_as_printed_warns_of_what_was_not_answered_late() -> None:
    now = BACKBONE.start + timedelta(hours=1)
    expected = [
        warning(each)
        for each in packets.connections(BACKBONE)
        if each.acknowledged is None or each.acknowledged < each.asked + MINUTE
    ]
    assert 0 < len(expected) < BACKBONE.connections
    assert backbone()(seed_queries.SYN_AS_PRINTED, now) == expected


def test_vehicles_are_located_by_two_radars() -> None:
    first, second = (
        events(stream, radars.events(AIRSPACE, number), AIRSPACE.start)
        for number, stream in enumerate(radars.RADARS)
    )
    sightings = sorted(radars.sightings(AIRSPACE), key=lambda sighting: sighting.seen[0])
    expected = [f"<position>{each.x} {each.y}</position>" for each in sightings]
    assert Asked({"radar1": first, "radar2": second})(seed_queries.RADAR) == expected


def test_lights_turn_green_for_ambulances() -> None:
    asked = Asked(
        {
            "vehicle": events(roads.VEHICLES, roads.vehicle_events(ROAD), ROAD.start),
            "road_sensor": events(roads.SENSORS, roads.sensor_events(ROAD), ROAD.start),
            "traffic_light": events(roads.LIGHTS, roads.light_events(ROAD), ROAD.start),
        }
    )
    found = [etree.fromstring(each) for each in asked(seed_queries.TRAFFIC_LIGHT)]
    times = [(each.get("ID"), time(str(each.findtext("time")))) for each in found]
    expected = list(arrivals())
    assert expected
    assert [light for light, _ in times] == [light for light, _ in expected]
    assert all(
        abs(one - other) < timedelta(milliseconds=1)
        for (_, one), (_, other) in zip(times, expected, strict=True)
    )


def arrivals() -> Iterator[tuple[str, datetime]]:
    """When each ambulance reaches each light near it, by the speed of every sensor near it."""
    passings = list(roads.passings(ROAD))
    sensors = list(roads.sensor_events(ROAD))
    for passing in passings:
        if passing.type != "ambulance":
            continue
        for sensor in (each for each in sensors if each.at == passing.at):
            for number, location in enumerate(roads.light_locations(ROAD)):
                near = abs(passing.location - float(str(sensor.values["location"]))) < 0.1
                away = abs(passing.location - location)
                if near and away < 10:
                    seconds = away / float(str(sensor.values["speed"]))
                    yield f"t{number}", passing.at + timedelta(seconds=seconds)


@cache
def smith() -> Asked:
    store = FillerStore(credit_structure(), example_fillers())
    return Asked({"creditSystem": store, "credit": store})


def test_a_charge_that_was_suspended_is_found_among_all_states() -> None:
    assert smith()(seed_queries.CHARGED) == [
        '<transaction id="23456"><vendor> ResAris Contaceu </vendor><amount> 1200 </amount>'
        "<status> charged </status><status> suspended </status></transaction>"
    ]


@pytest.mark.parametrize("query", [seed_queries.CHARGED_NOW, seed_queries.CHARGED_LAST])
def test_a_charge_that_was_suspended_is_not_found_now(query: str) -> None:
    assert smith()(query) == []


def test_before_it_was_suspended_it_is_found() -> None:
    found = smith()(seed_queries.CHARGED_NOW, time("2003-10-31"))
    assert [etree.fromstring(each).get("id") for each in found] == ["23456"]


def charge(number: int, at: str, amount: int, state: str = "charged") -> tuple[Filler, Filler]:
    """Two fillers: a charge to John Smith's account, and what became of it."""
    content = f"<vendor>ABC Inc</vendor><amount>{amount}</amount>"
    hole = f'<hole id="{number}" tsid="7"/>'
    event = f'<transaction id="{number}">{content}{hole}</transaction>'
    status = Filler(number, 7, time(at), f"<status>{state}</status>")
    return Filler(100, 5, time(at), event), status


def spent(*charges: tuple[Filler, Filler]) -> Asked:
    later = (filler for pair in charges for filler in pair)
    store = FillerStore(credit_structure(), (*example_fillers(), *later))
    return Asked({"credit": store})


@pytest.mark.parametrize(
    ("amount", "state", "found"),
    [(3_000, "charged", 1), (2_999, "charged", 0), (3_000, "denied", 0)],
)
def test_accounts_that_are_maxed_out_in_november(amount: int, state: str, found: int) -> None:
    asked = spent(
        charge(901, "2003-11-02", 2_000),
        charge(902, "2003-11-30T23:00:00", amount, state),
        charge(903, "2003-12-02", 9_000),
    )
    account = (
        '<account id="1234"><customer> John Smith </customer>'
        "<creditLimit> 2000 </creditLimit><creditLimit> 5000 </creditLimit></account>"
    )
    assert asked(seed_queries.MAXED_OUT) == [account] * found


@pytest.mark.parametrize(
    ("last", "found"), [("2003-12-24T12:59:00", 1), ("2003-12-24T13:01:00", 0)]
)
def test_accounts_with_much_spent_in_an_hour(last: str, found: int) -> None:
    asked = spent(charge(901, "2003-12-24T12:00:00", 3_000), charge(902, last, 2_000))
    alert = '<alert><account id="1234"><customer> John Smith </customer></account></alert>'
    assert asked(seed_queries.FRAUD) == [alert] * found


def test_the_first_ten_of_a_vendor() -> None:
    store = FillerStore(credit_structure(), fillers(BANK))
    charged = sorted(
        (filler for filler in fillers(BANK) if "ABC Inc" in filler.content),
        key=lambda filler: filler.valid_time,
    )
    expected = [etree.fromstring(filler.content).get("id") for filler in charged[:10]]
    found = Asked({"credit": store})(seed_queries.FIRST_TEN)
    assert [etree.fromstring(each).get("id") for each in found] == expected


def test_accounts_of_a_bank_are_found_as_their_histories_say() -> None:
    store = FillerStore(credit_structure(), fillers(BANK))
    month = format_instant(BANK.start)[:10], format_instant(BANK.start + timedelta(days=31))[:10]
    query = seed_queries.MAXED_OUT.replace("2003-11-01,2003-12-01", ",".join(month))
    found = [etree.fromstring(each).get("id") for each in Asked({"credit": store})(query)]
    assert 0 < len(found) < BANK.accounts
    assert found == list(maxed_out(store, *map(time, month)))


def maxed_out(store: FillerStore, begin: datetime, end: datetime) -> Iterator[str | None]:
    """The accounts that spent up to their limit, told from the fillers themselves."""
    for hole in store.versions(store.root_key)[0].body.holes:
        account = store.versions(hole)[0]
        limits, transactions = (store.versions(each) for each in account.body.holes)
        spent = 0.0
        for transaction in transactions:
            (status,) = transaction.body.holes
            during = [
                each.filler.content
                for each in store.versions(status)
                if each.lifespan.clip(begin, end) is not None
            ]
            happened = transaction.lifespan.clip(begin, end) is not None
            if happened and "<status>charged</status>" in during:
                content = etree.fromstring(transaction.filler.content)
                spent += float(str(content.findtext("amount")))
        limit = float(str(etree.fromstring(limits[-1].filler.content).text))
        if spent >= limit:
            yield etree.fromstring(account.filler.content).get("id")
