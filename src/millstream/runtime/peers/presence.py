"""Signs of life: every peer says now and then that it is there, and what troubles it."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import asdict, dataclass

from millstream.errors import MillstreamError
from millstream.runtime.space import PEERS
from millstream.runtime.storage import Storage

EVERY = 1.0
"""Seconds between two signs."""
AWAY = 15.0
"""Seconds without a sign after which a peer counts as away."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What a peer said last."""

    peer: str
    time: float
    process: int
    trouble: str = ""

    def away(self, now: float, after: float = AWAY) -> bool:
        """True when it is too long ago."""
        return now - self.time > after


class Presence:
    """Gives signs of life in a thread of its own, however long a step takes."""

    def __init__(self, storage: Storage, peer: str) -> None:
        self._storage = storage
        self._peer = peer
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._say, daemon=True, name="presence")
        self.trouble: MillstreamError | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Leave: a peer that says so is not missed before it is needed."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _say(self) -> None:
        while True:
            trouble = "" if self.trouble is None else self.trouble.message
            sign = Sign(self._peer, time.time(), os.getpid(), trouble)
            self._storage.write(f"{PEERS}/{self._peer}.json", json.dumps(asdict(sign)).encode())
            if self._stop.wait(EVERY):
                return


def signs(storage: Storage) -> dict[str, Sign]:
    """What was heard last of every peer that ever turned a part of the space."""
    names = [each for each in storage.names(PEERS) if each.endswith(".json")]
    told = (storage.read(f"{PEERS}/{each}") for each in names)
    found = (Sign(**json.loads(each)) for each in told if each is not None)
    return {each.peer: each for each in found}
