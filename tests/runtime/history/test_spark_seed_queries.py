"""The seed's queries about histories on Spark: joins in time, windows, versions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import pytest
from pyspark.sql import SparkSession

from millstream.generators import packets, radars, roads
from millstream.generators.credit import credit_structure, example_fillers, fillers
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy
from tests.history import seed_queries
from tests.history.asking import events
from tests.history.credit import time
from tests.history.test_seed_queries import AIRSPACE, BACKBONE, BANK, ROAD, charge
from tests.runtime.history.spark_asking import ON_SPARK, BothAsked


def backbone() -> Mapping[str, FillerStore]:
    return {
        "gsyn": events(packets.SYNS, packets.syns(BACKBONE), BACKBONE.start),
        "ack": events(packets.ACKS, packets.acks(BACKBONE), BACKBONE.start),
    }


def airspace() -> Mapping[str, FillerStore]:
    return {
        f"radar{number + 1}": events(stream, radars.events(AIRSPACE, number), AIRSPACE.start)
        for number, stream in enumerate(radars.RADARS)
    }


def road() -> Mapping[str, FillerStore]:
    return {
        "vehicle": events(roads.VEHICLES, roads.vehicle_events(ROAD), ROAD.start),
        "road_sensor": events(roads.SENSORS, roads.sensor_events(ROAD), ROAD.start),
        "traffic_light": events(roads.LIGHTS, roads.light_events(ROAD), ROAD.start),
    }


def smith() -> Mapping[str, FillerStore]:
    later = charge(901, "2003-11-02", 3_000) + charge(902, "2003-11-02T00:30:00", 3_000)
    store = FillerStore(credit_structure(), (*example_fillers(), *later))
    return {"creditSystem": store, "credit": store}


def bank() -> Mapping[str, FillerStore]:
    return {"credit": FillerStore(credit_structure(), fillers(BANK))}


ASKED = {
    "syn as printed": (backbone, seed_queries.SYN_AS_PRINTED, None),
    "syn as meant": (backbone, seed_queries.SYN_AS_MEANT, None),
    "radar": (airspace, seed_queries.RADAR, None),
    "traffic light": (road, seed_queries.TRAFFIC_LIGHT, None),
    "charged": (smith, seed_queries.CHARGED, None),
    "charged now": (smith, seed_queries.CHARGED_NOW, None),
    "charged then": (smith, seed_queries.CHARGED_NOW, time("2003-10-31")),
    "charged last": (smith, seed_queries.CHARGED_LAST, None),
    "maxed out": (smith, seed_queries.MAXED_OUT, None),
    "fraud": (smith, seed_queries.FRAUD, time("2003-11-02T00:45:00")),
    "first ten": (bank, seed_queries.FIRST_TEN, None),
}


def check(spark: SparkSession, name: str, strategies: tuple[Strategy, ...]) -> None:
    stores, query, now = ASKED[name]
    asked = BothAsked(spark, stores())
    answer = _check(asked, query, now, strategies)
    assert answer or name in ("charged now", "charged last")


def _check(
    asked: BothAsked, query: str, now: datetime | None, strategies: tuple[Strategy, ...]
) -> list[str]:
    answer = asked.check(query, now, strategies)
    assert asked.ways == {"sql": len(strategies)}, "every query of the seed has SQL"
    return answer


@pytest.mark.parametrize("name", ("syn as meant", "traffic light", "maxed out", "first ten"))
def test_spark_answers_queries_of_the_seed(spark: SparkSession, name: str) -> None:
    check(spark, name, (Strategy.QAC_PLUS,))


@pytest.mark.long
@pytest.mark.parametrize("name", ASKED)
def test_spark_answers_all_queries_of_the_seed(spark: SparkSession, name: str) -> None:
    check(spark, name, ON_SPARK)
