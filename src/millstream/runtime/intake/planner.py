"""The planner of an intake: looks at the source and plans batches of chunks."""

from __future__ import annotations

from dataclasses import replace

from millstream.runtime.intake.arrivals import Arrivals
from millstream.runtime.intake.batch_plan import BatchLimits, BatchPlan, Pending
from millstream.runtime.intake.extents import CLOSED, Chunk, Mark
from millstream.runtime.intake.filling import Filler
from millstream.runtime.intake.journal import Journal
from millstream.runtime.intake.listing import AUTO, END_MARKER, look
from millstream.runtime.intake.opening import Opener
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.intake.spool import Spool
from millstream.runtime.storage import storage_at


class Planner:
    """Plans the chunks of one stream; what it has planned is in the journal."""

    def __init__(self, spec: IntakeSpec) -> None:
        self._spec = spec
        self.journal = Journal(spec.journal_directory)
        self._arrivals = Arrivals(self.journal, spec.format, spec.inbox_directory)
        self._spool = Spool(spec.spool_directory, self.journal)
        opener = Opener(spec, self._spool.storage)
        self._filler = Filler(spec, self._arrivals, opener)
        self._journal_storage = storage_at(spec.journal_directory)
        self._pending: Pending | None = None
        self._frozen = False
        self._ended = spec.finite
        self._more = True
        """True when something may be planned without any change of the source."""

    def freeze(self) -> None:
        """Take a last look: what arrives from now on is not planned."""
        self._more = self._look() or self._more
        self._frozen = True

    def plan(self, max_bytes: int | None, max_items: int | None) -> None:
        """Plan one more batch, if there is anything to plan."""
        if not (self._look() or self._more):
            return
        waiting = sum(feed.estimated_bytes() for feed in self._arrivals.active.values())
        chunk_bytes = min(self._spec.chunk_bytes, self._spec.max_item_bytes)
        limits = BatchLimits(max_bytes, max_items, chunk_bytes).shared(waiting)
        batch = BatchPlan(self.journal.next_chunk, self.journal.position, limits, self._pending)
        self._more = not self._filler.fill(batch, self._ended)
        self._pending = batch.ended()
        self._write_down(batch.chunks)

    def commit(self, chunk: int) -> None:
        """Forget what only chunks before this one needed."""
        self._spool.commit(chunk, (feed.content for feed in self._arrivals.active.values()))
        if self._spec.passing:
            self._remove_read(chunk)
        self.journal.committed(chunk)

    def _remove_read(self, chunk: int) -> None:
        """Delete the files of which nothing from this chunk on is read; the newest stays."""
        journal, place = self.journal, self._spec.location.rstrip("/") + "/"
        needed = {
            file for each in journal.chunks(chunk, journal.next_chunk) for file in each.files()
        }
        ours = (each for each, file in journal.files.items() if file.path.startswith(place))
        needed.add(max(ours, default=0))
        storage = storage_at(self._spec.location)
        for ordinal, progress in journal.progress.items():
            path = journal.files[ordinal].path
            read = progress.finished not in (None, CLOSED) and ordinal not in needed
            if read and path.startswith(place):
                storage.delete(path.removeprefix(place))

    def _look(self) -> bool:
        if self._frozen:
            return False
        found = look(self._spec.location, self._spec.format)
        if self._spec.inbox_directory:
            given = look(self._spec.inbox_directory, AUTO).files
            found = replace(found, files=(*found.files, *given))
        marked = found.ended or self._journal_storage.read(END_MARKER) is not None
        news = marked and not self._ended
        self._ended = self._ended or marked
        return self._arrivals.notice(found) or news

    def _write_down(self, chunks: list[Chunk]) -> None:
        self.journal.record_files(self._filler.opened)
        self._filler.opened.clear()
        if chunks:
            chunks[-1] = replace(chunks[-1], mark=self._mark(chunks[-1]))
            self.journal.record_chunks(chunks)

    def _mark(self, chunk: Chunk) -> Mark | None:
        """The mark by which the file that may grow is known again."""
        last = chunk.extents[-1] if chunk.extents else None
        return None if last is None or last.spool else self._arrivals.mark(last.file, last.end)
