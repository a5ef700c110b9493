"""A mill that turns in a thread of its own, and what its service knows of it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from millstream.errors import MillstreamError
from millstream.mill import Mill, Stream, Subscription
from millstream.runtime.shared_batch import StepReport
from millstream.service.logs import ItemLog, ResultLog
from millstream.service.rates import Rates
from millstream.service.tails import Tails

LOG = logging.getLogger("millstream.service")
LEARN_EVERY = 60.0
"""Seconds after which plans reckon with what streams have been like since."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What stopped a stream, or the mill, the last time."""

    error: MillstreamError
    time: float


class RunningMill:
    """A mill, turned until it is told to stop; those who follow it are told of every step."""

    def __init__(self, mill: Mill) -> None:
        self.mill = mill
        self.rates = Rates()
        self.tails = Tails()
        self.planning = threading.RLock()
        """Held by whoever asks the planner, which one at a time may do."""
        self.failures: dict[str, Failure] = {}
        """The last of each stream that has made no step since."""
        self.asking = ThreadPoolExecutor(1, "histories")
        """Answers queries over histories, one after the other."""
        self.began = time.time()
        self.results = 0
        self.steps = 0
        self._committed = mill.step
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._broken: MillstreamError | None = None

    # Turning.

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to turn, and tell tails in this loop of every step."""
        self._loop = loop
        self._thread = threading.Thread(target=self._turn, name="mill", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop between two steps."""
        self._stop.set()
        self.asking.shutdown(cancel_futures=True)
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _turn(self) -> None:
        pause = 1.0
        while not self._stop.is_set():
            try:
                self._broken = None
                self.mill.run("forever", self._stepped, self._stop, self._failed)
            except Exception as error:
                LOG.exception("the mill has stopped; it is tried again in %g s", pause)
                self._broken = _explained(error)
                self._stop.wait(pause)
                pause = min(2 * pause, 60.0)

    def _stepped(self, report: StepReport) -> None:
        # Called within the step's lock: whatever is committed now, is so in all streams.
        self._committed = self.mill.step
        self.rates.note(report.stream, report.items)
        self.results += report.results
        self.steps += 1
        self.failures.pop(report.stream, None)
        self.wake()

    def _failed(self, stream: str, error: MillstreamError) -> None:
        LOG.error("stream '%s' has stopped: %s", stream, error)
        self.failures[stream] = Failure(error, time.time())

    def wake(self) -> None:
        """Tell those who follow that there may be something new, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.tails.wake)

    def close_tails(self) -> None:
        """Let all who follow go, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.tails.close)

    async def learn(self) -> None:
        """Let plans reckon, every so often, with what streams have been like."""
        while True:
            await asyncio.sleep(LEARN_EVERY)
            await asyncio.to_thread(self._learn)

    def _learn(self) -> None:
        try:
            with self.planning:
                self.mill.plans.learn()
        except (MillstreamError, FileNotFoundError) as error:
            # Statistics are an estimate: the old ones will do until the next time.
            LOG.warning("plans could not learn: %s", error)

    def failure_of(self, stream: Stream) -> str | None:
        """What keeps a stream from going on, if anything does."""
        failure = self.failures.get(stream.name)
        # One that runs again has gone on, even if nothing has come since.
        stopped = failure is not None and stream.run_id is None
        error = failure.error if failure is not None and stopped else stream.trouble
        return None if error is None else error.message

    @property
    def failing(self) -> bool:
        """True when the mill, or a stream, has stopped."""
        streams = self.mill.streams.values()
        return self._broken is not None or any(map(self.failure_of, streams))

    # Following.

    def committed(self) -> int:
        """The last step that is known to be committed, of all streams."""
        return self._committed

    def results_of(self, subscription: Subscription) -> ResultLog:
        """The results of a subscription, to be followed."""
        return ResultLog(subscription, self.committed, self._ended)

    def items_of(self, stream: Stream) -> ItemLog:
        """The items of a stream, to be followed."""
        return ItemLog(stream)

    def _ended(self, stream: str) -> bool:
        return self.mill.streams[stream].ended


def _explained(error: Exception) -> MillstreamError:
    if isinstance(error, MillstreamError):
        return error
    return MillstreamError(f"the mill has stopped: {type(error).__name__}: {error}")
