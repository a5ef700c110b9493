"""A mill whose subscriptions are deployed by hand, as a planner would plan them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any

from millstream.generators.photons import PHOTONS_DTD
from millstream.languages.xquery import compile_text
from millstream.mill import Mill
from millstream.model.window import EndRule
from millstream.runtime.journal import Journal
from millstream.runtime.network.deployment import Deployment
from millstream.runtime.records import SubscriptionRecord
from millstream.runtime.runner import StreamRunner
from millstream.runtime.session import SparkSession
from millstream.runtime.shared_batch import StepReport
from millstream.runtime.stream_creation import new_stream
from millstream.runtime.subscription import Subscription
from millstream.sharing.matching import match
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.plan import PlanInput
from millstream.sharing.properties import Input, flowing, original
from millstream.sharing.reading_properties import properties_of

TYPES = {
    "coord/cel/ra": "decimal",
    "coord/cel/dec": "decimal",
    "en": "decimal",
    "det_time": "integer",
    "phc": "integer",
}


@dataclass(frozen=True)
class Hand:
    """How one input is answered: which flow is tapped where, and what is sent where."""

    tapped: str = "photons"
    tap: str = "SP4"
    flow: str | None = None
    route: tuple[str, ...] = ()


class PeerMill(Mill):
    """A mill with a deployment; the source of photons is at SP4."""

    def __init__(self, space: str | Path | None, spark: SparkSession | None) -> None:
        self.deployment: Deployment | None = None
        super().__init__(space, spark=spark)
        self.deployment = Deployment(
            self.space, self.registry, self.spark, self._lock, self._journals, self._reported
        )
        self.contents: dict[str, Flow] = {}

    @property
    def peers(self) -> Deployment:
        assert self.deployment is not None
        return self.deployment

    def create_photons(self, **options: Any) -> None:
        self.create("photons", "SP4", schema=PHOTONS_DTD, types=TYPES, **options)

    def create(self, name: str, peer: str, **options: Any) -> None:
        """A stream at a peer."""
        settings: dict[str, Any] = dict.fromkeys(
            parameter.name
            for parameter in signature(new_stream).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        )
        settings |= {"anchor": 0, "lateness": 0, "finite": False, **options}
        self.registry.create(replace(new_stream(name, "nowhere", **settings), peer=peer))
        self._runners[name] = self._new_runner(name)

    def deploy(
        self,
        text: str,
        name: str,
        peer: str,
        *hands: Hand,
        end: str | None = None,
        empty: bool = False,
        start: str = "now",
    ) -> Subscription:
        query = compile_text(text, self.registry)
        asked = self.asked(text, end=end, empty=empty)
        inputs = [self._input(*each) for each in zip(asked, hands, strict=True)]
        record = SubscriptionRecord(name, 0, text, (), end=end, empty=empty, start=start, peer=peer)
        self.peers.deploy(record, query, inputs)
        return self.subscriptions[name]

    def asked(self, text: str, *, end: str | None = None, empty: bool = False) -> tuple[Input, ...]:
        """What a subscription asks of its streams."""
        query = compile_text(text, self.registry)
        rule = EndRule(end) if end else None
        return properties_of(query, end=rule, empty=empty).inputs

    def _input(self, asked: Input, hand: Hand) -> PlanInput:
        tapped = self._flow(hand.tapped)
        found = match(asked, tapped.content, offset=self._offset(tapped), explain=True)
        assert found.reusable, [each.text for each in found.failed]
        made = None
        if hand.flow is not None:
            made = Flow(hand.flow, flowing(asked), hand.route, tapped.name)
            self.contents[hand.flow] = made
        return PlanInput(asked, tapped, hand.tap, found, (), made, ())

    def _flow(self, name: str) -> Flow:
        if name in self.contents:
            return self.contents[name]
        if name in self.peers.flows:
            return self._restored(name)
        home = self.registry.streams[name].peer
        return Flow(name, original(name, self.registry.schema(name)), (home,))

    def _restored(self, name: str) -> Flow:
        """A flow as it was before the space was closed, from the text that it was made for."""
        record = self.peers.flows[name]
        cause = self.registry.subscription(record.subscription)
        asked = self.asked(cause.text, end=cause.end, empty=cause.empty)[record.input]
        return Flow(name, flowing(asked), record.route, record.tapped)

    def _offset(self, flow: Flow) -> int | None:
        return self.peers.counted(flow.name) if flow.name in self.peers.flows else None

    # What a mill with a deployment does differently.

    def _journals(self) -> Mapping[str, Journal]:
        own = super()._journals()
        return {**own, **self.deployment.journals()} if self.deployment else own

    def _new_runner(self, name: str) -> StreamRunner:
        return StreamRunner(
            self.space,
            self.registry,
            self.registry.streams[name],
            self.spark,
            self._journals,
            self._lock,
            self._reported,
            self._before,
        )

    def _before(self, stream: str) -> None:
        if self.deployment is not None:
            self.deployment.stepped(stream)

    def _reported(self, report: StepReport) -> None:
        if self.deployment is not None:
            self.deployment.stepped(report.stream)
        super()._reported(report)
