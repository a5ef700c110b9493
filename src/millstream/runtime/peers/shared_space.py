"""A space that several peers turn together: each holds its own part of it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from millstream.errors import StateError
from millstream.runtime.space import PEERS, Space
from millstream.runtime.storage import LocalStorage


class PeerSpace(Space):
    """The part of one peer: there is one process for it, while others have other parts.

    Whoever registers something holds the whole space for that moment.
    """

    def __init__(self, location: str | os.PathLike[str], peer: str) -> None:
        if not os.path.isdir(location):
            raise StateError(
                f"there is no space at '{os.fspath(location)}'",
                code="peers",
                help="make one for peers: millstream coordinate",
            )
        os.makedirs(os.path.join(location, PEERS), exist_ok=True)
        self._lock_name = f"{PEERS}/{peer}.lock"
        super().__init__(location)

    @contextmanager
    def unchanging(self) -> Iterator[bool]:
        """Keep what is registered from being changed; False if somebody is just changing it."""
        if not isinstance(self.storage, LocalStorage):
            raise StateError(
                "peers share a folder of a file system", code="peers", help="mount it at all peers"
            )
        with open(self.storage.address("lock"), "a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            yield True
