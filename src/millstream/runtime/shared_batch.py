"""The shared batch: one evaluation of all channels of a stream, and one write.

A step is written down before it runs. If it does not come to its commit, it runs again with the
same inputs and writes the same results.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from millstream.compiler import output
from millstream.model.layout import viewed_leaves
from millstream.model.schema import ValueType
from millstream.runtime import crash
from millstream.runtime.channels import assign, assign_new
from millstream.runtime.duplicates import Duplicates
from millstream.runtime.evaluator import Evaluator
from millstream.runtime.history.filler_chunks import read_structure_once
from millstream.runtime.history.filler_parts import told_parts
from millstream.runtime.history.histories import Evaluated, Histories
from millstream.runtime.history.history_rows import latest_of
from millstream.runtime.history.unplaced import unplaced
from millstream.runtime.housekeeping import Housekeeping
from millstream.runtime.journal import Journal
from millstream.runtime.ledger import Json
from millstream.runtime.quarantine import write_late, write_reasons
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.segments import describe_file
from millstream.runtime.small_source import ReadChunks
from millstream.runtime.space import Space
from millstream.runtime.storage import Storage
from millstream.runtime.tags.stream_tags import StepTagging, StreamTags
from millstream.runtime.use import PeerUse, Use
from millstream.runtime.watermark import Advance, Watermark, advance

FROM_LOG = "log"
"""What a subscription says that wants the stream's past as well."""
FULL_AFTER = 16
"""Files of state that may gather before a step writes the state in full."""


@dataclass(frozen=True)
class StepReport:
    """What one step did."""

    stream: str
    step: int
    items: int
    rejected: int
    results: int
    seconds: float


@dataclass(frozen=True)
class Past:
    """What an evaluation has to know of a stream's log."""

    advances: tuple[Advance, ...]
    repeated: dict[int, str]
    """By position, the keys of items that were there before."""
    tagging: StepTagging | None


class SharedBatch:
    """All steps of one stream."""

    def __init__(
        self,
        space: Space,
        registry: Registry,
        record: StreamRecord,
        journal: Journal,
        session: SparkSession,
        journals: Callable[[], Mapping[str, Journal]],
        report: Callable[[StepReport], None],
        before: Callable[[str], None] | None = None,
        histories: Histories | None = None,
    ) -> None:
        """`before` is told the stream's name before a step begins, `report` what a step did."""
        self.record = record
        self.journal = journal
        self._journals = journals
        self._space = space
        self._registry = registry
        self._report = report
        self._before = before
        self._histories = histories
        self._folder = f"streams/{record.name}"
        self._schema = record.schema
        # A log between peers is read by the step that it was written for, and then let go.
        log_retention = "none" if record.fed else None
        self.tags = StreamTags(space.storage, record, journal, registry.vocabulary)
        self._housekeeping = Housekeeping(
            *(space.storage, self._folder, journal, record.retention, log_retention),
            in_play=lambda: self.tags.in_play()[0].steps,
        )
        self._evaluator = Evaluator(space.storage, registry, record, journals, session)
        self._session = session
        self._duplicates: Duplicates | None = None
        if record.key is not None:
            key = tuple(record.key.split("/"))
            self._duplicates = Duplicates(
                space.storage, self._folder, record.name, self._schema, key
            )

    def run_batch(self, chunks: DataFrame | ReadChunks, batch: int) -> None:
        """One step for one batch of the source, unless it is committed already."""
        if batch <= self.journal.state.batch:
            return
        pending = self.journal.state.pending
        if pending is None or pending.get("batch") != batch:
            started = time.monotonic()
            parts = sorted(
                (each.asDict() for each in chunks.collect()),
                key=lambda each: each["first_position"],
            )
            seconds = time.monotonic() - started
            crash.reach("parsed")
            self.catch_up()
            self._begin({"parts": parts, "batch": batch, "ended": False, "seconds": seconds})
        self._finish()

    def take(self, inputs: Json, *, assigning: bool = True) -> None:
        """One step for what another stream brings: parts of the log, a clock, and a batch number.

        Unless it assigns channels, the step moves the clock and serves nobody.
        """
        self._begin(inputs, only=None if assigning else ())
        self._finish()

    def finish(self) -> None:
        """Run a step again that began and was not committed."""
        if self.journal.state.pending is not None:
            self._finish()

    def resume(self) -> None:
        """Sweep up after a crash, and run a pending step that no source will bring again."""
        self._housekeeping.sweep()
        pending = self.journal.state.pending
        if pending is not None and "batch" not in pending:
            self._finish()

    def catch_up(self) -> None:
        """A step over the stream's log, for new subscriptions that ask to start from its past."""
        state = self.journal.state
        waiting = self._waiting(self._active())
        if not waiting or state.pending is not None:
            return
        log = [each.name for each in state.tables["log"]]
        self._begin({"parts": [], "log": log, "ended": state.ended}, only=waiting)
        self._finish()

    def _waiting(self, subscriptions: Sequence[Registered]) -> list[Registered]:
        """Those that a step over the log is to serve first, if the stream has a past."""
        state = self.journal.state
        if self.record.fed or not state.tables["log"]:
            return []
        return [
            each
            for each in subscriptions
            if each.record.start == FROM_LOG and each.record.name not in state.readings
        ]

    def past(self, begun: Json) -> Past:
        """What is known of the log, for a question that begins like a step and leaves nothing."""
        return Past(self._from_the_start(), self._repeated(begun), self.tags.resolve(begun, ()))

    def answer_new(self) -> None:
        """A step without items for new subscriptions to histories, if there is a history."""
        state, histories = self.journal.state, self._histories
        if histories is None or state.pending is not None or state.latest is None:
            return
        if histories.waiting(self.record.name):
            self._begin({"parts": [], "ended": state.ended})
            self._finish()

    def tick(self, now: int) -> bool:
        """A step without items, if results may change because it is later; whether there was."""
        histories = self._histories
        if histories is None or self.journal.state.pending is not None:
            return False
        if not histories.due(self.record.name, now):
            return False
        self._begin({"parts": [], "ended": self.journal.state.ended, "now": now})
        self._finish()
        return True

    def end(self) -> None:
        """The step at the end of a finite stream: what is unfinished becomes final."""
        if self.journal.state.ended:
            return
        self.catch_up()
        self._begin({"parts": [], "ended": True})
        self._finish()

    def _active(self) -> tuple[Registered, ...]:
        with self._registry.lock:
            return self._registry.active(self.record.name)

    def _begin(self, inputs: Json, only: Sequence[Registered] | None = None) -> None:
        """Write down a step: its inputs, and all its channels or those of some subscriptions."""
        if self._before is not None:
            self._before(self.record.name)
        states = {name: each.state for name, each in self._journals().items()}
        step = 1 + max(each.last_number for each in states.values())
        if only is None:
            # Who comes while a step is on its way, and asks for the past, is not to miss it.
            present = self._active()
            waiting = self._waiting(present)
            served = [each for each in present if each not in waiting]
            assignment = assign(states, self.record.name, served, step)
        else:
            assignment = assign_new(states, self.record.name, only, step)
        gathered = len(states[self.record.name].tables["state"]) >= FULL_AFTER
        event: Json = {
            **inputs,
            "step": step,
            "active": list(assignment.active),
            "retired": list(assignment.retired),
            "channels": [each.to_json() for each in assignment.channels],
            "folds": [each.to_json() for each in assignment.folds],
            "readings": {
                name: [each.to_json() for each in readings]
                for name, readings in assignment.readings.items()
            },
            "full": only is None and (inputs["ended"] or gathered),
        }
        if self._histories is not None and only is None:
            event |= self._histories.begun(self.record.name, event)
        if only is None:
            event |= self.tags.begun(inputs)
        self.journal.begin(event)
        crash.reach("begun")

    def _finish(self) -> None:
        started = time.monotonic()
        begun = self.journal.state.pending
        assert begun is not None, "a step begins before it finishes"
        advances = self._from_the_start() if "log" in begun else self._advances(begun)
        repeated = self._repeated(begun)
        target = self._target(begun["step"])
        tagging = self.tags.resolve(begun, repeated)
        tagger = self._evaluator.lone_tagger(begun, advances) if tagging is None else None
        if tagger is None:
            by_queries = self._evaluator.taggers(begun, advances, sorted(repeated), tagging)
            if by_queries is not None:
                tagging = self.tags.resolve(begun, repeated, by_queries)
        evaluated = self._evaluator.evaluate(
            begun, advances, target, sorted(repeated), tagging, tagger
        )
        if tagger is not None:
            found = self._written(begun["step"]).get(output.RESULTS, [])
            tagging = self.tags.attached_by(begun["step"], tagger, [each.name for each in found])
        standing = self._standing(begun, tagging)
        crash.reach("evaluated")
        commit = self._commit_event(begun, advances, evaluated, repeated)
        if tagging is not None:
            tagging.add_to(commit)
        commit["tables"]["results"] += [each.to_json() for each in standing.segments]
        commit["tables"]["quarantine"] += [each.to_json() for each in standing.failures]
        commit["evaluated"] = dict(standing.instants or {})
        commit["use"] = self._use(begun, time.monotonic() - started).to_json()
        self.journal.commit(commit)
        crash.reach("committed")
        self.tags.committed(tagging)
        if self._histories is not None:
            self._histories.committed(standing)
        if begun["ended"]:
            crash.reach("ended")
        self._housekeeping.after_step()
        results = sum(each["rows"] for each in commit["tables"].get("results", ()))
        self._report(
            StepReport(
                self.record.name,
                begun["step"],
                commit["items"],
                commit["rejected"],
                results,
                time.monotonic() - started,
            )
        )

    def _standing(self, begun: Json, tagging: StepTagging | None) -> Evaluated:
        """What the continuous queries over histories have left."""
        if self._histories is None or "log" in begun:
            return Evaluated()
        tags = None if tagging is None else tagging.tables
        return self._histories.evaluate(self.record, begun, tags)

    def _repeated(self, begun: Json) -> dict[int, str]:
        """The items of a step that repeat the key of an item before them."""
        parts = [part["part"] for part in begun["parts"] if part["part"]]
        log = begun.get("log") or [f"{self._folder}/log/{part}" for part in parts]
        if self._duplicates is None or not log:
            return {}
        seen = [] if "log" in begun else self.journal.state.tables["keys"]
        return self._duplicates.find(self._session, log, seen)

    def _use(self, begun: Json, seconds: float) -> Use:
        """What the step used, with what was used to bring its items here."""
        items = sum(part["rows"] for part in begun["parts"])
        own = PeerUse(seconds + begun.get("seconds", 0.0), items, 1)
        return Use({}, {self.record.peer: own}) + Use.from_json(begun.get("use"))

    # Time.

    def _advances(self, begun: Json) -> tuple[Advance, ...]:
        if "clock" in begun:
            return tuple(self._told(each) for each in begun["clock"])
        parts = begun["parts"]
        statistics = [json.loads(part["statistics"] or "{}") for part in parts]
        marks = self.journal.state.watermarks
        return tuple(
            advance(
                marks.get(str(leaf)) or self._first_mark(str(leaf), leaf.type),
                [each.get(str(leaf), {}) for each in statistics],
            )
            for leaf in viewed_leaves(self._schema)
        )

    def _told(self, content: Json) -> Advance:
        """The way to where another stream is; how far items fell back is told as well."""
        after = Watermark.from_json(content)
        before = self.journal.state.watermarks.get(after.reference)
        drawdown = Decimal(content["drawdown"])
        return Advance(before or replace(after, highest=None), after, drawdown)

    def _from_the_start(self) -> tuple[Advance, ...]:
        """The way from before the first item to where the stream is now."""
        return tuple(
            Advance(replace(mark, highest=None), mark, self._fallen(mark))
            for mark in self.journal.state.watermarks.values()
        )

    def _fallen(self, mark: Watermark) -> Decimal:
        """How far items have come behind others; what another stream sends comes in any order."""
        known = None if self.record.fed else mark.fallen
        return Decimal("Infinity") if known is None else known

    def _first_mark(self, reference: str, type: ValueType) -> Watermark:
        anchor = self.record.anchor
        start = None if anchor == "first" else Decimal(anchor)
        if start is not None and type is ValueType.TIME:
            start *= 1_000_000
        return Watermark(reference, type, start)

    # Commit.

    def _commit_event(
        self,
        begun: Json,
        advances: tuple[Advance, ...],
        evaluated: bool,
        repeated: dict[int, str],
    ) -> Json:
        step, parts = begun["step"], begun["parts"]
        written = self._written(step) if evaluated else {}
        late = write_late(self._space.storage, self._folder, self.record.name, written, step)
        tables: dict[str, list[Any]] = {
            "log": self._segments("log", [part["part"] for part in parts], step),
            "quarantine": self._segments("quarantine", [each["quarantine"] for each in parts], step)
            + late,
            "results": written.get(output.RESULTS, []),
            "state": written.get(output.STATE, []),
        }
        tables |= {
            name: self._segments(name, files, step) for name, files in told_parts(parts).items()
        }
        lost = self._unplaced(begun)
        tables["quarantine"] += lost
        if self._duplicates is not None and parts:
            tables["keys"] = self._duplicates.remember(self._session, step)
            tables["quarantine"] += self._duplicates.quarantine(repeated, step)
        set_aside = sum(part["rejected"] for part in parts)
        set_aside += sum(each.rows for each in (*late, *lost))
        replaced = ["state"] if begun["full"] and evaluated else []
        return {
            "step": step,
            "items": sum(part["rows"] for part in parts),
            "rejected": set_aside + (len(repeated) if parts else 0),
            "bytes": sum(part["bytes"] for part in parts),
            "ended": begun["ended"],
            **self._times(begun),
            "retired": begun["retired"],
            "watermarks": [each.after.to_json() for each in advances],
            "replaced": replaced,
            "tables": {
                name: [each.to_json() for each in segments] for name, segments in tables.items()
            },
        }

    def _unplaced(self, begun: Json) -> list[Segment]:
        """At the end of a stream of fillers: those that no hole is for, set aside."""
        if self.record.structure is None or not begun["ended"]:
            return []
        structure = read_structure_once(self.record.structure)
        reasons = unplaced(self._space.storage, self.journal.state, structure)
        if not reasons:
            return []
        storage, step = self._space.storage, begun["step"]
        return write_reasons(storage, self._folder, self.record.name, "no-hole", reasons, step)

    def _times(self, begun: Json) -> Json:
        """How far the time of a stream has come."""
        times = [self.journal.state.latest, latest_of(self.record, begun["parts"])]
        known = [each for each in times if each is not None]
        return {"latest": max(known)} if known else {}

    def _written(self, step: int) -> dict[str, list[Segment]]:
        return step_segments(self._space.storage, self._step_folder(step), step)

    def _segments(self, table: str, files: Sequence[str | None], step: int) -> list[Segment]:
        return [
            describe_file(self._space.storage, f"{self._folder}/{table}/{each}", step)
            for each in files
            if each
        ]

    def _target(self, step: int) -> str:
        return self._space.storage.address(self._step_folder(step))

    def _step_folder(self, step: int) -> str:
        return f"{self._folder}/steps/{step:012d}"


def step_segments(storage: Storage, folder: str, step: int) -> dict[str, list[Segment]]:
    """What a step has written to a folder, by kind."""
    found: dict[str, list[Segment]] = {}
    for kind in storage.names(folder):
        if not kind.startswith("kind="):
            continue
        files = [each for each in storage.names(f"{folder}/{kind}") if each.endswith(".parquet")]
        found[kind.removeprefix("kind=")] = [
            describe_file(storage, f"{folder}/{kind}/{each}", step) for each in files
        ]
    return found
