"""The streaming query of one stream: started, watched, stopped between steps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from millstream.errors import InternalError, MillstreamError, StateError
from millstream.model.filler_layout import microseconds
from millstream.runtime.history.histories import Histories
from millstream.runtime.intake.failure import raised_in_worker
from millstream.runtime.intake.source import stream as intake_stream
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.journal import Journal
from millstream.runtime.listening import Listening, heard_folder, is_heard, listening_to
from millstream.runtime.log_reading import FILLER_LOG, log_schema
from millstream.runtime.records import StreamRecord
from millstream.runtime.registry import Registry
from millstream.runtime.session import prepared
from millstream.runtime.shared_batch import FROM_LOG, SharedBatch, StepReport
from millstream.runtime.small_source import batches, is_small
from millstream.runtime.space import Space

TRIGGER = "100 milliseconds"
TICK_SECONDS = 1.0
"""How often time passes for those who ask for now, though nothing comes."""
LOOK_SECONDS = 0.1
"""How often a batch that waits for others looks whether its stream is being stopped."""


class StreamRunner:
    """Runs a stream: one Spark query, whose batches are steps of the shared batch."""

    def __init__(
        self,
        space: Space,
        registry: Registry,
        record: StreamRecord,
        spark: Callable[[], SparkSession],
        journals: Callable[[], Mapping[str, Journal]],
        lock: threading.RLock,
        report: Callable[[StepReport], None],
        before: Callable[[str], None] | None = None,
        histories: Histories | None = None,
    ) -> None:
        self.record = record
        self.journal = Journal(space.storage, f"streams/{record.name}/journal")
        self.lock = lock
        """Held while a step of any stream runs: their steps are numbered in one order."""
        self._journals = journals
        self._space = space
        self._registry = registry
        self._spark = spark
        self._report = report
        self._before = before
        self._histories = histories
        self._batch: SharedBatch | None = None
        self._query: StreamingQuery | None = None
        self._starting = False
        self._failure: BaseException | None = None
        self._stopping = False
        self._steps = 0
        self._listener: Listening | None = None
        self._next_tick = 0.0

    @property
    def query(self) -> StreamingQuery | None:
        """Spark's own query, while the stream runs."""
        return self._query

    @property
    def starting(self) -> bool:
        """True while Spark starts the process that reads the source."""
        query = self._query
        if self._starting and query is not None:
            began = query.status["message"].startswith("Initializing")
            self._starting = began and query.isActive
        return self._starting

    @property
    def shared_batch(self) -> SharedBatch:
        if self._batch is None:
            self._batch = SharedBatch(
                self._space,
                self._registry,
                self.record,
                self.journal,
                prepared(self._spark()),
                self._journals,
                self._report,
                self._before,
                self._histories,
            )
        return self._batch

    def start(self) -> None:
        """Start reading the source, or go on where the last run stopped."""
        if self._query is not None:
            return
        with self.lock:
            self._failure, self._stopping = None, False
            if self._is_idle():
                return
            self.shared_batch.resume()
            self.shared_batch.catch_up()
            self.shared_batch.answer_new()
            if self.journal.state.ended:
                return
            folder = f"streams/{self.record.name}"
            self._listen()
            spec = self.intake_spec(folder)
            chunks = intake_stream(self._spark(), spec)
            self._query = (
                chunks.writeStream.foreachBatch(self._run_batch)
                .option("checkpointLocation", self._space.folder(f"{folder}/checkpoint"))
                .queryName(f"millstream {self.record.name}")
                .trigger(processingTime=TRIGGER)
                .start()
            )
            self._starting = True

    def _listen(self) -> None:
        """Listen to a source that has no files of its own."""
        if self._listener is None:
            self._listener = listening_to(self._space, self.record, self._spark)
        if self._listener is not None:
            self._listener.start()

    @property
    def trouble(self) -> MillstreamError | None:
        """Why nothing is heard of a stream from elsewhere, at the moment."""
        return None if self._listener is None else self._listener.trouble

    @property
    def small(self) -> bool:
        """True for a stream that has not begun and whose finite source holds little."""
        state = self.journal.state
        if state.batch >= 0 or state.pending is not None or is_heard(self.record.source):
            return False
        return is_small(self.intake_spec(f"streams/{self.record.name}"))

    def drain_here(self) -> None:
        """Process all that the source holds without a query of Spark's."""
        with self.lock:
            for number, chunks in enumerate(
                batches(self.intake_spec(f"streams/{self.record.name}"))
            ):
                self.shared_batch.run_batch(chunks, number)

    def catch_up(self) -> None:
        """Answer new subscriptions that ask for the past, without waiting for the next item."""
        if self._query is not None and self._asked_for_past():
            with self.lock:
                self.shared_batch.catch_up()
        if self._query is not None and self._is_waited_for():
            with self.lock:
                self.shared_batch.answer_new()
        self._tick_again()

    def _tick_again(self) -> None:
        """Let time pass, once in a while, as long as there is a clock."""
        if self._query is not None and time.monotonic() >= self._next_tick:
            self._next_tick = time.monotonic() + TICK_SECONDS
            self.tick()

    def tick(self) -> bool:
        """Let time pass for those who ask for now; whether there was a step for it."""
        clock = None if self._histories is None else self._histories.clock
        if clock is None or not self._registry.standing(self.record.name):
            return False
        with self.lock:
            return self.shared_batch.tick(microseconds(clock.now()))

    def _is_waited_for(self) -> bool:
        """True if a subscription to the stream's history has not been answered yet."""
        if self._histories is None or self.journal.state.latest is None:
            return False
        return self._histories.waiting(self.record.name)

    def _asked_for_past(self) -> bool:
        state = self.journal.state
        if not state.tables["log"]:
            return False
        with self._registry.lock:
            return any(
                each.start == FROM_LOG and not each.cancelled and name not in state.readings
                for name, each in self._registry.subscriptions.items()
                if self.record.name in each.streams
            )

    def _is_idle(self) -> bool:
        """True for an ended stream that no new subscription asks about: it needs no Spark."""
        state = self.journal.state
        asked = self._asked_for_past() or self._is_waited_for()
        return state.ended and state.pending is None and not asked

    def intake_spec(self, folder: str) -> IntakeSpec:
        """What the stream's intake must know."""
        record = self.record
        limits = {
            name: value
            for name in ("max_bytes_per_batch", "max_items_per_batch", "delimiter")
            if (value := getattr(record, name)) is not None
        }
        return IntakeSpec(
            stream=record.name,
            location=self._location(),
            passing=is_heard(record.source),
            schema=record.schema,
            log_directory=self._space.folder(f"{folder}/log"),
            quarantine_directory=self._space.folder(f"{folder}/quarantine"),
            journal_directory=self._space.folder(f"{folder}/intake"),
            spool_directory=self._space.folder(f"{folder}/spool"),
            inbox_directory=self._space.folder(f"{folder}/inbox"),
            format=record.format,
            finite=record.finite,
            structure=record.structure or "",
            tagged=record.tagged,
            **limits,
        )

    def _location(self) -> str:
        """Where items are read: from a source, or from what is heard of one elsewhere."""
        source, name = self.record.source, self.record.name
        return self._space.folder(heard_folder(name)) if is_heard(source) else source

    def _run_batch(self, chunks: DataFrame, batch: int) -> None:
        try:
            with self._turn():
                self.shared_batch.run_batch(chunks, batch)
                self._steps += 1
        except _Stopped:
            raise
        except BaseException as error:
            self._failure = error
            raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold the lock of all streams, or give up: who stops this one holds it and waits for us.

        A batch that was given up is the first of the next run.
        """
        while not self.lock.acquire(timeout=LOOK_SECONDS):
            if self._stopping:
                raise _Stopped
        try:
            yield
        finally:
            self.lock.release()

    def log_frame(self) -> DataFrame:
        """The stream's log as a Spark DataFrame."""
        segments = self.journal.state.tables["log"]
        files = [self._space.storage.address(each.name) for each in segments]
        session = prepared(self._spark())
        history = self.record.structure is not None
        columns = FILLER_LOG if history else log_schema(self.record.schema)
        if not files:
            return session.createDataFrame([], columns)
        return session.read.schema(columns).parquet(*files)

    def drain(self) -> int:
        """Wait until all that the source holds now is processed; the number of steps it took."""
        before = self._steps
        if self._listener is not None:
            self._listener.catch_up()
        if self._query is not None:
            try:
                self._query.processAllAvailable()
            except Exception as error:
                self.check()
                raise InternalError(f"stream '{self.record.name}' stopped: {error}") from error
            self.check()
        return self._steps - before

    def end(self) -> None:
        """End a finite stream: unfinished windows become final by their end rules."""
        with self.lock:
            self.shared_batch.end()

    def check(self) -> None:
        """Raise what stopped the stream, if anything did."""
        if self._listener is not None:
            self._listener.check()
        if self._failure is not None:
            raise explained(self.record.name, self._failure)
        if self._query is not None and not self._query.isActive:
            error = self._query.exception()
            if error is not None:
                raise explained(self.record.name, error)

    def stop(self) -> None:
        """Stop between two steps."""
        if self._listener is not None:
            self._listener.stop()
            self._listener = None
        self._stopping = True
        with self.lock:
            if self._query is not None:
                self._query.stop()
                self._query, self._starting = None, False


class _Stopped(Exception):
    """A batch is not begun: its stream is being stopped."""


def explained(stream: str, error: BaseException) -> MillstreamError:
    """What stopped a stream, in words."""
    if isinstance(error, MillstreamError):
        return error
    text = str(error)
    told = raised_in_worker(text)
    if told is not None:
        return told
    if isinstance(error, OSError) or "No space left on device" in text:
        return StateError(
            f"stream '{stream}' stopped: {text.splitlines()[0] if text else type(error).__name__}",
            code="storage",
            help="mend the disk and run again: the unfinished step is repeated, nothing is lost",
        )
    return InternalError(f"stream '{stream}' stopped: {type(error).__name__}: {text}")
