"""The journal of an intake: every file it found and every chunk it ever named in an offset.

A chunk is written down before an offset names it, with all that was decided about it; so a
replay reads the same bytes whatever has arrived, ended or changed in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from millstream.errors import StateError
from millstream.runtime.intake.extents import CLOSED, Chunk, Mark, SourceFile
from millstream.runtime.intake.journal_lines import lines_at

KEPT_CHUNKS = 256
"""Chunks kept behind the last committed one, for offsets that are set back by hand."""

COMPACT_AFTER = 4096
"""Chunks that may gather before the journal is written anew without the old ones."""


@dataclass(slots=True)
class Progress:
    """How far a file has been planned."""

    end: int = 0
    given_up: bool = False
    fruitful: bool = False
    """True when an item of the file was planned."""
    finished: int | None = None
    """The size of the file when everything in it was planned."""
    mark: Mark | None = None

    def to_json(self) -> list[Any]:
        mark = self.mark.to_json() if self.mark else None
        return [self.end, self.given_up, self.fruitful, self.finished, mark]

    @staticmethod
    def from_json(content: list[Any]) -> Progress:
        end, given_up, fruitful, finished, mark = content
        return Progress(end, given_up, fruitful, finished, mark and Mark.from_json(mark))


class Journal:
    """Files and chunks in order, remembered on disk."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._lines = lines_at(directory)
        self.files: dict[int, SourceFile] = {}
        self.progress: dict[int, Progress] = {}
        self._chunks: list[Chunk] = []
        self._first = 0
        self.position = 0
        """Just after the last planned chunk."""
        for number, line in enumerate(self._lines.load(), 1):
            self._apply(self._decoded(number, line))

    @property
    def first_chunk(self) -> int:
        """The first chunk that is still remembered."""
        return self._first

    @property
    def next_chunk(self) -> int:
        return self._first + len(self._chunks)

    def chunks(self, start: int, end: int) -> tuple[Chunk, ...]:
        """The chunks from one ordinal up to another."""
        if not self._first <= start <= end <= self.next_chunk:
            raise StateError(
                f"the checkpoint asks for chunks {start} to {max(start, end)}, the intake journal "
                f"in {self._directory} has {self._first} to {self.next_chunk}",
                code="journal",
                help="journal and checkpoint of a stream belong together: restore both, or neither",
            )
        return tuple(self._chunks[start - self._first : end - self._first])

    def planned(self) -> Iterator[Chunk]:
        """Every chunk that is still remembered."""
        return iter(self._chunks)

    def record_files(self, files: Iterable[SourceFile]) -> None:
        """Remember files, or what opening them has told."""
        self._record([{"file": each.to_json()} for each in files])

    def record_closed(self, ordinals: Iterable[int]) -> None:
        """Remember that nothing more will be read from files."""
        self._record([{"closed": each} for each in ordinals])

    def record_chunks(self, chunks: Iterable[Chunk]) -> None:
        """Remember chunks; only now may an offset name them."""
        self._record([{"chunk": each.to_json()} for each in chunks])

    def committed(self, chunk: int) -> None:
        """Forget what lies far enough behind a committed chunk, when much has gathered."""
        first = chunk - KEPT_CHUNKS
        if first - self._first < COMPACT_AFTER:
            return
        self._chunks = self._chunks[first - self._first :]
        self._first = first
        self._forget_closed_files()
        self._lines.replace(_encoded(self._snapshot()))

    def _forget_closed_files(self) -> None:
        named = {file for chunk in self._chunks for file in chunk.files()} | {max(self.files)}
        for ordinal, progress in list(self.progress.items()):
            # The last one stays, so that no ordinal is given twice.
            if progress.finished == CLOSED and ordinal not in named:
                del self.files[ordinal], self.progress[ordinal]

    def _snapshot(self) -> Iterator[dict[str, Any]]:
        yield {"first": self._first, "position": self.position}
        for ordinal, file in self.files.items():
            yield {"file": file.to_json(), "progress": self.progress[ordinal].to_json()}
        for chunk in self._chunks:
            yield {"kept": chunk.to_json()}

    def _record(self, records: list[dict[str, Any]]) -> None:
        if records:
            self._lines.append(_encoded(records))
        for record in records:
            self._apply(record)

    def _apply(self, record: dict[str, Any]) -> None:
        if "file" in record:
            file = SourceFile.from_json(record["file"])
            self.files[file.ordinal] = file
            known = record.get("progress")
            progress = Progress.from_json(known) if known else Progress()
            self.progress.setdefault(file.ordinal, progress)
        elif "chunk" in record:
            self._apply_chunk(Chunk.from_json(record["chunk"]))
        elif "closed" in record:
            self.progress[record["closed"]].finished = CLOSED
        elif "first" in record:
            self._first, self.position = record["first"], record["position"]
        else:
            self._chunks.append(Chunk.from_json(record["kept"]))

    def _apply_chunk(self, chunk: Chunk) -> None:
        self._chunks.append(chunk)
        self.position = chunk.end_position
        for extent in chunk.extents:
            # A file may have been closed, and forgotten, while its end was carried along.
            progress = self.progress.setdefault(extent.file, Progress(finished=CLOSED))
            progress.end, progress.given_up = extent.end, extent.given_up
            progress.fruitful = progress.fruitful or not extent.skipped
        for file, size in chunk.finished:
            self.progress.setdefault(file, Progress()).finished = size
        if chunk.mark:
            self.progress[chunk.mark.file].mark = chunk.mark

    def _decoded(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            content: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise StateError(
                f"line {number} of the intake journal in {self._directory} is damaged: {error}",
                code="journal",
                help="restore the space from a copy",
            ) from error
        return content


def _encoded(records: Iterable[dict[str, Any]]) -> list[bytes]:
    return [
        json.dumps(each, separators=(",", ":"), ensure_ascii=False).encode() for each in records
    ]
