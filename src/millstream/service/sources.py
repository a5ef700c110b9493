"""Which files and addresses streams may be made of by those who come over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterable

from millstream.service.refusals import Forbidden


class Sources:
    """Folders, and beginnings of addresses, below which a source may lie."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        given = list(allowed)
        self._folders = tuple(os.path.realpath(each) for each in given if "://" not in each)
        self._addresses = tuple(each for each in given if "://" in each)

    def checked(self, source: str) -> str:
        """A source that may be read, with a path made whole."""
        if "://" in source:
            if any(_below(source, each) for each in self._addresses):
                return source
        elif "\0" not in source:
            # A pattern may lead anywhere below the folder before its first sign of a pattern.
            path = os.path.realpath(os.path.join(self._folders[0], source) if self._folders else "")
            fixed = os.path.realpath(_before_pattern(path))
            inside = any(_inside(fixed, each) for each in self._folders)
            if inside and ".." not in path.split(os.sep):
                return path
        raise Forbidden(
            f"no stream may be made of '{source}' here",
            code="source",
            help="whoever runs the service says with --source what may be read",
        )


def _before_pattern(path: str) -> str:
    parts = path.split(os.sep)
    plain = next((n for n, each in enumerate(parts) if any(c in each for c in "*?[")), len(parts))
    return os.sep.join(parts[:plain]) or os.sep


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _below(address: str, beginning: str) -> bool:
    whole = beginning if beginning.endswith("/") else beginning + "/"
    plain = "/../" not in address and "@" not in address.partition("://")[2].partition("/")[0]
    return plain and (address == beginning or address.startswith(whole))
