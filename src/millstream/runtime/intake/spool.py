"""The spool: decoded bytes that wait to be read, removed once they are read for good."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.runtime.intake.content import Content
from millstream.runtime.intake.journal import Journal
from millstream.runtime.storage import storage_at


class Spool:
    """The files of a spool, and which of them are still needed."""

    def __init__(self, directory: str, journal: Journal) -> None:
        self.storage = storage_at(directory)
        self._journal = journal
        self._committed = journal.first_chunk
        # What no chunk names was unpacked just before a crash, and will be again.
        needed = {name for chunk in journal.planned() for name in chunk.spools()}
        self._remove(set(self.storage.names("")) - needed)

    def commit(self, chunk: int, contents: Iterable[Content | None]) -> None:
        """Remove what only chunks before this one needed."""
        done = self._named(self._committed, chunk)
        if done:
            held = {name for each in contents if each is not None for name in each.spools()}
            self._remove(done - held - self._named(chunk, self._journal.next_chunk))
        self._committed = max(chunk, self._committed)

    def _named(self, start: int, end: int) -> set[str]:
        chunks = self._journal.chunks(start, end) if start < end else ()
        return {name for chunk in chunks for name in chunk.spools()}

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            self.storage.delete(name)
