"""The different contents that flow: flows of equal content are one variant of their stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.model.window import WindowKind
from millstream.sharing.planner.flow import Flow
from millstream.sharing.properties import Input
from millstream.sharing.statistics import Estimate


@dataclass(frozen=True, slots=True)
class VariantKey:
    """What makes flows equal: their content and, for item windows, since when they count."""

    content: Input
    counting_since: str = ""


def key_of(flow: Flow) -> VariantKey:
    """The key under which a flow is found."""
    return VariantKey(flow.content, flow.counting_since)


def counts_items(content: Input) -> bool:
    """True for aggregates of item windows, which depend on the item that they began with."""
    window = content.window
    return content.aggregated and window is not None and window.spec.kind is WindowKind.COUNT


class Variant:
    """One content, the flows that carry it, and the peers where they can be tapped."""

    def __init__(self, number: int, key: VariantKey, estimate: Estimate) -> None:
        self.number = number
        """Never given twice."""
        self.key = key
        self.estimate = estimate
        self._flows: dict[str, Flow] = {}
        self._places: dict[str, dict[str, None]] = {}

    @property
    def content(self) -> Input:
        return self.key.content

    @property
    def empty(self) -> bool:
        return not self._flows

    @property
    def peers(self) -> Iterator[str]:
        """Where it can be tapped."""
        return iter(self._places)

    def flows(self) -> Iterator[Flow]:
        return iter(self._flows.values())

    def at(self, peer: str) -> Flow | None:
        """The oldest of its flows at a peer."""
        return next((self._flows[name] for name in self._places.get(peer, ())), None)

    def all_at(self, peer: str) -> Iterator[Flow]:
        return (self._flows[name] for name in self._places.get(peer, ()))

    def add(self, flow: Flow) -> None:
        self._flows[flow.name] = flow
        for peer in flow.route:
            self._places.setdefault(peer, {})[flow.name] = None

    def remove(self, flow: Flow) -> None:
        del self._flows[flow.name]
        for peer in set(flow.route):
            here = self._places[peer]
            del here[flow.name]
            if not here:
                del self._places[peer]
