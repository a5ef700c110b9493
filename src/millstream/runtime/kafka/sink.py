"""Results as records of a topic, each once.

A sink numbers what it has delivered. Before it sends, it writes down when it began; a delivery that
was cut off is looked up in the topic from then on, and only what is not there is sent again.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, expr

from millstream.runtime.kafka.address import Topic, result_topic
from millstream.runtime.kafka.connector import (
    KafkaTrouble,
    check_connector,
    client_settings,
    explained,
)
from millstream.runtime.sinks import Delivery, Sink, json_lines, memory_name
from millstream.runtime.storage import Storage

AT_ONCE = 5000
"""Results that are sent by one job."""
SLACK_MS = 3_600_000
"""What the clocks of a broker and of this machine may differ."""
HEADER = "millstream-"
_ROWS = (
    "key BINARY, value BINARY, headers ARRAY<STRUCT<key: STRING, value: BINARY>>, position BIGINT"
)
_PRODUCER = {"kafka.acks": "all", "kafka.max.block.ms": "20000", "kafka.linger.ms": "5"}

Row = tuple[bytes, bytes, list[tuple[str, bytes]], int]
Session = Callable[[], SparkSession]


@dataclass(frozen=True, slots=True)
class Memory:
    """What a sink knows of its deliveries."""

    id: str
    """Told with every record: so a sink knows its own again."""
    step: int = 0
    count: int = 0
    """How many results were delivered, up to that step."""
    began: int | None = None
    """When a delivery began that is not known to have ended, in milliseconds since the epoch."""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is new for a topic."""

    values: tuple[tuple[int, str], ...]
    """Each result with its step; those of a form of their own have the step of the delivery."""
    step: int
    ended: bool


class TopicSink:
    """Delivers the results of one subscription to its topic."""

    def __init__(self, storage: Storage, subscription: str, sink: Sink, spark: Session) -> None:
        self._storage = storage
        self._subscription = subscription
        self._sink = sink
        self._spark = spark
        self.topic: Topic = result_topic(sink.path, subscription)
        self._name = memory_name(subscription, sink.format, sink.path)

    def parcel(self, delivery: Delivery) -> Parcel | None:
        """What is new since the last delivery; None if nothing can be."""
        memory = self._memory()
        done = memory.step >= delivery.step and memory.began is None
        if memory.closed or (done and not delivery.ended):
            return None
        return Parcel(tuple(self._values(delivery, memory.step)), delivery.step, delivery.ended)

    def send(self, parcel: Parcel) -> None:
        """Deliver what is new, and remember that it was."""
        memory = self._memory()
        there: set[int] = set()
        if memory.began is not None:
            there = self._delivered(memory)
        if parcel.values:
            if memory.began is None:
                memory = replace(memory, began=int(time.time() * 1000))
                self._remember(memory)
            self._write([each for each in self._rows(parcel, memory) if each[3] not in there])
        count = memory.count + len(parcel.values)
        self._remember(Memory(memory.id, max(parcel.step, memory.step), count, None, parcel.ended))

    def _values(self, delivery: Delivery, done: int) -> Iterator[tuple[int, str]]:
        if self._sink.format == "json":
            if delivery.lines is not None:
                yield from ((delivery.step, each) for each in delivery.lines(done))
                return
            results = list(delivery.results(done))
            steps = [each.step for each in results]
            yield from zip(steps, json_lines(results), strict=True)
            return
        yield from ((each.step, each.value) for each in delivery.results(done))

    def _rows(self, parcel: Parcel, memory: Memory) -> Iterator[Row]:
        key = self._subscription.encode()
        for position, (step, value) in enumerate(parcel.values, memory.count):
            told = {
                "subscription": self._subscription,
                "step": str(step),
                "position": str(position),
                "delivery": memory.id,
            }
            headers = [(f"{HEADER}{name}", text.encode()) for name, text in told.items()]
            yield key, value.encode(), headers, position

    def _write(self, rows: Sequence[Row]) -> None:
        session = self._spark()
        check_connector(session)
        options = {**client_settings(self.topic), **_PRODUCER, "topic": self.topic.name}
        waiting = iter(rows)
        while chosen := list(islice(waiting, AT_ONCE)):
            frame = session.createDataFrame(chosen, _ROWS).coalesce(1)
            ordered = frame.sortWithinPartitions("position").drop("position")
            try:
                ordered.write.format("kafka").options(**options).save()
            except Exception as error:
                raise explained(self.topic, error) from None

    def _delivered(self, memory: Memory) -> set[int]:
        """The numbers of the results that a delivery brought before it was cut off."""
        session = self._spark()
        check_connector(session)
        options = {
            **client_settings(self.topic),
            "subscribe": self.topic.name,
            "startingTimestamp": str(max((memory.began or 0) - SLACK_MS, 0)),
            "startingOffsetsByTimestampStrategy": "latest",
            "endingOffsets": "latest",
            "includeHeaders": "true",
            "failOnDataLoss": "false",
            "kafkaConsumer.pollTimeoutMs": "10000",
        }
        try:
            found = session.read.format("kafka").options(**options).load()
            rows = (
                found.select(_header("delivery"), _header("position"))
                .where(col("delivery") == memory.id)
                .select(col("position").cast("bigint"))
                .collect()
            )
        except Exception as error:
            told = explained(self.topic, error)
            if isinstance(told, KafkaTrouble) and told.missing:
                return set()  # a topic is made by the first record
            raise told from None
        return {int(row["position"]) for row in rows}

    def _memory(self) -> Memory:
        written = self._storage.read(self._name)
        return Memory(uuid.uuid4().hex) if written is None else Memory(**json.loads(written))

    def _remember(self, memory: Memory) -> None:
        self._storage.write(self._name, json.dumps(asdict(memory)).encode())


def _header(name: str) -> Any:
    wanted = f"filter(headers, each -> each.key = '{HEADER}{name}')"
    return expr(f"CAST(get({wanted}, 0).value AS STRING)").alias(name)
