"""Streams kept running: started when they are new, and again after a pause when one fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from millstream.errors import MillstreamError
from millstream.runtime.runner import StreamRunner, explained
from millstream.runtime.starting import has_room

Failed = Callable[[str, MillstreamError], None]
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0


class Watch:
    """Looks after streams while a mill runs.

    Told whom to tell of failures, it lets the other streams go on and tries again; else the first
    failure ends the run.
    """

    def __init__(
        self, failed: Failed | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._failed = failed
        self._clock = clock
        self._pauses: dict[str, float] = {}
        self._resting: dict[str, float] = {}
        """When a stream that failed is tried again."""

    def look(self, runners: Sequence[StreamRunner]) -> None:
        """Start what does not run, and see to what has stopped."""
        for runner in runners:
            name = runner.record.name
            if self._resting.get(name, 0.0) > self._clock():
                continue
            if runner.query is None and not has_room(runners):
                continue
            try:
                runner.start()
                runner.check()
                runner.catch_up()
            except Exception as error:
                if self._failed is None:
                    raise
                self._rest(runner, explained(name, error))

    def _rest(self, runner: StreamRunner, error: MillstreamError) -> None:
        assert self._failed is not None
        name = runner.record.name
        runner.stop()
        healthy = self._clock() > self._resting.get(name, 0.0) + LONGEST_PAUSE
        pause = FIRST_PAUSE if healthy else self._pauses.get(name, FIRST_PAUSE)
        self._pauses[name] = min(2 * pause, LONGEST_PAUSE)
        self._resting[name] = self._clock() + pause
        self._failed(name, error)
