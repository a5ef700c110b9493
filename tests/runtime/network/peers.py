"""A mill whose subscriptions are deployed by hand, as a planner would plan them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from millstream.generators.photons import PHOTONS_DTD
from millstream.mill import Mill
from millstream.plans import asked_by
from millstream.runtime.network.deployment import Deployment
from millstream.runtime.records import SubscriptionRecord
from millstream.runtime.session import SparkSession
from millstream.sharing.matching import match
from millstream.sharing.network.topologies import cube
from millstream.sharing.planner import Flow, PlanInput
from millstream.sharing.properties import Input, flowing, original

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
    """A mill in the network of the seed's first figure, without its planner."""

    def __init__(self, space: str | Path | None, spark: SparkSession | None) -> None:
        super().__init__(space, spark=spark, network=cube())
        self.contents: dict[str, Flow] = {}

    @property
    def peers(self) -> Deployment:
        assert self._deployment is not None, "a mill in a network deploys plans"
        return self._deployment

    def create_photons(self, **options: Any) -> None:
        options = {"schema": PHOTONS_DTD, "types": TYPES, "peer": "SP4", **options}
        self.create_stream("photons", "nowhere", **options)

    def alone(self, text: str, name: str, **options: Any) -> None:
        """A subscription on the original streams, where they are."""
        self.registry.subscribe(SubscriptionRecord(name, 0, text, (), **options))

    def deploy(self, text: str, name: str, peer: str, *hands: Hand, **options: Any) -> None:
        """A subscription whose inputs are answered by hand."""
        record = SubscriptionRecord(name, 0, text, (), peer=peer, **options)
        asked = self.asked(record)
        inputs = [self._input(*each) for each in zip(asked, hands, strict=True)]
        self.peers.deploy(record, self.registry.compile(record).query, inputs)

    def asked(self, record: SubscriptionRecord) -> tuple[Input, ...]:
        """What a subscription asks of its streams."""
        return asked_by(record, self.registry.compile(record).query).inputs

    def _input(self, asked: Input, hand: Hand) -> PlanInput:
        tapped = self._flow(hand.tapped)
        offset = self.peers.counted(hand.tapped) if hand.tapped in self.peers.flows else None
        found = match(asked, tapped.content, offset=offset, explain=True)
        assert found.reusable, [each.text for each in found.failed]
        made = None
        if hand.flow is not None:
            made = Flow(hand.flow, flowing(asked), hand.route, tapped.name)
            self.contents[hand.flow] = made
        return PlanInput(asked, tapped, hand.tap, found, (), made, ())

    def _flow(self, name: str) -> Flow:
        if name not in self.peers.flows:
            home = self.registry.streams[name].peer
            return Flow(name, original(name, self.registry.schema(name)), (home,))
        if name not in self.contents:
            self.contents[name] = self._restored(name)
        return self.contents[name]

    def _restored(self, name: str) -> Flow:
        """A flow as it was before the space was closed, from the text that it was made for."""
        record = self.peers.flows[name]
        cause = self.registry.subscription(record.subscription)
        return Flow(name, flowing(self.asked(cause)[record.input]), record.route, record.tapped)
