"""Keeping a stream's tables small: merging segments, letting go of old ones, sweeping."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace

from millstream.runtime import crash
from millstream.runtime.history.filler_parts import is_filler_table, told_parts
from millstream.runtime.journal import Journal
from millstream.runtime.records import Segment
from millstream.runtime.segments import expired, is_of_size, merge, mergeable
from millstream.runtime.storage import Storage
from millstream.runtime.tags.intake.chunks import ELEMENTS, element_parts

_NAMED_LATER = ("tags", "tag_sets")
"""What later steps may name, as long as tags live."""
_OF_TAGS = (*_NAMED_LATER, "tagged")
_TAGS_STAY = 2
"""How many times as long as results tags are kept: results name tags that came before them."""
_MERGED = ("log", "results", "quarantine", "keys", *_OF_TAGS)
_READ_WITH_RESULTS = ("results", *_OF_TAGS)


class Housekeeping:
    """What is done to the tables of a stream after a step."""

    def __init__(
        self,
        storage: Storage,
        folder: str,
        journal: Journal,
        retention: str,
        log_retention: str | None = None,
        in_play: Callable[[], Collection[int]] = tuple,
    ) -> None:
        """The log is kept as long as the rest, unless something else is said of it.

        `in_play` tells the steps whose tags or sets of tags may still be given to tuples.
        """
        self._storage = storage
        self._folder = folder
        self._journal = journal
        self._retention = retention
        self._log_retention = log_retention or retention
        self._in_play = in_play
        self._held: set[str] = self._state_files()

    def after_step(self) -> None:
        """Merge, expire, and delete what no table holds any more."""
        for table in _MERGED:
            self._expire(table)
            self._merge(table)
        for table in self._filler_tables():
            self._merge(table)
        self._delete_old_state()

    def sweep(self) -> None:
        """Delete the files that a crash left behind: those that no table holds."""
        held = {each.name for segments in self._journal.state.tables.values() for each in segments}
        pending = self._journal.state.pending or {}
        for part in pending.get("parts", ()):
            held |= {f"{self._folder}/log/{part['part']}"}
            held |= {f"{self._folder}/quarantine/{part['quarantine']}"}
        for table, files in told_parts(pending.get("parts", [])).items():
            held |= {f"{self._folder}/{table}/{each}" for each in files}
        filled = filter(is_filler_table, self._storage.names(self._folder))
        held |= {f"{self._folder}/{ELEMENTS}/{each}" for each in element_parts(pending)}
        for folder in ("log", "results", "quarantine", *_OF_TAGS, ELEMENTS, *filled):
            for name in self._storage.names(f"{self._folder}/{folder}"):
                if f"{self._folder}/{folder}/{name}" not in held:
                    self._storage.delete(f"{self._folder}/{folder}/{name}")
        self._sweep_steps(held)

    def _filler_tables(self) -> list[str]:
        return [name for name in self._journal.state.tables if is_filler_table(name)]

    def _sweep_steps(self, held: set[str]) -> None:
        folder = f"{self._folder}/steps"
        alive = {name.split("/")[3] for name in held if name.startswith(f"{folder}/")}
        for name in self._storage.names(folder):
            if name not in alive:
                self._storage.delete(f"{folder}/{name}")

    def _expire(self, table: str) -> None:
        if table == "quarantine":
            return
        segments = self._journal.state.tables[table]
        # Without retention the log goes; results stay with their tags, as nobody has read them yet.
        if self._retention == "none" and table in _READ_WITH_RESULTS:
            return
        retention = self._log_retention if table == "log" else self._retention
        now, step = time.time(), self._journal.state.step
        gone = expired(segments, retention, now, step)
        if gone and table in _OF_TAGS:
            if table in _NAMED_LATER:
                gone = self._not_in_play(table, gone, now)
            longer = expired(segments, retention, now, step, times=_TAGS_STAY)
            gone = tuple(each for each in gone if each in longer)
        if gone:
            self._exchange(table, gone, [])

    def _not_in_play(
        self, table: str, segments: tuple[Segment, ...], now: float
    ) -> tuple[Segment, ...]:
        """Segments that no tag in play comes from; the time of the others begins anew."""
        steps = self._in_play()
        named = [
            segment
            for segment in segments
            if any(segment.first_step <= each <= segment.last_step for each in steps)
        ]
        if named and not is_of_size(self._retention):
            self._journal.exchange(table, named, [replace(each, time=now) for each in named])
        return tuple(each for each in segments if each not in named)

    def _merge(self, table: str) -> None:
        while run := mergeable(self._journal.state.tables[table]):
            merged = merge(self._storage, run, f"{self._folder}/{table}")
            crash.reach("merged")
            self._exchange(table, run, [merged])

    def _exchange(self, table: str, removed: tuple[Segment, ...], added: list[Segment]) -> None:
        self._journal.exchange(table, list(removed), added)
        for segment in removed:
            self._delete(segment.name)

    def _delete_old_state(self) -> None:
        current = self._state_files()
        for name in self._held - current:
            self._delete(name)
        self._held = current

    def _state_files(self) -> set[str]:
        tables = self._journal.state.tables
        return {each.name for name in ("state", "live_tags") for each in tables[name]}

    def _delete(self, name: str) -> None:
        self._storage.delete(name)
        folder = name.rsplit("/", 1)[0]
        while ("/steps/" in folder or "/keys/" in folder) and not _data(
            self._storage.names(folder)
        ):
            self._storage.delete(folder)
            folder = folder.rsplit("/", 1)[0]


def _data(names: list[str]) -> list[str]:
    # Spark leaves hidden checksum files beside its own.
    return [name for name in names if not name.startswith(".")]
