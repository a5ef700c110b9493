"""Brokers that go and return, mills that are killed: nothing is lost, and nothing comes twice."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from confluent_kafka import KafkaException
from pyspark.sql import SparkSession

from tests.runtime.kafka.broker import Broker
from tests.runtime.kafka.photon_topic import (
    Process,
    by_subscription,
    embedded,
    ended,
    photons,
    positions,
    started,
)

COUNT = 8000


def wait_for(broker: Broker, topic: str, count: int, process: Process) -> None:
    """Wait until a topic has so many records."""
    deadline = time.monotonic() + 180
    while True:
        try:
            if len(broker.messages(topic)) >= count:
                return
        except (KafkaException, KeyError):
            pass  # it is not there yet
        assert process.poll() is None, process.communicate()[1][-4000:]
        assert time.monotonic() < deadline
        time.sleep(0.2)


def check(broker: Broker, topic: str, expected: dict[str, list[str]]) -> None:
    """A topic holds each result of each subscription, once and in its place."""
    assert by_subscription(broker, topic) == expected
    numbers = {name: list(range(len(each))) for name, each in expected.items()}
    assert positions(broker, topic) == numbers


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
def test_broker_that_goes_and_returns(
    broker: Broker, spark: SparkSession, tmp_path: Path, kill: bool
) -> None:
    values, topic = photons(tmp_path, COUNT), f"results-{kill}"
    source = broker.create(f"photons-{kill}")
    broker.send(f"photons-{kill}", values[: COUNT // 2])
    stop = tmp_path / "stop"
    process = started(
        tmp_path / "space", f"{source}?max=300", f"kafka://{broker.address}/{topic}", stop
    )
    wait_for(broker, topic, 20, process)
    broker.stop(kill=kill)
    time.sleep(20)
    assert process.poll() is None
    broker.start()
    broker.send(f"photons-{kill}", values[COUNT // 2 :])
    stop.touch()
    found = ended(process)
    expected = embedded(spark, values, tmp_path)
    assert found["logs"] == expected
    check(broker, topic, expected)
    assert any("does not answer" in each for each in found["troubles"])


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(900)
def test_mill_that_is_killed_again_and_again(
    broker: Broker, spark: SparkSession, tmp_path: Path
) -> None:
    values = photons(tmp_path, COUNT)
    source = f"{broker.create('killed')}?max=300"
    broker.send("killed", values)
    results = f"kafka://{broker.address}/killed-results"
    for count in (10, 60, 120, 180):
        process = started(tmp_path / "space", source, results, tmp_path / "never")
        wait_for(broker, "killed-results", count, process)
        process.kill()
        process.wait(30)
    found = ended(started(tmp_path / "space", source, results))
    expected = embedded(spark, values, tmp_path)
    assert found["logs"] == expected
    check(broker, "killed-results", expected)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("place", "told"),
    [("127.0.0.1:9/photons", "does not answer"), ("{}/absent", "does not exist")],
    ids=["broker", "topic"],
)
def test_what_is_not_there_is_told(broker: Broker, tmp_path: Path, place: str, told: str) -> None:
    address = f"kafka://{place.format(broker.address)}?patience=5"
    process = started(tmp_path / "space", address, f"kafka://{broker.address}/nowhere")
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 1
    assert told in errors.splitlines()[-2] + errors.splitlines()[-1]
