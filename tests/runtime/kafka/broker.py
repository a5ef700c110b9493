"""A real broker on this machine: Apache Kafka, one node, from its own artifacts."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

REQUIRED = "MILLSTREAM_REQUIRE_KAFKA"
"""Set where tests with a broker must run: then it is a failure that they cannot."""
PARTS = Path(__file__).with_name("ivy.xml")
_FETCHING = 600
_CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
_SMALL = ("-Xms64m", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
Message = tuple[str | None, str, dict[str, str]]


def java() -> str:
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


def artifacts() -> Path:
    """The folder of the fetched parts; skips, or fails where that is asked for, without them."""
    kept = Path(sys.prefix) / "kafka"
    kept.mkdir(parents=True, exist_ok=True)
    folder = kept / hashlib.sha256(PARTS.read_bytes()).hexdigest()[:12]
    with open(kept / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _fetch(kept, folder)
    return folder


def _fetch(kept: Path, folder: Path) -> None:
    ivy = next((Path(pyspark.__file__).parent / "jars").glob("ivy-2*.jar"))
    fetched = kept / "fetched"
    shutil.rmtree(fetched, ignore_errors=True)
    pattern = f"{fetched}/[conf]/[artifact]-[revision].[ext]"
    command = [java(), *_SMALL, "-jar", str(ivy), "-ivy", str(PARTS), "-cache", str(kept / "cache")]
    command += ["-types", "jar", "bundle", "-retrieve", pattern]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_FETCHING, check=False
        )
    except subprocess.TimeoutExpired:
        _missing("fetching took too long")
        return
    if done.returncode != 0 or "UNRESOLVED" in done.stdout or not fetched.exists():
        last = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()][-3:]
        _missing(" ".join(last))
        return
    fetched.rename(folder)


def _missing(reason: str) -> None:
    message = f"Kafka cannot be fetched from Maven: {reason}"
    if os.environ.get(REQUIRED):
        pytest.fail(message)
    pytest.skip(message)


def connector() -> str:
    """The files of Spark's connector, as MILLSTREAM_PACKAGES names them."""
    return ",".join(str(each) for each in sorted((artifacts() / "connector").glob("*.jar")))


class Broker:
    """One broker, which can be stopped, killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.port, controller = _free_ports(2)
        self.address = f"127.0.0.1:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._settings = folder / "server.properties"
        self._settings.write_text(_settings(folder / "log", self.port, controller))
        self._java("kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(self._settings))

    def _command(self, name: str, *arguments: str) -> list[str]:
        told = "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"
        path = f"{artifacts() / 'broker'}/*"
        return [java(), *_SMALL, told, "-cp", path, name, *arguments]

    def _java(self, name: str, *arguments: str) -> None:
        command = self._command(name, *arguments)
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> None:
        with open(self._folder / "broker.log", "ab") as log:
            command = self._command("kafka.Kafka", str(self._settings))
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        _eventually(self._answers, 60, f"broker does not start: see {self._folder}/broker.log")

    def _answers(self) -> bool:
        try:
            return bool(self._admin().list_topics(timeout=1).brokers)
        except KafkaException:
            return False

    def stop(self, *, kill: bool = False) -> None:
        if self._process is not None:
            (self._process.kill if kill else self._process.terminate)()
            self._process.wait(30)
            self._process = None

    def _admin(self) -> AdminClient:
        return AdminClient({"bootstrap.servers": self.address, "log_level": 0})

    def create(self, topic: str, partitions: int = 1) -> str:
        """Make a topic; its address as a source."""
        admin = self._admin()
        admin.create_topics([NewTopic(topic, partitions, 1)])[topic].result(20)
        return f"kafka://{self.address}/{topic}"

    def send(self, topic: str, values: list[bytes | None], **options: object) -> None:
        """Put values into a topic, with keys and headers and a partition if these are given."""
        producer = Producer({"bootstrap.servers": self.address, "log_level": 0})
        for value in values:
            while True:
                try:
                    producer.produce(topic, value, **options)
                    break
                except BufferError:
                    producer.poll(0.1)
        assert producer.flush(60) == 0

    def messages(self, topic: str) -> list[Message]:
        """Everything that a topic holds: keys, values and headers."""
        settings = {
            "bootstrap.servers": self.address,
            "group.id": "witness",
            "enable.auto.commit": False,
            "log_level": 0,
        }
        consumer = Consumer(settings)
        try:
            known = self._admin().list_topics(topic, timeout=10).topics[topic].partitions
            found: list[Message] = []
            for partition in known:
                found += _partition(consumer, topic, partition)
            return found
        finally:
            consumer.close()


def _partition(consumer: Consumer, topic: str, partition: int) -> Iterator[Message]:
    place = TopicPartition(topic, partition, 0)
    low, high = consumer.get_watermark_offsets(place, timeout=10)
    consumer.assign([TopicPartition(topic, partition, low)])
    offset = low
    while offset < high:
        message = consumer.poll(10)
        assert message is not None and message.error() is None
        offset = message.offset() + 1
        key, value = message.key(), message.value() or b""
        headers = {name: text.decode() for name, text in message.headers() or ()}
        yield None if key is None else key.decode(), value.decode(), headers


@contextmanager
def running_broker(folder: Path) -> Iterator[Broker]:
    """A broker that is stopped in the end."""
    folder.mkdir(parents=True, exist_ok=True)
    broker = Broker(folder)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


def _eventually(holds: object, seconds: float, message: str) -> None:
    deadline = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < deadline, message
        time.sleep(0.2)


def _free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


def _settings(log: Path, port: int, controller: int) -> str:
    return f"""\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
log.dirs={log}
num.partitions=1
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.index.size.max.bytes=1048576
"""
