"""Clocks tell the time; a manual one when it is turned."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from millstream.errors import InternalError
from millstream.model.clock import Clock, SystemClock
from millstream.testing.clock import ManualClock

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_a_manual_clock_stands_still() -> None:
    clock: Clock = ManualClock(NOON)
    assert (clock.now(), clock.now()) == (NOON, NOON)


def test_a_manual_clock_advances_by_seconds() -> None:
    clock = ManualClock(NOON)
    clock.advance(90)
    assert clock.now() == NOON + timedelta(minutes=1, seconds=30)


def test_a_manual_clock_tells_utc() -> None:
    berlin = NOON.astimezone(timezone(timedelta(hours=2)))
    assert ManualClock(berlin).now().isoformat() == "2024-05-01T12:00:00+00:00"


@pytest.mark.parametrize("seconds", [-1, -0.5])
def test_a_manual_clock_never_goes_back(seconds: float) -> None:
    with pytest.raises(InternalError, match="cannot go back"):
        ManualClock(NOON).advance(seconds)


def test_a_manual_clock_needs_a_zone() -> None:
    with pytest.raises(InternalError, match="time zone"):
        ManualClock(NOON.replace(tzinfo=None))


def test_the_system_clock_tells_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)
    assert now.utcoffset() == timedelta(0)
