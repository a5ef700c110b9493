"""A space: the place where a Millstream keeps logs, state and results."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
import time
from typing import IO

from millstream.errors import StateError
from millstream.runtime.storage import LocalStorage, Storage, storage_at

FORMAT = 4
_LABEL = "millstream.json"
PEERS = "peers"
"""Where peers that turn a space together have their locks and signs."""
PATIENCE = 10.0
"""Seconds to wait for such a space: nobody holds it for longer than a moment."""


class Space:
    """A storage that belongs to one running Millstream at a time."""

    _lock_name = "lock"

    def __init__(self, location: str | os.PathLike[str] | None) -> None:
        self._temporary = tempfile.mkdtemp(prefix="millstream-") if location is None else None
        self.kept = location is not None
        """False for a temporary space, which goes when it is closed."""
        self.storage: Storage = storage_at(os.fspath(location or self._temporary or ""))
        self._lock: IO[str] | None = None
        self._take()
        try:
            self._check_format()
        except StateError:
            self.close()
            raise

    def _take(self) -> None:
        if not isinstance(self.storage, LocalStorage):
            return
        os.makedirs(self.storage.root, exist_ok=True)
        lock = open(self.storage.address(self._lock_name), "a+")  # noqa: SIM115 held until close
        try:
            _locked(lock, PATIENCE if self.storage.names(PEERS) else 0.0)
        except OSError as error:
            lock.seek(0)
            owner = lock.read().strip() or "another process"
            lock.close()
            raise StateError(
                f"space {self.storage.root} is open already, by {owner}",
                code="space-busy",
                help="close the other one, or choose another space",
            ) from error
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        self._lock = lock

    def _check_format(self) -> None:
        label = self.storage.read(_LABEL)
        if label is None:
            others = [name for name in self.storage.names("") if name != "lock"]
            if others:
                raise StateError(
                    f"{self.storage.root} holds files but is not a space: {others[0]}",
                    code="not-a-space",
                    help="choose an empty or new folder",
                )
            self.storage.write(_LABEL, json.dumps({"format": FORMAT}).encode())
            return
        try:
            found = json.loads(label)["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise StateError(
                f"{self.storage.address(_LABEL)} is damaged", code="space-format"
            ) from error
        if found != FORMAT:
            raise StateError(
                f"space {self.storage.root} has format {found}, this Millstream reads {FORMAT}",
                code="space-format",
                help="open it with the Millstream that wrote it, or choose another space",
            )

    def folder(self, name: str) -> str:
        """The address of a folder of the space, made if it is not there."""
        return self.storage.make_folder(name)

    def close(self) -> None:
        """Let go of the space; a temporary one is removed."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._temporary = None


def _locked(file: IO[str], patience: float) -> None:
    """Lock a file for ourselves, waiting for a while if somebody has it."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.05)
