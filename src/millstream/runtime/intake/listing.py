"""One look at a stream's source: which files are there, in natural order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from millstream.errors import StateError, UnsupportedError
from millstream.runtime.intake.files import Files, Found, files_at

END_MARKER = "ended"
"""A file of this name beside the data says that everything there is final."""

AUTO = "auto"
REFUSED = "refused"
REFUSED_SUFFIX = ".millstream-refused"
"""Files of our own beside items: what was refused before it came to a file, and why."""
_SUFFIXES = {
    ".xml": "xml",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
    REFUSED_SUFFIX: REFUSED,
}
FORMATS = (AUTO, "xml", "json", "csv", "parquet")
# A schema often lies beside the data that it describes.
_NEVER_DATA = (".dtd", ".xsd")
_UNFINISHED = (".tmp", ".part")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a source saw."""

    files: tuple[Found, ...]
    ended: bool
    scope: str = ""
    """What was looked at: a file, or with a slash behind it a directory; empty if it is away."""

    def is_gone(self, path: str) -> bool:
        """True for a file that would have been seen if it were still there."""
        return path == self.scope or (self.scope.endswith("/") and path.startswith(self.scope))


def look(location: str, format: str) -> Look:
    """The data files at a file, directory or glob, in natural order of their names."""
    files = files_at(location)
    try:
        named = files.find(location)
        if named is not None:
            return Look((named,), _marked(files, _parent(location)), location)
        if _WILD.search(location):
            return _look_at_glob(files, location)
        if files.is_directory(location):
            return _look_at_directory(files, location, format)
        return Look((), False, location if files.is_directory(_parent(location)) else "")
    except PermissionError as error:
        raise StateError(
            f"{location} cannot be read: {error.strerror or error}", code="source"
        ) from error


def _look_at_directory(files: Files, location: str, format: str) -> Look:
    ended = False
    found = []
    for each in files.scan(location, recursive=False):
        name = _name(each.path)
        ended = ended or name == END_MARKER
        if _is_data(name) and _wanted(name, format):
            found.append(each)
    return Look(_ordered(found), ended, location.rstrip("/") + "/")


def format_of(path: str) -> str | None:
    """The format that a file's suffix tells, or None."""
    name = path.lower().removesuffix(".gz")
    return next((each for suffix, each in _SUFFIXES.items() if name.endswith(suffix)), None)


def is_refused(path: str) -> bool:
    """True for a file of what was refused."""
    return path.endswith(REFUSED_SUFFIX)


def check_format(format: str) -> None:
    """Raise UnsupportedError for a format that no reader knows."""
    if format not in FORMATS:
        known = ", ".join(FORMATS)
        raise UnsupportedError(f"no reader for format '{format}'", help=f"known: {known}")


def natural_key(path: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts part-9 before part-10."""
    return tuple(
        (0, int(each), each) if each.isdecimal() else (1, 0, each)
        for each in re.split(r"(\d+)", path)
        if each
    )


def _look_at_glob(files: Files, pattern: str) -> Look:
    base, expression, recursive = _glob(pattern)
    found = [
        each
        for each in files.scan(base, recursive)
        if expression.fullmatch(each.path) and _is_data(_name(each.path))
    ]
    scope = base.rstrip("/") + "/" if files.is_directory(base) else ""
    return Look(_ordered(found), _marked(files, base), scope)


def _glob(pattern: str) -> tuple[str, re.Pattern[str], bool]:
    parts = pattern.split("/")
    fixed = next(index for index, part in enumerate(parts) if _WILD.search(part))
    base = "/".join(parts[:fixed]) or "/"
    return base, re.compile("".join(_translated(pattern))), fixed < len(parts) - 1


def _translated(pattern: str) -> Iterator[str]:
    for token in re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]+\])", pattern):
        if token == "**/":
            yield "(?:[^/]+/)*"
        elif token == "**":
            yield ".*"
        elif token == "*":
            yield "[^/]*"
        elif token == "?":
            yield "[^/]"
        elif token.startswith("[") and token.endswith("]"):
            yield "[^" + token[2:] if token.startswith("[!") else token
        else:
            yield re.escape(token)


def _marked(files: Files, directory: str) -> bool:
    return files.find(f"{directory.rstrip('/')}/{END_MARKER}") is not None


def _ordered(found: list[Found]) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda each: natural_key(each.path)))


def _wanted(name: str, format: str) -> bool:
    told = format_of(name)
    if format == AUTO or told == REFUSED:
        return told is not None
    return told == format or (told is None and not name.endswith(_NEVER_DATA))


def _is_data(name: str) -> bool:
    return not name.startswith((".", "_")) and not name.endswith(_UNFINISHED) and name != END_MARKER


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]
