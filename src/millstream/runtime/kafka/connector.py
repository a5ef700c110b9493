"""Spark's connector to Kafka: what it is called, whether a session has it, and what it says."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyspark
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from millstream.errors import MillstreamError, StateError
from millstream.runtime.kafka.address import CLIENT, Topic, is_kafka
from millstream.runtime.session import PACKAGES

SETTINGS = "MILLSTREAM_KAFKA"
"""Names a TOML file with settings of Kafka's client, in a table for each list of brokers."""
SCALA = "2.13"
_CLASS = "org.apache.spark.sql.kafka010.KafkaSourceProvider"
_CLIENT_SETTINGS = {
    # A broker that is away is noticed in seconds, and asked again.
    "kafka.default.api.timeout.ms": "10000",
    "kafka.request.timeout.ms": "5000",
    "kafka.reconnect.backoff.max.ms": "1000",
    "kafka.socket.connection.setup.timeout.ms": "5000",
}
_SAYINGS = (
    (re.compile(r"UnknownTopicOrPartition|does not exist"), "missing"),
    (re.compile(r"TopicAuthorization|GroupAuthorization|ClusterAuthorization"), "forbidden"),
    (re.compile(r"Authentication|SslHandshake|SaslAuth"), "unauthenticated"),
    (re.compile(r"data loss|DataLoss|OffsetOutOfRange|MISSING_PARTITIONS|DATA_LOSS"), "lost"),
    # A topic that a producer knows nothing of may be missing, or its broker away.
    (re.compile(r"Timeout|timed out|not present in metadata|Disconnect|No resolvable"), "silent"),
)
_TOLD = {
    "missing": ("does not exist", "create it; a stream waits for it"),
    "forbidden": ("may not be used", f"name settings that allow it in the file of {SETTINGS}"),
    "unauthenticated": ("lets nobody in so", f"name settings in the file of {SETTINGS}"),
    "lost": (
        "no longer holds records that were not read yet",
        "keep records longer; with losses=skip in its address the rest is read all the same",
    ),
    "silent": ("does not answer", "it is asked again; nothing is lost"),
}


class KafkaTrouble(StateError):
    """A topic that cannot be read or written at the moment."""

    def __init__(self, message: str, *, kind: str = "", help: str | None = None) -> None:
        super().__init__(message, code="kafka", help=help)
        self.missing = kind == "missing"
        """True when there is no such topic."""


def connector_package() -> str:
    """The connector that belongs to this Spark."""
    return f"org.apache.spark:spark-sql-kafka-0-10_{SCALA}:{pyspark.__version__}"


def packages_for(given: str | None, places: Iterable[str]) -> tuple[str, ...]:
    """What Spark is started with: what is said, and the connector where a topic is named."""
    said = given if given is not None else os.environ.get(PACKAGES, "")
    chosen = tuple(each.strip() for each in said.split(",") if each.strip())
    known = any("spark-sql-kafka" in each for each in chosen)
    wanted = not known and any(map(is_kafka, places))
    return (*chosen, connector_package()) if wanted else chosen


def check_connector(spark: SparkSession) -> None:
    """Raise StateError where a session has no connector."""
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()  # type: ignore[union-attr]
    try:
        loader.loadClass(_CLASS)
    except Exception:  # as Java says it
        raise StateError(
            "this Spark has no connector to Kafka",
            code="kafka-connector",
            help=f"start it with --packages {connector_package()}, or with"
            f" spark.jars.packages={connector_package()} in its configuration; Millstream's own"
            " Spark does so when the first topic is named before it starts",
        ) from None


def client_settings(topic: Topic) -> dict[str, str]:
    """The settings of Kafka's client for a topic, each with what Spark wants before its name."""
    return {
        "kafka.bootstrap.servers": topic.brokers,
        **_CLIENT_SETTINGS,
        **_told_settings(topic.brokers),
        **topic.client,
    }


def _told_settings(brokers: str) -> dict[str, str]:
    """What a file says of brokers: secrets have no place in an address."""
    named = os.environ.get(SETTINGS)
    if not named:
        return {}
    try:
        tables = tomllib.loads(Path(named).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise StateError(f"the file of {SETTINGS} cannot be read: {error}", code="kafka") from None
    table = tables.get(brokers, {})
    if not isinstance(table, Mapping):
        raise StateError(f'the file of {SETTINGS} needs a table ["{brokers}"]', code="kafka")
    return {f"{CLIENT}{name}": str(value) for name, value in table.items()}


def explained(topic: Topic, error: BaseException) -> MillstreamError:
    """What keeps a topic from being read or written, in words."""
    if isinstance(error, MillstreamError):
        return error
    text = _text(error)
    for saying, kind in _SAYINGS:
        if saying.search(text):
            told, help = _TOLD[kind]
            return KafkaTrouble(f"{topic} {told}", kind=kind, help=help)
    first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
    return KafkaTrouble(f"{topic} cannot be used: {first.strip()[:300]}")


def _text(error: BaseException) -> str:
    if isinstance(error, PySparkException):
        return f"{error.getCondition() or ''} {error}"
    return str(error)
