"""A stream as its users see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from millstream.errors import MillstreamError, StateError
from millstream.model.schema import Schema
from millstream.model.tag_structure import TagStructure
from millstream.rendering import html
from millstream.rendering.leaves import leaf_rows
from millstream.runtime.history.filler_chunks import read_structure_once
from millstream.runtime.logged_items import LoggedItem, last_items, logged_items
from millstream.runtime.quarantine import QuarantineEntry, read_quarantine
from millstream.runtime.records import StreamRecord
from millstream.runtime.replay import replay, replayed
from millstream.runtime.runner import StreamRunner
from millstream.runtime.session import DataFrame
from millstream.runtime.storage import Storage
from millstream.runtime.stream_statistics import stream_statistics
from millstream.runtime.tags.tags_on_items import TagOnItem, tags_on_items
from millstream.sharing.statistics import StreamStatistics

SHOWN = 5
"""How many of the newest items a notebook shows."""


class Stream:
    """A stream of a mill."""

    def __init__(self, storage: Storage, runner: StreamRunner) -> None:
        self._storage = storage
        self._runner = runner
        self.name = runner.record.name

    @property
    def schema(self) -> Schema:
        return self._runner.record.schema

    @property
    def record(self) -> StreamRecord:
        """The stream as it was created."""
        return self._runner.record

    @property
    def structure(self) -> TagStructure | None:
        """The tag structure of a history."""
        text = self._runner.record.structure
        return None if text is None else read_structure_once(text)

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths of an item, or of the document of a history, as a user writes them."""
        structure = self.structure
        if structure is None:
            return self.schema.paths()
        return tuple("/".join(structure.path(tsid)) for tsid in structure.tags)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was inferred when the stream was created."""
        return tuple(self._runner.record.notes)

    @property
    def ended(self) -> bool:
        return self._runner.journal.state.ended

    @property
    def trouble(self) -> MillstreamError | None:
        """Why nothing is heard of a stream that is served elsewhere, at the moment."""
        return self._runner.trouble

    @property
    def run_id(self) -> str | None:
        """The run id of the Spark query that reads the stream, while it runs."""
        query = self._runner.query
        return None if query is None else str(query.runId)

    def quarantine(self) -> list[QuarantineEntry]:
        """The items that were set aside, oldest first."""
        segments = self._runner.journal.state.tables["quarantine"]
        return list(read_quarantine(self._storage, segments))

    def items(self, after: int = -1) -> Iterator[LoggedItem]:
        """The items that the log still holds behind a position, in order, as XML text."""
        segments = self._runner.journal.state.tables["log"]
        return logged_items(self._storage, self.record, segments, after)

    def last_items(self, most: int) -> list[LoggedItem]:
        """The newest items, oldest first."""
        segments = self._runner.journal.state.tables["log"]
        return last_items(self._storage, self.record, segments, most)

    def tags_on(self, positions: Iterable[int]) -> Mapping[int, list[TagOnItem]]:
        """The tags on the items at some positions; those without any are left out."""
        held = self._runner.journal.state.tables
        return tags_on_items(self._storage, held, positions)

    @property
    def forgotten(self) -> int:
        """How many of its items the log does not hold any more."""
        state = self._runner.journal.state
        return state.items - sum(each.rows for each in state.tables["log"])

    def replayed(self) -> frozenset[int]:
        """The numbers of quarantine entries that were given to the stream again."""
        return replayed(self._storage, self.name)

    def replay(self, number: int, text: str | None = None) -> None:
        """Give an entry of the quarantine to the stream again, with its text mended if need be."""
        entries = self.quarantine()
        if not 0 <= number < len(entries):
            raise StateError(
                f"the quarantine of stream '{self.name}' has no entry {number}",
                code="unknown-entry",
                help=f"it has {len(entries)}, counted from 0",
            )
        if self.ended:
            raise StateError(f"stream '{self.name}' has ended: nothing can follow", code="ended")
        replay(self._storage, self.record, number, entries[number], text)

    def statistics(self) -> dict[str, int]:
        """What has passed so far."""
        state = self._runner.journal.state
        return {
            "steps": state.step,
            "items": state.items,
            "quarantined": state.rejected,
            "bytes": state.bytes,
        }

    def observed(self) -> StreamStatistics:
        """What its items are like: sizes, occurrences, values."""
        state = self._runner.journal.state
        return stream_statistics(self._storage, self.record, state)

    def dataframe(self) -> DataFrame:
        """The stream's log as a Spark DataFrame."""
        return self._runner.log_frame()

    def _repr_html_(self) -> str:
        newest = leaf_rows(each.text for each in self.last_items(SHOWN))
        kinds = ((str(each), each.type.value) for each in self.schema.leaves())
        paths = html.table(("path", "type"), kinds)
        return html.page(
            f"stream {self.name}",
            html.facts(self.statistics()),
            html.table(newest.headings, newest.rows, empty="nothing has come yet"),
            html.folded("paths and types", paths) if self.structure is None else "",
        )

    def end(self) -> None:
        """Declare that nothing will follow: unfinished windows become final."""
        self._runner.end()
