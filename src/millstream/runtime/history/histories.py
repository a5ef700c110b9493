"""The histories of a mill: their index, and the continuous queries that steps evaluate."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from types import MappingProxyType

from millstream.algebra.standing import Standing
from millstream.errors import StateError
from millstream.history.filler_store import FillerStore
from millstream.model.clock import Clock, SystemClock
from millstream.model.filler import FillerKey
from millstream.model.filler_layout import microseconds
from millstream.model.tag_structure import TagStructure
from millstream.runtime.history.affected import News
from millstream.runtime.history.explaining import StandingExplanation
from millstream.runtime.history.filler_index import FillerIndex
from millstream.runtime.history.history_rows import (
    HistoryRow,
    first_rows,
    latest_of,
    logged_rows,
    stored_history,
    structure_of,
)
from millstream.runtime.history.placed_space import place_in_space
from millstream.runtime.history.placed_stream import PlacedStream, place_in_memory
from millstream.runtime.history.result_history import result_history
from millstream.runtime.history.standing_evaluation import StandingEvaluation
from millstream.runtime.history.standing_results import (
    Change,
    CurrentResults,
    LoggedChange,
    Made,
    read_changes,
    write_changes,
    write_failures,
)
from millstream.runtime.journal import Journal, StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.records import Reading, Segment, StreamRecord
from millstream.runtime.registry import RegisteredStanding, Registry, Structures
from millstream.runtime.session import SparkSession
from millstream.runtime.space import Space
from millstream.runtime.storage import LocalStorage
from millstream.runtime.tags.item_tags import ItemTags

_INDEX = "index.sqlite"
_Question = tuple[Standing, int | None, int]
"""A query, when it was evaluated last, and now."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What the continuous queries of a step have left."""

    segments: tuple[Segment, ...] = ()
    instants: Mapping[str, int] | None = None
    """When each was evaluated, by subscription."""
    failures: tuple[Segment, ...] = ()
    """That queries failed, for the quarantine."""


class Histories:
    """What the steps of all streams share to evaluate continuous queries over histories."""

    def __init__(
        self,
        space: Space,
        registry: Registry,
        journals: Callable[[], Mapping[str, Journal]],
        lock: threading.RLock,
        clock: Clock | str | None = None,
    ) -> None:
        """The clock may be 'system', for the time of day, or 'data', for the largest validTime."""
        self._lock = lock
        """Held while a step runs."""
        self._given = _clock(clock)
        self.clock = None if isinstance(self._given, str) else self._given
        """Tells now; without it, now is the largest validTime seen."""
        self._space = space
        self._registry = registry
        self._journals = journals
        self._opened: FillerIndex | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._evaluations: dict[Standing, StandingEvaluation] = {}

    @property
    def index(self) -> FillerIndex:
        if self._opened is None:
            self._opened = FillerIndex(self._place())
        return self._opened

    def _place(self) -> str:
        storage = self._space.storage
        if isinstance(storage, LocalStorage):
            return storage.address(_INDEX)
        self._folder = tempfile.TemporaryDirectory(prefix="millstream-")
        return os.path.join(self._folder.name, _INDEX)

    def begin_run(self, *, live: bool) -> None:
        """Take the time of day for a run that waits for what comes, unless told otherwise."""
        if self._given is None:
            self.clock = SystemClock() if live else None

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None
        if self._folder is not None:
            self._folder.cleanup()

    # What a step writes down before it runs.

    def begun(self, stream: str, event: Json) -> Json:
        """The continuous queries of a step, the channels of their results, and the clock."""
        registered = self._registry.standing(stream)
        if not registered:
            return {}
        state = self._journals()[stream].state
        taken = [each["number"] for kind in ("channels", "folds") for each in event[kind]]
        free = max([state.free_channel, *(number + 1 for number in taken)])
        standing, readings = [], {}
        for each in registered:
            name = each.record.name
            known = state.readings.get(name)
            if known:
                standing.append({"number": known[0].channel, "name": name})
                continue
            standing.append({"number": free, "name": name})
            readings[name] = [Reading(0, free, event["step"]).to_json()]
            free += 1
        now = event.get("now")
        if now is None and self.clock is not None:
            now = microseconds(self.clock.now())
        return {
            "standing": standing,
            "readings": {**event["readings"], **readings},
            "now": now,
        }

    # A step.

    def evaluate(
        self, record: StreamRecord, begun: Json, tags: Mapping[str, Sequence[Segment]] | None = None
    ) -> Evaluated:
        """Evaluate the continuous queries of a step; nothing counts until it is committed.

        `tags` are the tables that tell what tags the step has brought.
        """
        if not begun.get("standing"):
            return Evaluated()
        registered = [self._registry.registered_standing(e["name"]) for e in begun["standing"]]
        self._catch_up({stream for each in registered for stream in each.record.streams})
        self.index.begin()
        news = self._news(record, begun, tags)
        made, instants, failures = [], {}, []
        # Equal queries that were last evaluated together are evaluated once.
        shared: dict[_Question, tuple[Change, ...]] = {}
        for each, channel in zip(registered, begun["standing"], strict=True):
            now = self._now(each, record.name, begun)
            if now is not None:
                question = (each.standing, self._before(each), now)
                if question not in shared:
                    shared[question] = self._changes(each, news, now)
                made.append(self._made(each, channel["number"], now, shared[question]))
                instants[each.record.name] = now
                reasons = dict.fromkeys(self._evaluation(each).failures)
                failures += [(each.record.name, reason) for reason in reasons]
        folder, step = f"streams/{record.name}", begun["step"]
        segments = write_changes(self._space.storage, folder, made, step)
        aside = write_failures(self._space.storage, folder, record.name, failures, step)
        self.index.set_step(record.name, step)
        return Evaluated(tuple(segments), instants, tuple(aside))

    def committed(self, evaluated: Evaluated) -> None:
        """Let the index count what a step has changed."""
        if evaluated.instants is not None:
            self.index.commit()

    def waiting(self, stream: str) -> bool:
        """True if a subscription to the history of a stream has not been answered yet."""
        return any(
            each.record.streams[0] == stream and self._before(each) is None
            for each in self._registry.standing(stream)
        )

    def due(self, stream: str, now: int) -> bool:
        """True if results on a stream may change because time has passed."""
        for each in self._registry.standing(stream):
            if each.record.streams[0] != stream:
                continue
            self._catch_up(each.record.streams)
            before = self._before(each)
            known = any(self._state(name).latest is not None for name in each.record.streams)
            if known and self._evaluation(each).due(before, max(now, before or now)):
                return True
        return False

    def _changes(self, each: RegisteredStanding, news: News, now: int) -> tuple[Change, ...]:
        evaluation, name = self._evaluation(each), each.record.name
        return tuple(evaluation.changes(name, news, self._before(each), now))

    def _made(
        self, each: RegisteredStanding, channel: int, now: int, changes: tuple[Change, ...]
    ) -> Made:
        current, name = CurrentResults(self.index), each.record.name
        for change in changes:
            current.apply(name, change)
        return Made(channel, name, now, changes)

    def _evaluation(self, each: RegisteredStanding) -> StandingEvaluation:
        if each.standing not in self._evaluations:
            streams = {name: self._registry.streams[name] for name in each.record.streams}
            structures = {name: structure_of(record) for name, record in streams.items()}
            self._evaluations[each.standing] = StandingEvaluation(
                each.standing, structures, self.index
            )
        return self._evaluations[each.standing]

    # Time.

    def _now(self, each: RegisteredStanding, stream: str, begun: Json) -> int | None:
        """The instant of an evaluation, which never goes back; None before anything has come."""
        times = [self._state(name).latest for name in each.record.streams]
        times.append(latest_of(self._registry.streams[stream], begun["parts"]))
        known = [time for time in times if time is not None]
        if not known:
            return None
        given = begun.get("now")
        return max(max(known) if given is None else given, self._before(each) or -(2**62))

    def _before(self, each: RegisteredStanding) -> int | None:
        """When a subscription was evaluated last."""
        name = each.record.name
        times = [self._state(stream).evaluated.get(name) for stream in each.record.streams]
        return max((time for time in times if time is not None), default=None)

    def _state(self, stream: str) -> StreamState:
        return self._journals()[stream].state

    def explain(self, text: str) -> StandingExplanation:
        """How a continuous query would be answered."""
        standing = self._registry.compile_standing(text)
        return StandingExplanation(text, standing, self.structures())

    # All of a history.

    def structures(
        self, known: Mapping[str, TagStructure] = MappingProxyType({})
    ) -> Mapping[str, TagStructure]:
        """The tag structures of all streams, each made when it is asked for, and known ones."""
        return Structures(self._registry.streams, known)

    def store(self, stream: str) -> FillerStore:
        """The history of a stream in memory."""
        with self._lock:
            record, state = self._registry.streams[stream], self._state(stream)
            return stored_history(self._space.storage, state, record)

    def size(self, name: str) -> int:
        """How many bytes of text a history was read from; of results, none."""
        known = self._registry.streams
        return self._state(name).bytes if name in known else 0

    def placed(self, spark: SparkSession, stream: str) -> PlacedStream:
        """The history of a stream as tables that queries on Spark read."""
        record, state = self._registry.streams[stream], self._state(stream)
        if state.latest is None:
            raise StateError(f"stream '{stream}' has no history yet", code="no-root")
        if record.structure is None:
            return place_in_memory(spark, stream, self.store(stream))
        with self._lock:
            return place_in_space(spark, self._space.storage, record, state)

    def result_stores(self, text: str) -> dict[str, FillerStore]:
        """The results, as histories, of subscriptions that a text may name."""
        with self._lock:
            return {
                name: result_history(each for _, each in sorted(self._results(name), key=_by_step))
                for name, record in self._registry.subscriptions.items()
                if record.standing and name in text and name not in self._registry.streams
            }

    def _results(self, name: str) -> Iterator[tuple[int, LoggedChange]]:
        for stream in self._registry.subscriptions[name].streams:
            state, storage = self._state(stream), self._space.storage
            for reading in state.readings.get(name, ()):
                for each in read_changes(storage, state.tables["results"], reading.channel):
                    yield each.step, each

    # The index.

    def _news(
        self, record: StreamRecord, begun: Json, tags: Mapping[str, Sequence[Segment]] | None
    ) -> News:
        parts = [part["part"] for part in begun["parts"] if part["part"]]
        step, storage = begun["step"], self._space.storage
        segments = [
            Segment(f"streams/{record.name}/log/{part}", 0, 0, step, step) for part in parts
        ]
        found = ItemTags.of(storage, self._state(record.name), record, tags)
        rows, holes = self._add(record, logged_rows(storage, segments, record, tags=found))
        return News({record.name: rows}, {record.name: holes})

    def _add(
        self, record: StreamRecord, rows: Iterable[HistoryRow]
    ) -> tuple[list[HistoryRow], set[FillerKey]]:
        return self.index.add(record.name, structure_of(record), rows)

    def _catch_up(self, streams: Iterable[str]) -> None:
        """Bring the index to where the journals of some streams are."""
        known = {name: self.index.step(name) for name in streams}
        if any((step or 0) > self._state(name).step for name, step in known.items()):
            # It speaks of what the journals do not: the space was brought back to an earlier state.
            self.index.clear()
            known = dict.fromkeys(known)
        behind = {
            name: step
            for name, step in known.items()
            if step is None or step < self._state(name).step
        }
        if not behind:
            return
        self.index.begin()
        for name, step in behind.items():
            record, state = self._registry.streams[name], self._state(name)
            if step is None:
                self._add(record, first_rows(record))
            storage = self._space.storage
            tags = ItemTags.of(storage, state, record)
            logged = logged_rows(storage, state.tables["log"], record, step or 0, tags)
            self._add(record, logged)
            self.index.set_step(name, state.step)
        missed = (self._missed(name, step or 0) for name, step in behind.items())
        current = CurrentResults(self.index)
        for subscription, change in merge(*missed, key=lambda each: each[1].step):
            current.apply(subscription, change.change)
        self.index.commit()

    def _missed(self, stream: str, after: int) -> Iterator[tuple[str, LoggedChange]]:
        """The changes of results in the steps of a stream after a step, in order of steps."""
        state, storage = self._state(stream), self._space.storage
        standing = self._registry.subscriptions
        found = [
            (name, change)
            for name, readings in state.readings.items()
            if name in standing and standing[name].standing
            for reading in readings
            for change in read_changes(storage, state.tables["results"], reading.channel, after)
        ]
        yield from sorted(found, key=lambda each: (each[1].step, each[1].place))


def _clock(given: Clock | str | None) -> Clock | str | None:
    if given == "system":
        return SystemClock()
    if isinstance(given, str) and given != "data":
        raise StateError(f"'{given}' is no clock", help="known: system, data")
    return given


def _by_step(each: tuple[int, LoggedChange]) -> tuple[int, int]:
    return each[0], each[1].place
