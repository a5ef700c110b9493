"""Files of a space, wherever it lies: small atomic writes, listing and deletion."""

from __future__ import annotations

import contextlib
import os
import uuid
from pathlib import Path
from typing import Protocol

from pyarrow import fs

from millstream.errors import StateError


class Storage(Protocol):
    """A tree of files; names are relative to its root and use forward slashes."""

    root: str

    def address(self, name: str) -> str:
        """The name as Spark and pyarrow can open it."""

    def read(self, name: str) -> bytes | None:
        """The bytes of a file, or None where there is none."""

    def write(self, name: str, data: bytes) -> None:
        """Write a whole file; readers see the old one or the new one, never a part."""

    def names(self, folder: str) -> list[str]:
        """The names of files and folders in a folder, sorted; empty where there is none."""

    def make_folder(self, name: str) -> str:
        """The address of a folder, made if it is not there."""

    def delete(self, name: str) -> None:
        """Remove a file, or a folder with all in it; nothing happens where there is none."""

    def size(self, name: str) -> int:
        """The number of bytes in a file."""


def storage_at(location: str) -> Storage:
    """The storage at a path or URI."""
    if "://" not in location:
        return LocalStorage(os.path.abspath(location))
    if location.startswith("file://"):
        return LocalStorage(location.removeprefix("file://"))
    return RemoteStorage(location)


class LocalStorage:
    """Storage on a disk of this machine, or mounted on it."""

    def __init__(self, root: str) -> None:
        self.root = root

    def address(self, name: str) -> str:
        return os.path.join(self.root, name)

    def read(self, name: str) -> bytes | None:
        try:
            return Path(self.address(name)).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        path = self.address(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{uuid.uuid4().hex}.tmp"
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            _sync_folder(os.path.dirname(path))
        except OSError as error:
            _remove_quietly(temporary)
            raise StateError(
                f"cannot write {path}: {error.strerror}",
                code="storage",
                help="free space or mend the disk, then run again: nothing is lost",
            ) from error

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(self.address(folder)))
        except FileNotFoundError:
            return []

    def make_folder(self, name: str) -> str:
        os.makedirs(self.address(name), exist_ok=True)
        return self.address(name)

    def delete(self, name: str) -> None:
        path = Path(self.address(name))
        if path.is_dir():
            for each in path.iterdir():
                self.delete(os.path.relpath(each, self.root))
            path.rmdir()
        else:
            path.unlink(missing_ok=True)

    def size(self, name: str) -> int:
        return os.path.getsize(self.address(name))


class RemoteStorage:
    """Storage that pyarrow reaches by URI: HDFS and object stores."""

    def __init__(self, location: str) -> None:
        self.root = location.rstrip("/")
        self._system, self._base = fs.FileSystem.from_uri(self.root)

    def address(self, name: str) -> str:
        return f"{self.root}/{name}"

    def _path(self, name: str) -> str:
        return f"{self._base}/{name}"

    def read(self, name: str) -> bytes | None:
        try:
            with self._system.open_input_file(self._path(name)) as file:
                data: bytes = file.read()
                return data
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        self._system.create_dir(path.rsplit("/", 1)[0], recursive=True)
        temporary = f"{path}.{uuid.uuid4().hex}.tmp"
        with self._system.open_output_stream(temporary) as file:
            file.write(data)
        self._system.move(temporary, path)

    def names(self, folder: str) -> list[str]:
        selector = fs.FileSelector(self._path(folder), allow_not_found=True)
        return sorted(info.base_name for info in self._system.get_file_info(selector))

    def make_folder(self, name: str) -> str:
        self._system.create_dir(self._path(name), recursive=True)
        return self.address(name)

    def delete(self, name: str) -> None:
        path = self._path(name)
        info = self._system.get_file_info(path)
        if info.type is fs.FileType.Directory:
            self._system.delete_dir(path)
        elif info.type is fs.FileType.File:
            self._system.delete_file(path)

    def size(self, name: str) -> int:
        size: int = self._system.get_file_info(self._path(name)).size
        return size


def _sync_folder(folder: str) -> None:
    # Without it a rename may be lost with the power.
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove_quietly(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
