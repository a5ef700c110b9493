"""Photons from a topic, four subscriptions, results to a topic: as if they had come from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import millstream
from millstream.errors import StateError
from millstream.runtime.kafka.connector import connector_package
from tests.runtime.kafka.broker import Broker
from tests.runtime.kafka.photon_topic import (
    BROKEN,
    by_subscription,
    embedded,
    ended,
    photons,
    positions,
    started,
)


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_photons_from_topic_to_topic_give_what_files_give(
    broker: Broker, spark: SparkSession, tmp_path: Path
) -> None:
    values = photons(tmp_path, 6000)
    source = broker.create("photons")
    broker.send("photons", [*values[:3000], BROKEN, b"\x00\xff", None, *values[3000:]])
    process = started(tmp_path / "space", f"{source}?max=1500", f"kafka://{broker.address}/results")
    expected = embedded(spark, values, tmp_path)
    found = ended(process)
    assert all(expected.values())
    assert found["logs"] == expected
    assert by_subscription(broker, "results") == expected
    numbers = positions(broker, "results")
    assert numbers == {name: list(range(len(each))) for name, each in expected.items()}
    assert len(found["quarantine"]) == 3
    assert all("partition 0, offset 300" in reason for reason in found["quarantine"])


@pytest.mark.spark
@pytest.mark.long
def test_a_spark_without_connector_is_refused_with_what_it_needs(spark: SparkSession) -> None:
    with millstream.open(spark=spark) as mill, pytest.raises(StateError, match="no conn") as told:
        mill.create_stream("photons", "kafka://127.0.0.1:9/photons", schema="n INT")
    assert f"--packages {connector_package()}" in str(told.value.help)
