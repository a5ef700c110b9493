"""The files of a filler stream: reading them in order, and writing them whole."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import cast

from millstream.errors import ItemError, StateError
from millstream.history.filler import CheckedFiller, read_filler
from millstream.history.quarantine import Reject, Rejected
from millstream.history.scanner import MAX_FILLER, scan_fillers
from millstream.model.filler import WRAPPER, Filler, filler_text
from millstream.model.tag_structure import TagStructure

FILE_PREFIX = "fillers"
STRUCTURE_FILE = "tag-structure.xml"
FILLERS_PER_FILE = 50_000

_CHUNK = 1 << 20
_ENDINGS = (".xml", ".xml.gz")
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")


def filler_files(path: Path) -> tuple[Path, ...]:
    """The files of a stream in order: those called fillers… in a folder, else all its XML files."""
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise StateError(f"there is no file or folder of fillers at '{path}'")
    files = sorted(each for each in path.iterdir() if each.name.endswith(_ENDINGS))
    named = [each for each in files if each.name.startswith(FILE_PREFIX)]
    found = named or [each for each in files if each.name != STRUCTURE_FILE]
    if not found:
        raise StateError(f"there are no XML files in '{path}'")
    return tuple(found)


def read_fillers(
    files: Iterable[Path],
    structure: TagStructure,
    reject: Reject,
    *,
    max_filler: int = MAX_FILLER,
) -> Iterator[CheckedFiller]:
    """The good fillers of some files, in order; `reject` is told of the others."""
    for file in files:
        try:
            yield from _read_file(file, structure, reject, max_filler)
        except (OSError, EOFError, zlib.error, LookupError, UnicodeError) as error:
            # What has been read of a file that breaks off stands; the rest is named.
            reason = f"the file cannot be read on: {getattr(error, 'strerror', None) or error}"
            reject(Rejected("malformed", reason, file=str(file)))


def _read_file(
    file: Path, structure: TagStructure, reject: Reject, max_filler: int
) -> Iterator[CheckedFiller]:
    for piece in scan_fillers(_chunks(file), max_filler=max_filler):
        if piece.fault:
            reject(Rejected(piece.code, piece.fault, piece.text, str(file), piece.line))
            continue
        try:
            checked = read_filler(piece.text, structure)
        except ItemError as error:
            reject(Rejected.because(error, piece.text, file=str(file), line=piece.line))
        else:
            yield checked


def _chunks(file: Path) -> Iterator[str]:
    with _open(file) as binary:
        # A byte that the encoding does not know becomes a character that no filler may hold.
        text = io.TextIOWrapper(
            binary, encoding=_encoding(binary.peek(1)), errors="surrogateescape", newline=""
        )
        while chunk := text.read(_CHUNK):
            yield chunk


def _open(file: Path) -> io.BufferedReader:
    if file.name.endswith(".gz"):
        return cast(io.BufferedReader, gzip.open(file, "rb"))
    return open(file, "rb")


def _encoding(start: bytes) -> str:
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    declared = _DECLARED.match(start.removeprefix(b"\xef\xbb\xbf"))
    return declared[1].decode("ascii") if declared else "utf-8"


def write_fillers(
    folder: Path,
    fillers: Iterable[Filler],
    *,
    per_file: int = FILLERS_PER_FILE,
    progress: Callable[[int], None] | None = None,
) -> tuple[Path, ...]:
    """Write fillers into numbered files of a folder; a failure leaves none of them."""
    make_folder(folder)
    written: list[Path] = []
    remaining = _counted(fillers, progress)
    try:
        for first in remaining:
            written.append(folder / f"{FILE_PREFIX}-{len(written) + 1:05}.xml")
            write_file(written[-1], _batch(first, remaining, per_file))
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise
    return tuple(written)


def _counted(fillers: Iterable[Filler], progress: Callable[[int], None] | None) -> Iterator[Filler]:
    for count, filler in enumerate(fillers):
        if progress and count % 1_000 == 0:
            progress(count)
        yield filler


def _batch(first: Filler, remaining: Iterator[Filler], size: int) -> Iterator[Filler]:
    yield first
    for _, filler in zip(range(size - 1), remaining, strict=False):
        yield filler


def make_folder(folder: Path) -> None:
    """A folder for the fillers of one stream; those of another would be taken for its own."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob(f"{FILE_PREFIX}*")):
        raise StateError(f"there are fillers in '{folder}' already", help="choose another folder")


def write_file(path: Path, fillers: Iterable[Filler]) -> None:
    """Write fillers into one file, which appears when it is whole."""
    hidden = path.with_name(f".{path.name}.part")
    try:
        with open(hidden, "w", encoding="utf-8", newline="\n") as file:
            file.write(f"<{WRAPPER}>\n")
            file.writelines(f"{filler_text(filler)}\n" for filler in fillers)
            file.write(f"</{WRAPPER}>\n")
        os.replace(hidden, path)
    finally:
        hidden.unlink(missing_ok=True)
