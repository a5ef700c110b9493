"""Listening to a topic: a query of Spark's writes what comes into files that the intake reads."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from millstream.errors import MillstreamError
from millstream.runtime.kafka.address import Topic
from millstream.runtime.kafka.connector import check_connector, client_settings, explained
from millstream.runtime.kafka.draining import drain_batch
from millstream.runtime.kafka.record import Framing

LOG = logging.getLogger("millstream.kafka")
TRIGGER = "200 milliseconds"
LONGEST_PAUSE = 15.0
_WATCH_EVERY = 0.2


class TopicListener:
    """Hears one topic, by a query that is started again whenever it breaks off."""

    def __init__(
        self,
        topic: Topic,
        framing: Framing,
        stream: str,
        folder: str,
        checkpoint: str,
        spark: Callable[[], SparkSession],
    ) -> None:
        self._topic = topic
        self._framing = framing
        self._stream = stream
        self._folder = folder
        self._checkpoint = checkpoint
        self._spark = spark
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._query: StreamingQuery | None = None
        self._starting = threading.Lock()
        self.trouble: MillstreamError | None = None
        """Why nothing is heard at the moment."""
        self.finished = False
        """A topic never says that nothing will follow."""

    def start(self) -> None:
        """Begin to listen, or go on behind what was heard last."""
        if self._thread is not None and self._thread.is_alive():
            return
        check_connector(self._spark())
        self._stop.clear()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="kafka listener")
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; a batch that is on its way is repeated later."""
        self._stop.set()
        with self._starting:
            self._end_query()
        self._thread = None

    def check(self) -> None:
        """Nothing keeps it from ever hearing more: it tries again for as long as it runs."""

    def catch_up(self) -> None:
        """Hear all that there is, and return; raises what keeps it from that for too long."""
        deadline = time.monotonic() + self._topic.patience
        while not self._stop.is_set():
            try:
                self._running().processAllAvailable()
                self.trouble = None
                return
            except Exception as error:
                self._failed(error)
                if time.monotonic() >= deadline:
                    raise explained(self._topic, error) from None
                self._stop.wait(1.0)

    def _watch(self) -> None:
        pause = 1.0
        while not self._stop.is_set():
            try:
                query = self._running()
                while query.isActive and not self._stop.wait(_WATCH_EVERY):
                    if self.trouble is not None and query.lastProgress is not None:
                        self.trouble, pause = None, 1.0
                error = None if self._stop.is_set() else query.exception()
                if error is not None:
                    raise error
            except Exception as error:
                if not self._stop.is_set():
                    self._failed(error)
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _failed(self, error: BaseException) -> None:
        told = explained(self._topic, error)
        if self.trouble is None or self.trouble.message != told.message:
            LOG.warning("stream '%s': %s", self._stream, told.message)
        self.trouble = told

    def _running(self) -> StreamingQuery:
        """The query, started if it does not run."""
        with self._starting:
            if self._query is None or not self._query.isActive:
                self._query = self._started()
            return self._query

    def _started(self) -> StreamingQuery:
        topic = self._topic
        options = {
            **client_settings(topic),
            "subscribe": topic.name,
            "startingOffsets": topic.starting,
            "maxOffsetsPerTrigger": str(topic.max),
            "includeHeaders": "true",
            "failOnDataLoss": str(not topic.skip_losses).lower(),
            "fetchOffset.numRetries": "2",
            "fetchOffset.retryIntervalMs": "500",
            "kafkaConsumer.pollTimeoutMs": "10000",
            "groupIdPrefix": f"millstream-{self._stream}",
        }
        records = self._spark().readStream.format("kafka").options(**options).load()
        return (
            records.writeStream.foreachBatch(self._drain)
            .option("checkpointLocation", self._checkpoint)
            .queryName(f"millstream {self._stream} from {topic.name}")
            .trigger(processingTime=TRIGGER)
            .start()
        )

    def _drain(self, records: DataFrame, batch: int) -> None:
        drain_batch(records, batch, self._folder, self._framing)

    def _end_query(self) -> None:
        if self._query is not None:
            with suppress(Exception):  # it may have ended by itself
                self._query.stop()
            self._query = None
