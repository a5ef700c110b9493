"""A SELECT of TAG-QL that is asked once: answered from what is live, between two steps.

It is evaluated like a step over what the logs of its streams hold, by the same statements, of which
nothing is kept. Live are the tuples in the window of their source, with the tags that they came
with. A source without a window has all tuples that its log holds, but only tags whose life is not
over; an Instant tag lives as long as its tuple.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from millstream.compiler import output
from millstream.compiler.branch import Branch, compile_branch
from millstream.compiler.statement import Statement
from millstream.compiler.tags.templates import TagTemplate, TupleTemplate
from millstream.errors import InternalError
from millstream.languages.compiling import Question, compile_once
from millstream.model.tags import Element, StreamShape
from millstream.model.tags.event_time import format_time
from millstream.rendering import html
from millstream.rendering.leaves import leaf_rows
from millstream.runtime.evaluator import Evaluator
from millstream.runtime.journal import StateAlone, StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.records import ChannelRecord, Reading, Segment, StreamRecord
from millstream.runtime.registry import Registry
from millstream.runtime.results import ResultSource, read_rows
from millstream.runtime.runner import StreamRunner
from millstream.runtime.session import SparkSession
from millstream.runtime.shared_batch import SharedBatch, step_segments
from millstream.runtime.storage import Storage
from millstream.runtime.tags.numbers import LONG_AGO
from millstream.runtime.tags.result_elements import ResultElements, written
from millstream.runtime.tags.set_reading import SetReading
from millstream.runtime.tags.stream_tags import StreamTags

ASKER = "query"
"""Who attaches the tag that says of an answer that it is about tuples without tags."""
_STEP = 1
"""All that is evaluated for an answer is one step: its results are in one order."""


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """What a SELECT gave: stix, tags and tuples as they flow."""

    flow: tuple[tuple[Element, StreamShape], ...]
    now: str | None
    """The time that it was asked at; None where no stream has come anywhere."""
    streams: tuple[str, ...]
    seconds: float
    strategy: str = ""
    """Only histories are asked by one."""
    engine: str = "spark"

    @property
    def elements(self) -> tuple[Element, ...]:
        return tuple(element for element, _ in self.flow)

    @property
    def items(self) -> tuple[str, ...]:
        """The elements as XML."""
        return tuple(self.wire("xml"))

    def wire(self, format: str = "json") -> Iterator[str]:
        """The elements as lines of JSON, or as XML."""
        return (written(element, shape, format) for element, shape in self.flow)

    def _repr_html_(self) -> str:
        found = leaf_rows(self.items)
        return html.page(
            f"{len(self.flow):,} results at {self.now}",
            html.table(found.headings, found.rows, empty="nothing is live"),
        )


class _Asked:
    """The registry, to which a question adds the statements of its own."""

    def __init__(self, registry: Registry, question: Question, branch: Branch) -> None:
        self.streams: Mapping[str, StreamRecord] = registry.streams
        self.vocabulary = registry.vocabulary
        self.question = question
        self.branch = branch

    def statement(self, stream: str, signature: str) -> Statement:
        return self.branch.statements[stream]

    def attaches(self, stream: str) -> bool:
        return False


class LiveAnswering:
    """Answers questions about what is live in the streams of a mill."""

    def __init__(
        self,
        storage: Storage,
        registry: Registry,
        runner: Callable[[str], StreamRunner],
        session: Callable[[], SparkSession],
        lock: threading.RLock,
    ) -> None:
        """`lock` is held by steps: a question takes its turn between them."""
        self._storage = storage
        self._registry = registry
        self._runner = runner
        self._make_session = session
        self._session: SparkSession | None = None
        self._lock = lock

    def answer(self, text: str) -> LiveAnswer:
        """What a SELECT gives now."""
        started = time.monotonic()
        with self._lock:
            words = self._registry.vocabulary
            question = compile_once(text, self._registry, self._reached, words)
            (construct,) = question.query.branches
            branch = compile_branch(construct)
            template = branch.template
            if not isinstance(template, TagTemplate | TupleTemplate):
                raise InternalError("a SELECT gives tags or tuples")
            flow = self._evaluated(_Asked(self._registry, question, branch), template)
        form = template.time if isinstance(template, TagTemplate) else template.forms[0].time
        now = None if question.now is None else format_time(question.now, form)
        return LiveAnswer(tuple(flow), now, question.query.streams, time.monotonic() - started)

    def _reached(self, stream: str) -> int | None:
        runner = self._runner(stream)
        reached = StreamTags(self._storage, runner.record, runner.journal).reached()
        return None if reached == LONG_AGO else reached

    def _evaluated(
        self, asked: _Asked, template: TagTemplate | TupleTemplate
    ) -> list[tuple[Element, StreamShape]]:
        """The results of the streams' logs, which are read at once: what they lie in goes."""
        batches = {name: self._runner(name).shared_batch for name in asked.branch.statements}
        pasts = {name: StateAlone(_unseen(each.journal.state)) for name, each in batches.items()}
        folder = f"streams/{next(iter(batches))}/steps/asked-{uuid.uuid4().hex}"
        results: list[Segment] = []
        try:
            for name, batch in batches.items():
                place = f"{folder}/{name}"
                found = self._step(asked, batch, pasts, place)
                results += found.get(output.RESULTS, [])
                pasts[name].state.tables["state"] = found.get(output.STATE, [])
                pasts[name].state.ended = True
            alive = None if asked.question.windows else self._alive(batches)
            sets = SetReading(self._storage, pasts, alive)
            source = ResultSource(Reading(0, 0, _STEP, None), template)
            rows = read_rows(self._storage, results, [source])
            flow = ResultElements(template, ASKER, sets).flow(rows)
            return [(element, shape) for _, element, shape in flow]
        finally:
            self._storage.delete(folder)

    def _step(
        self,
        asked: _Asked,
        batch: SharedBatch,
        pasts: Mapping[str, StateAlone],
        place: str,
    ) -> Mapping[str, list[Segment]]:
        """What one stream's log gives beside what the others have kept, by kind."""
        log = [each.name for each in batch.journal.state.tables["log"]]
        if not log:
            return {}
        branch, question = asked.branch, asked.question
        channel = ChannelRecord(0, branch.signature, branch.constants)
        begun: Json = {"step": _STEP, "parts": [], "log": log, "ended": True, "full": False}
        begun |= {"active": [channel.number], "channels": [channel.to_json()], "folds": []}
        begun |= {"since": question.since(batch.record.name)}
        past = batch.past(begun)
        tagging = past.tagging
        if tagging is not None and not question.windows:
            tagging = replace(tagging, alive=batch.tags.living().select(["tag"]))
        session = self._own_session()
        evaluator = Evaluator(self._storage, asked, batch.record, lambda: pasts, session)
        target = self._storage.address(place)
        evaluator.evaluate(begun, past.advances, target, sorted(past.repeated), tagging)
        return step_segments(self._storage, place, _STEP)

    def _alive(self, batches: Mapping[str, SharedBatch]) -> frozenset[int]:
        tables = (each.tags.living() for each in batches.values())
        return frozenset(number for table in tables for number in table.column("tag").to_pylist())

    def _own_session(self) -> SparkSession:
        """One with views of its own."""
        if self._session is None:
            self._session = self._make_session()
        return self._session


def _unseen(state: StreamState) -> StreamState:
    """A stream of which no channel has kept anything."""
    tables = {**state.tables, "state": [], "results": []}
    return replace(state, tables=tables, channels={}, folds={}, readings={}, pending=None)
