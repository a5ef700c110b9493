"""Streams are started a few at a time, as each gets a process that reads its source.

Spark gives such a process ten seconds to answer. Where many start at once, none is that quick.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from millstream.runtime.runner import StreamRunner

AT_ONCE: Final = 4
_LOOK_SECONDS: Final = 0.02


def has_room(runners: Sequence[StreamRunner]) -> bool:
    """True if one more stream can be started beside those that are starting."""
    return sum(runner.starting for runner in runners) < AT_ONCE


def start_all(runners: Sequence[StreamRunner]) -> None:
    """Start all streams, each as soon as there is room."""
    for runner in runners:
        while not has_room(runners):
            time.sleep(_LOOK_SECONDS)
        runner.start()
