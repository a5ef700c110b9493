"""Addresses of topics: what they say, and what they must not."""

from __future__ import annotations

import pytest

from millstream.errors import SchemaError
from millstream.runtime.kafka.address import is_kafka, result_topic, source_topic
from millstream.runtime.kafka.connector import (
    SETTINGS,
    client_settings,
    connector_package,
    packages_for,
)


def test_an_address_names_brokers_and_topic() -> None:
    topic = source_topic("kafka://a:9092,b:9093/photons")
    assert (topic.brokers, topic.name, topic.starting) == ("a:9092,b:9093", "photons", "earliest")


def test_an_address_says_how_a_topic_is_read() -> None:
    topic = source_topic(
        "kafka://a:9092/p?starting=latest&max=50&carry=key,offset&headers=tags&tagger=ann"
        "&losses=skip&kafka.security.protocol=SSL"
    )
    assert (topic.starting, topic.max, topic.carry) == ("latest", 50, ("key", "offset"))
    assert (topic.headers, topic.tagger, topic.skip_losses) == (True, "ann", True)
    assert topic.client == {"kafka.security.protocol": "SSL"}


def test_offsets_are_given_by_partition() -> None:
    topic = source_topic('kafka://a:9092/p?starting={"0": 17, "1": 4}')
    assert topic.starting == '{"p": {"0": 17, "1": 4}}'


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("kafka://a/p", "names no broker"),
        ("kafka:///p", "names no broker"),
        ("kafka://a:9092/", "is no name of a topic"),
        ("kafka://a:9092/p/q", "is no name of a topic"),
        ("kafka://a:9092/p?starting=soon", "not read from 'soon'"),
        ("kafka://a:9092/p?max=0", "above 0"),
        ("kafka://a:9092/p?carry=colour", "cannot be 'colour'"),
        ("kafka://a:9092/p?maximum=3", "no option 'maximum'"),
        ("kafka://a:9092/p?max=1&max=2", "said twice"),
        ("kafka://a:9092/p?kafka.bootstrap.servers=b:1", "does not set 'kafka.bootstrap.servers'"),
        ("kafka://me:secret@a:9092/p", "holds no password"),
        ("kafka://a:9092/p?kafka.ssl.key.password=x", "holds no password"),
    ],
)
def test_what_is_wrong_with_an_address_is_told(address: str, reason: str) -> None:
    with pytest.raises(SchemaError, match=reason):
        source_topic(address)


def test_results_have_a_topic_for_each_subscription_or_one_for_all() -> None:
    assert result_topic("kafka://a:9092/r-{subscription}", "my vela").name == "r-my-vela"
    assert result_topic("kafka://a:9092/results", "vela").name == "results"


def test_only_topics_are_kafkas() -> None:
    assert is_kafka("kafka://a:9092/p")
    assert not is_kafka("http://a:9092/p")


def test_settings_with_secrets_come_from_a_file(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = f"{tmp_path}/kafka.toml"
    with open(file, "w", encoding="utf-8") as written:
        written.write('["a:9092"]\n"sasl.jaas.config" = "x"\n["b:1"]\n"group.id" = "y"\n')
    monkeypatch.setenv(SETTINGS, file)
    settings = client_settings(source_topic("kafka://a:9092/p"))
    assert settings["kafka.sasl.jaas.config"] == "x"
    assert "kafka.group.id" not in settings


def test_spark_starts_with_the_connector_where_a_topic_is_named() -> None:
    assert packages_for("", ["files", "kafka://a:9092/p"]) == (connector_package(),)
    assert packages_for("", ["files"]) == ()
    assert packages_for("/jars/spark-sql-kafka.jar", ["kafka://a:9092/p"]) == (
        "/jars/spark-sql-kafka.jar",
    )
