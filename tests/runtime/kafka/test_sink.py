"""Deliveries to a topic: numbered, each once, whatever breaks off."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from millstream.errors import MillstreamError, SchemaError, UnsupportedError
from millstream.runtime.kafka.connector import KafkaTrouble
from millstream.runtime.kafka.deliveries import TopicDeliveries
from millstream.runtime.kafka.sink import Memory, Row, TopicSink
from millstream.runtime.results import Result
from millstream.runtime.sinks import Delivery, Sink
from millstream.runtime.storage import LocalStorage

LOG = [Result(step, (step,), f"<a>{n}</a>") for step, n in ((1, 1), (1, 2), (3, 3), (4, 4))]
SINK = Sink("xml", "kafka://127.0.0.1:9092/results")


def delivery(step: int, *, ended: bool = False, lines: bool = False) -> Delivery:
    def results(after: int) -> Iterable[Result]:
        return [each for each in LOG if after < each.step <= step]

    def written(after: int) -> Iterable[str]:
        return [f"line {each.value}" for each in results(after)]

    return Delivery("<o>", "</o>", step, ended, results, written if lines else None)


class Topic:
    """What a topic would hold."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.room = 1000
        """Records after which the broker goes away."""

    @property
    def values(self) -> list[str]:
        return [value.decode() for _, value, _, _ in self.rows]

    @property
    def positions(self) -> list[int]:
        return [position for *_, position in self.rows]


class MemorySink(TopicSink):
    """A sink whose topic is a list."""

    def __init__(self, folder: Path, topic: Topic, sink: Sink = SINK) -> None:
        super().__init__(LocalStorage(str(folder)), "vela", sink, lambda: pytest.fail("no Spark"))
        self.held = topic
        self.looks = 0

    def _write(self, rows: Sequence[Row]) -> None:
        for each in rows:
            if len(self.held.rows) >= self.held.room:
                raise KafkaTrouble("topic 'results' does not answer")
            self.held.rows.append(each)

    def _delivered(self, memory: Memory) -> set[int]:
        self.looks += 1
        return set(self.held.positions)

    def deliver(self, made: Delivery) -> None:
        parcel = self.parcel(made)
        if parcel is not None:
            self.send(parcel)


def test_results_are_numbered_over_all_deliveries(tmp_path: Path) -> None:
    topic = Topic()
    for step in (1, 2, 3, 3, 4):
        MemorySink(tmp_path, topic).deliver(delivery(step))
    assert topic.values == [each.value for each in LOG]
    assert topic.positions == [0, 1, 2, 3]
    key, _, headers, _ = topic.rows[2]
    told = {name: text.decode() for name, text in headers}
    assert key == b"vela"
    assert (told["millstream-step"], told["millstream-position"]) == ("3", "2")


@pytest.mark.parametrize("room", range(5))
def test_a_delivery_that_broke_off_goes_on_where_it_was(tmp_path: Path, room: int) -> None:
    topic = Topic()
    topic.room = room
    if room < len(LOG):
        with pytest.raises(KafkaTrouble):
            MemorySink(tmp_path, topic).deliver(delivery(3 if room < 3 else 4))
    topic.room = 1000
    sink = MemorySink(tmp_path, topic)
    sink.deliver(delivery(4))
    assert topic.values == [each.value for each in LOG]
    assert sink.looks == (room < len(LOG))


def test_a_crash_before_the_end_is_written_down_sends_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = Topic()
    sink = MemorySink(tmp_path, topic)
    remember, written = sink._remember, []

    def once(memory: Memory) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(memory)
        remember(memory)

    monkeypatch.setattr(sink, "_remember", once)
    with pytest.raises(KeyboardInterrupt):
        sink.deliver(delivery(3))
    MemorySink(tmp_path, topic).deliver(delivery(4))
    assert topic.positions == [0, 1, 2, 3]


def test_nothing_is_looked_up_when_nothing_broke_off(tmp_path: Path) -> None:
    sink = MemorySink(tmp_path, Topic())
    for step in (1, 3, 4):
        sink.deliver(delivery(step))
    assert sink.looks == 0


def test_an_ended_stream_is_delivered_once(tmp_path: Path) -> None:
    topic = Topic()
    for _ in range(2):
        MemorySink(tmp_path, topic).deliver(delivery(4, ended=True))
    assert len(topic.values) == 4


def test_json_has_the_lines_of_files(tmp_path: Path) -> None:
    topic, sink = Topic(), Sink("json", "kafka://127.0.0.1:9092/r")
    MemorySink(tmp_path, topic, sink).deliver(delivery(1))
    assert topic.values[0] == '{"step": 1, "item": "<a>1</a>"}'
    tagged = Topic()
    MemorySink(tmp_path / "tagged", tagged, sink).deliver(delivery(1, lines=True))
    assert tagged.values == ["line <a>1</a>", "line <a>2</a>"]


def test_a_topic_takes_texts_only() -> None:
    with pytest.raises(UnsupportedError, match="no results in format parquet"):
        Sink("parquet", "kafka://127.0.0.1:9092/r")
    with pytest.raises(SchemaError, match="no name of a topic"):
        Sink("xml", "kafka://127.0.0.1:9092/a b")


def test_a_broker_that_is_away_is_told_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = Topic()
    topic.room = 0
    told: list[MillstreamError] = []

    def made(*_: object) -> MemorySink:
        return MemorySink(tmp_path, topic)

    monkeypatch.setattr("millstream.runtime.kafka.deliveries.TopicSink", made)
    monkeypatch.setattr("millstream.runtime.kafka.deliveries.FIRST_PAUSE", 0.01)
    deliveries = TopicDeliveries(
        LocalStorage(str(tmp_path)),
        threading.RLock(),
        lambda: pytest.fail("no Spark"),
        lambda: [("vela", SINK)],
        lambda name: delivery(4),
    )
    deliveries.wake()
    for _ in range(500):
        told += deliveries.trouble.values()
        if told:
            break
        threading.Event().wait(0.01)
    topic.room = 1000
    deliveries.finish(wait=True)
    assert "does not answer" in told[0].message
    assert (topic.positions, deliveries.trouble) == ([0, 1, 2, 3], {})
