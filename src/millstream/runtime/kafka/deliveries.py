"""Deliveries to topics, beside the steps: a broker that is away holds up no stream."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable

from millstream.errors import MillstreamError
from millstream.runtime.kafka.address import PATIENCE, is_kafka
from millstream.runtime.kafka.connector import explained
from millstream.runtime.kafka.sink import Session, TopicSink
from millstream.runtime.sinks import Delivery, Sink
from millstream.runtime.storage import Storage

LOG = logging.getLogger("millstream.kafka")
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0

Sinks = Callable[[], Iterable[tuple[str, Sink]]]


class TopicDeliveries:
    """Brings results to topics, in a thread of its own while a mill runs."""

    def __init__(
        self,
        storage: Storage,
        lock: threading.RLock,
        spark: Session,
        sinks: Sinks,
        delivery: Callable[[str], Delivery],
    ) -> None:
        self._storage = storage
        self._lock = lock
        """Held while a step runs: what is delivered is whole steps."""
        self._spark = spark
        self._sinks = sinks
        self._delivery = delivery
        self._news = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.trouble: dict[str, MillstreamError] = {}
        """Why results of subscriptions wait, by their names."""

    def wake(self) -> None:
        """Tell that there may be something to deliver."""
        if not any(True for _ in self._topics()):
            return
        self._news.set()
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._bring, daemon=True, name="deliveries")
            self._thread.start()

    def finish(self, wait: bool) -> None:
        """Deliver all that there is; waiting raises what keeps it from that for too long."""
        self.stop()
        deadline = time.monotonic() + PATIENCE
        pause = FIRST_PAUSE
        while not self._deliver_all() and wait:
            if time.monotonic() >= deadline:
                raise next(iter(self.trouble.values()))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def stop(self) -> None:
        """End the thread, when what it is sending has gone."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            self._news.set()
            thread.join()

    def _topics(self) -> Iterable[tuple[str, Sink]]:
        return ((name, sink) for name, sink in self._sinks() if is_kafka(sink.path))

    def _bring(self) -> None:
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            self._news.wait()
            self._news.clear()
            if self._stop.is_set():
                return
            if self._deliver_all():
                pause = FIRST_PAUSE
            else:
                self._stop.wait(pause)
                self._news.set()
                pause = min(2 * pause, LONGEST_PAUSE)

    def _deliver_all(self) -> bool:
        """Deliver what is new to every topic; False when something must wait."""
        for name, sink in self._topics():
            try:
                self._deliver(name, sink)
                self.trouble.pop(name, None)
            except Exception as error:
                self._failed(name, sink, error)
        return not self.trouble

    def _deliver(self, name: str, sink: Sink) -> None:
        topic = TopicSink(self._storage, name, sink, self._spark)
        with self._lock:
            parcel = topic.parcel(self._delivery(name))
        if parcel is not None:
            topic.send(parcel)

    def _failed(self, name: str, sink: Sink, error: Exception) -> None:
        topic = TopicSink(self._storage, name, sink, self._spark).topic
        told = explained(topic, error)
        known = self.trouble.get(name)
        if known is None or known.message != told.message:
            LOG.warning("results of '%s' wait: %s", name, told.message)
        self.trouble[name] = told
