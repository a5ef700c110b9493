"""Streams are kept running, whatever becomes of one of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from millstream.errors import MillstreamError, StateError
from millstream.runtime import starting
from millstream.runtime.starting import AT_ONCE, start_all
from millstream.runtime.watch import Watch


class Runner:
    """A stream that fails as often as it is told to."""

    query = None
    starting = False

    def __init__(self, name: str, failures: int = 0) -> None:
        self.record = SimpleNamespace(name=name)
        self.started, self.stopped, self.failures = 0, 0, failures

    def start(self) -> None:
        self.started += 1

    def check(self) -> None:
        if self.failures:
            self.failures -= 1
            raise StateError("the disk is full")

    def catch_up(self) -> None: ...

    def stop(self) -> None:
        self.stopped += 1


def looked_after(watch: Watch, *runners: Runner) -> None:
    streams: Any = runners
    watch.look(streams)


def test_failed_stream_rests_while_others_go_on() -> None:
    told: list[tuple[str, str]] = []
    now = [0.0]
    watch = Watch(lambda name, error: told.append((name, error.message)), lambda: now[0])
    bad, good = Runner("bad", failures=1), Runner("good")
    looked_after(watch, bad, good)
    looked_after(watch, bad, good)
    assert (bad.started, bad.stopped, good.started) == (1, 1, 2)
    now[0] = 1.1
    looked_after(watch, bad, good)
    assert (bad.started, told) == (2, [("bad", "the disk is full")])


def test_pauses_grow_while_a_stream_goes_on_failing() -> None:
    now = [0.0]
    watch = Watch(lambda name, error: None, lambda: now[0])
    bad = Runner("bad", failures=3)
    tried = []
    while now[0] < 10:
        before = bad.started
        looked_after(watch, bad)
        if bad.started > before:
            tried.append(now[0])
        now[0] += 0.5
    assert tried[:4] == [0.0, 1.0, 3.0, 7.0]


def test_without_anybody_to_tell_a_failure_ends_the_run() -> None:
    with pytest.raises(MillstreamError, match="disk is full"):
        looked_after(Watch(), Runner("bad", failures=1))


class SlowRunner(Runner):
    """A stream that starts until it is told that it has."""

    def start(self) -> None:
        if self.query is None:
            super().start()
            self.query, self.starting = self, True  # type: ignore[assignment]


def test_few_streams_start_at_once() -> None:
    watch, slow = Watch(), [SlowRunner(f"s{number}") for number in range(2 * AT_ONCE)]
    looked_after(watch, *slow)
    looked_after(watch, *slow)
    assert sum(each.query is not None for each in slow) == AT_ONCE
    slow[1].starting = False
    looked_after(watch, *slow)
    assert [each.query is not None for each in slow].index(False) == AT_ONCE + 1


def test_all_streams_are_started_when_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [SlowRunner(f"s{number}") for number in range(2 * AT_ONCE)]
    most = 0

    def first_has_started(seconds: float) -> None:
        nonlocal most
        most = max(most, sum(each.starting for each in slow))
        next(each for each in slow if each.starting).starting = False

    monkeypatch.setattr(starting.time, "sleep", first_has_started)
    streams: Any = slow
    start_all(streams)
    assert (most, [each.started for each in slow]) == (AT_ONCE, [1] * len(slow))
