"""How fast streams flow, from what their last steps brought."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

WINDOW = 60.0
"""Seconds that are looked back."""


class Rates:
    """Items a second of each stream, over the last minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._brought: dict[str, deque[tuple[float, int]]] = {}
        self._lock = threading.Lock()

    def note(self, stream: str, items: int) -> None:
        """A step of a stream has brought some items."""
        with self._lock:
            self._brought.setdefault(stream, deque()).append((self._clock(), items))

    def of(self, stream: str) -> float:
        """Items a second."""
        now = self._clock()
        with self._lock:
            brought = self._brought.get(stream, deque())
            while brought and brought[0][0] < now - WINDOW:
                brought.popleft()
            items = sum(each for _, each in brought)
        return items / max(1.0, min(WINDOW, now - self._began))
