"""Where source files lie: their sizes and any range of their bytes, on this disk or by URI."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from pyarrow import fs


class Found(NamedTuple):
    """A file as one look at the source saw it; a tuple, for looks are compared often."""

    path: str
    size: int


class Files(Protocol):
    """The files that paths of one kind lead to."""

    def read(self, path: str, start: int, length: int) -> bytes:
        """The bytes of a range; fewer where the file ends. Raises FileNotFoundError."""

    def find(self, path: str) -> Found | None:
        """The file at a path, or None where there is none."""

    def is_directory(self, path: str) -> bool:
        """True when the path leads to a directory."""

    def scan(self, directory: str, recursive: bool) -> Iterator[Found]:
        """The files in a directory, and below it if recursive; none where it does not exist."""

    def opened(self, path: str) -> tuple[fs.FileSystem, str]:
        """The path as pyarrow opens it."""


class LocalFiles:
    """Files on a disk of this machine, or mounted on it."""

    def read(self, path: str, start: int, length: int) -> bytes:
        with Path(path).open("rb", buffering=0) as file:
            file.seek(start)
            parts = []
            while length > 0 and (data := file.read(length)):
                parts.append(data)
                length -= len(data)
            return parts[0] if len(parts) == 1 else b"".join(parts)

    def find(self, path: str) -> Found | None:
        file = Path(path)
        try:
            return Found(path, file.stat().st_size) if file.is_file() else None
        except OSError:
            return None

    def is_directory(self, path: str) -> bool:
        return Path(path).is_dir()

    def scan(self, directory: str, recursive: bool) -> Iterator[Found]:
        try:
            entries = os.scandir(directory)
        except (FileNotFoundError, NotADirectoryError):
            return
        with entries:
            for entry in entries:
                yield from self._entry(entry, recursive)

    def _entry(self, entry: os.DirEntry[str], recursive: bool) -> Iterator[Found]:
        try:
            if entry.is_file():
                yield Found(entry.path, entry.stat().st_size)
            elif recursive and entry.is_dir(follow_symlinks=False):
                yield from self.scan(entry.path, recursive)
        except FileNotFoundError:
            return  # removed while we looked

    def opened(self, path: str) -> tuple[fs.FileSystem, str]:
        return fs.LocalFileSystem(), path


class RemoteFiles:
    """Files that pyarrow reaches by URI."""

    def read(self, path: str, start: int, length: int) -> bytes:
        system, name = self.opened(path)
        with system.open_input_file(name) as file:
            size = file.size()
            if start >= size:
                return b""
            file.seek(start)
            return bytes(file.read(min(length, size - start)))

    def find(self, path: str) -> Found | None:
        system, name = self.opened(path)
        info = system.get_file_info(name)
        return Found(path, info.size) if info.type is fs.FileType.File else None

    def is_directory(self, path: str) -> bool:
        system, name = self.opened(path)
        return bool(system.get_file_info(name).type is fs.FileType.Directory)

    def scan(self, directory: str, recursive: bool) -> Iterator[Found]:
        system, name = self.opened(directory.rstrip("/"))
        prefix = directory.rstrip("/").removesuffix(name)
        selector = fs.FileSelector(name, allow_not_found=True, recursive=recursive)
        for info in system.get_file_info(selector):
            if info.type is fs.FileType.File:
                yield Found(prefix + info.path, info.size)

    def opened(self, path: str) -> tuple[fs.FileSystem, str]:
        return _from_uri(path)


@lru_cache(maxsize=1024)
def _from_uri(uri: str) -> tuple[fs.FileSystem, str]:
    system, name = fs.FileSystem.from_uri(uri)
    return system, name


_LOCAL = LocalFiles()
_REMOTE = RemoteFiles()


def files_at(location: str) -> Files:
    """The files that a path or URI leads to."""
    return _REMOTE if "://" in location else _LOCAL


def absolute(location: str) -> str:
    """The location as every process of the engine understands it."""
    if location.startswith("file://"):
        return location.removeprefix("file://")
    return location if "://" in location else str(Path(location).absolute())
