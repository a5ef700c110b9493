"""A ledger: numbered events, each written once and whole, with snapshots that replace them.

Opening reads the newest snapshot and the few events after it, however long the past is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from millstream.errors import StateError
from millstream.runtime.storage import Storage

Json = dict[str, Any]
_PATIENCE = 20
"""How often a reader looks again when the writer was quicker."""


class _Gone(Exception):
    """A file that was listed is not there any more."""


class Ledger:
    """Events of one kind in one folder, folded into a state by its owner."""

    def __init__(
        self, storage: Storage, folder: str, apply: Callable[[Json], None], every: int = 64
    ) -> None:
        self._storage = storage
        self._folder = folder
        self._apply = apply
        self._every = every
        self._next = 0
        self._snapshot_at = 0
        self._snapshot_bytes = 0
        self._event_bytes = 0
        """Of the events since the snapshot."""

    def open(self, restore: Callable[[Json], None]) -> None:
        """Fold the past: the newest snapshot first, then what came after it."""
        self.follow(restore)

    def follow(self, restore: Callable[[Json], None]) -> bool:
        """Fold what another process has written since; whether there was anything."""
        known = self._next
        for _ in range(_PATIENCE):
            try:
                self._fold(restore)
                return self._next != known
            except _Gone:
                continue  # the writer has put a snapshot in the place of what was listed
        raise StateError(
            f"{self._storage.address(self._folder)} changes faster than it can be read",
            code="ledger",
        )

    def _fold(self, restore: Callable[[Json], None]) -> None:
        names = self._storage.names(self._folder)
        snapshots = [name for name in names if name.startswith("snapshot-") and _whole(name)]
        if snapshots and _number(snapshots[-1]) > self._next:
            content, self._snapshot_bytes = self._load(snapshots[-1])
            self._next = self._snapshot_at = int(content["next"])
            self._event_bytes = 0
            restore(content["state"])
        for name in (name for name in names if name.startswith("event-") and _whole(name)):
            if _number(name) >= self._next:
                event, size = self._load(name)
                self._apply(event)
                self._next = _number(name) + 1
                self._event_bytes += size

    def append(self, event: Json) -> None:
        """Write an event, and apply it once it is written."""
        content = _dump(event)
        self._storage.write(f"{self._folder}/event-{self._next:012d}.json", content)
        self._next += 1
        self._event_bytes += len(content)
        self._apply(event)

    def due(self) -> bool:
        """True when enough events have gathered for a snapshot to pay."""
        # A large state is written again when a good part of it is new.
        grown = 4 * self._event_bytes >= self._snapshot_bytes
        return self._next - self._snapshot_at >= self._every and grown

    def snapshot(self, state: Json) -> None:
        """Write the folded state and forget the events and snapshots before it."""
        content = _dump({"next": self._next, "state": state})
        self._storage.write(f"{self._folder}/snapshot-{self._next:012d}.json", content)
        self._snapshot_at = self._next
        self._snapshot_bytes, self._event_bytes = len(content), 0
        for name in self._storage.names(self._folder):
            if name.startswith(("snapshot-", "event-")) and _number(name) < self._next:
                self._storage.delete(f"{self._folder}/{name}")

    def _load(self, name: str) -> tuple[Json, int]:
        """What a file says, and how many bytes it has."""
        data = self._storage.read(f"{self._folder}/{name}")
        if data is None:
            raise _Gone
        try:
            content: Json = json.loads(data)
        except ValueError as error:
            raise StateError(
                f"{self._storage.address(self._folder)}/{name} is damaged: {error}",
                code="ledger",
                help="restore the space from a copy",
            ) from error
        return content, len(data)


def _whole(name: str) -> bool:
    return name.endswith(".json")


def _number(name: str) -> int:
    return int(name.split("-")[1].split(".")[0])


def _dump(content: Json) -> bytes:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
