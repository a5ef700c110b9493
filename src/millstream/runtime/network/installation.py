"""A plan becomes flows, taps, streams between peers, and a query over these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from millstream.algebra.expressions import TRUE
from millstream.algebra.operators import Construct, Query, scans
from millstream.algebra.query_json import query_to_json
from millstream.errors import InternalError
from millstream.model.window import EndRule, WindowKind
from millstream.runtime.network.flows import Flows
from millstream.runtime.records import FlowRecord, StreamRecord, SubscriptionRecord
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.shared_batch import FROM_LOG
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.plan import PlanInput
from millstream.sharing.predicates import residual
from millstream.sharing.properties import ALWAYS, Input
from millstream.sharing.rewriting import (
    Place,
    WindowItems,
    items_tap,
    post_processing,
    projected,
    windows_tap,
)
from millstream.sharing.rewriting.taps import window_of
from millstream.sharing.rewriting.window_items import START

Reach = Callable[[FlowRecord, str], StreamRecord]
"""The stream of the space at which a flow is read at a peer, made if it is not there."""


class Installation:
    """Installs what a plan asks for, from the sources outwards."""

    def __init__(self, registry: Registry, flows: Flows, reach: Reach) -> None:
        self._registry = registry
        self._flows = flows
        self._reach = reach

    def deploy(
        self, record: SubscriptionRecord, query: Query, inputs: Sequence[PlanInput]
    ) -> Registered:
        """A subscription, with all that its plan has to flow for it."""
        if record.name in self._registry.subscriptions:
            return self._registry.subscribe(record)  # says that the name is taken
        branches = [branch for branch in query.branches for _ in scans(branch.input)]
        places = [
            self._place(record, number, branch, part)
            for number, (branch, part) in enumerate(zip(branches, inputs, strict=True))
        ]
        streams = [self._registry.streams[each.stream] for each in places]
        if not any(each.fed for each in streams):
            return self._registry.subscribe(record)
        plan = query_to_json(post_processing(query, places))
        return self._registry.subscribe(replace(record, plan=plan))

    def _place(
        self, record: SubscriptionRecord, number: int, branch: Construct, part: PlanInput
    ) -> Place:
        """Where an input is read at the subscriber's super-peer."""
        if part.flow is None:
            stream = self._reached(part.tapped.name, part.tap)
            return self._at(part.tapped, stream, part.asked)
        made = self._make(record, number, branch, part, part.flow)
        stream = self._reached(made.name, record.peer)
        return self._at(part.flow, stream, part.asked)

    def _at(self, flow: Flow, stream: StreamRecord, asked: Input) -> Place:
        """A flow at a stream, and what is left to ask of it."""
        if flow.content.window is not None:
            content = self._flows.records[flow.name].windows
            assert content is not None, "a flow of windows says what they hold"
            return Place(stream.name, stream.schema, windows=WindowItems.from_json(content))
        rest = residual(asked.selection, flow.content.selection).expression()
        return Place(stream.name, stream.schema, TRUE if rest is None else rest)

    def _make(
        self,
        record: SubscriptionRecord,
        number: int,
        branch: Construct,
        part: PlanInput,
        flow: Flow,
    ) -> FlowRecord:
        """A new flow, tapped and named, that feeds nothing yet."""
        source = self._reached(part.tapped.name, part.tap)
        if source.fed and record.start == FROM_LOG:
            raise InternalError("what starts from a log must be planned on original streams")
        place = self._at(part.tapped, source, flow.content)
        window = flow.content.window
        reference: str | None = None
        if window is None:
            tap, windows = items_tap(place), None
            schema = projected(source.schema, flow.content.output)
        else:
            windows = WindowItems.of(window, flow.content.schema)
            filtered = window.filter != ALWAYS and not window.empty
            tap = windows_tap(branch, place, windows, filtered=filtered)
            schema, reference = windows.schema, _reference(branch, place)
        tapping = SubscriptionRecord(
            name=self._tap_name(flow.name),
            number=0,
            text="",
            streams=(),
            end=EndRule.RUN.value,
            start=record.start,
            peer=flow.route[0],
            plan=query_to_json(tap),
            tap=True,
        )
        made = FlowRecord(
            name=flow.name,
            tapped=part.tapped.name,
            source=source.name,
            tap=tapping.name,
            route=flow.route,
            subscription=record.name,
            input=number,
            layout=StreamRecord.layout_of(schema),
            windows=None if windows is None else windows.to_json(),
            reference=reference,
        )
        self._registry.subscribe(tapping)
        self._flows.install(made)
        return made

    def _reached(self, name: str, peer: str) -> StreamRecord:
        """The stream of the space at which a flow or an original stream is read at a peer."""
        flow = self._flows.records.get(name)
        if flow is not None:
            return self._reach(flow, peer)
        record = self._registry.streams[name]
        if record.peer != peer:
            raise InternalError(f"stream '{name}' is at {record.peer}, not at {peer}")
        return record

    def _tap_name(self, flow: str) -> str:
        """A name that no subscription has had: some of its results may still be in the space."""
        name, number = f"flow {flow}", 1
        while name in self._registry.subscriptions:
            number += 1
            name = f"flow {flow} {number}"
        return name


def _reference(branch: Construct, place: Place) -> str | None:
    """The path of the tapped stream that tells the time of windows; None for windows by number."""
    spec = window_of(branch).spec
    if place.windows is not None:
        return START
    return None if spec.kind is WindowKind.COUNT else "/".join(spec.reference)
