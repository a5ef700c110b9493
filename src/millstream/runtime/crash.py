"""Crash points: places where a test can kill the process, to see that nothing is lost."""

from __future__ import annotations

import os
import signal

VARIABLE = "MILLSTREAM_CRASH_AT"
"""Set to 'point' or 'point:n' to kill the process at the n-th time it gets there."""

POINTS = ("parsed", "begun", "evaluated", "committed", "merged", "ended")
PEER_POINTS = ("sent", "received")
"""Where only a peer gets, that is a process of its own."""

_reached: dict[str, int] = {}


def reach(point: str) -> None:
    """Die here if a test asked for it."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return
    name, _, number = wanted.partition(":")
    if name != point:
        return
    _reached[point] = _reached.get(point, 0) + 1
    if _reached[point] == int(number or 1):
        os.kill(os.getpid(), signal.SIGKILL)
