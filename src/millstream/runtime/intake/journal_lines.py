"""The lines of a journal on disk: appended, never changed, whole after a crash."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from millstream.errors import StateError
from millstream.runtime.storage import Storage, storage_at

_NAME = "journal.jsonl"


class JournalLines(Protocol):
    """Lines that are safe once `append` or `replace` has returned."""

    def load(self) -> list[bytes]:
        """All lines, without what a crash left unfinished."""

    def append(self, lines: Iterable[bytes]) -> None:
        """Write lines behind the others."""

    def replace(self, lines: Iterable[bytes]) -> None:
        """Put these lines in the place of all others, at once."""


def lines_at(directory: str) -> JournalLines:
    """The lines of the journal in a directory."""
    return RemoteLines(storage_at(directory)) if "://" in directory else LocalLines(directory)


class LocalLines:
    """One file, synced after every append."""

    def __init__(self, directory: str) -> None:
        self._path = Path(directory) / _NAME

    def load(self) -> list[bytes]:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return []
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self._path, whole)
        return content[:whole].splitlines()

    def append(self, lines: Iterable[bytes]) -> None:
        new = not self._path.exists()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._write(self._path, "ab", lines)
            if new:
                self._sync_directory()
        except OSError as error:
            raise _unwritable(self._path, error) from error

    def replace(self, lines: Iterable[bytes]) -> None:
        temporary = self._path.with_suffix(".tmp")
        try:
            self._write(temporary, "wb", lines)
            temporary.replace(self._path)
            self._sync_directory()
        except OSError as error:
            raise _unwritable(self._path, error) from error

    def _write(self, path: Path, mode: str, lines: Iterable[bytes]) -> None:
        with path.open(mode) as file:
            file.write(b"".join(line + b"\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())

    def _sync_directory(self) -> None:
        # Without it a new name may be lost with the power.
        handle = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class RemoteLines:
    """One object per append, for stores whose files cannot grow."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._next = 0

    def load(self) -> list[bytes]:
        names = self._names()
        whole = [index for index, name in enumerate(names) if "-whole" in name]
        current = names[whole[-1] :] if whole else names
        self._next = int(names[-1].partition("-")[0]) + 1 if names else 0
        contents = (self._storage.read(name) or b"" for name in current)
        return [line for content in contents for line in content.splitlines()]

    def append(self, lines: Iterable[bytes]) -> None:
        self._write("lines", lines)

    def replace(self, lines: Iterable[bytes]) -> None:
        earlier = self._names()
        self._write("whole", lines)
        for name in earlier:
            self._storage.delete(name)

    def _names(self) -> list[str]:
        return [name for name in self._storage.names("") if name.endswith(".jsonl")]

    def _write(self, kind: str, lines: Iterable[bytes]) -> None:
        content = b"".join(line + b"\n" for line in lines)
        self._storage.write(f"{self._next:012d}-{kind}.jsonl", content)
        self._next += 1


def _unwritable(path: Path, error: OSError) -> StateError:
    return StateError(
        f"cannot write the intake journal {path}: {error.strerror}",
        code="journal",
        help="free space or mend the disk, then run again: nothing is lost",
    )
