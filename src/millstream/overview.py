"""A mill at a glance, as notebooks show it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from millstream.plans import Plans
from millstream.rendering import html
from millstream.rendering.network_picture import network_svg
from millstream.runtime.stream import Stream
from millstream.runtime.subscription import Subscription
from millstream.sharing.graphs import DependencyGraph, draw_svg


@dataclass(frozen=True, slots=True)
class _Peer:
    name: str
    share: float


@dataclass(frozen=True, slots=True)
class _Link:
    source: str
    target: str
    traffic: float
    share: float


class Overview(ABC):
    """What a mill shows of itself."""

    plans: Plans

    @property
    @abstractmethod
    def streams(self) -> Mapping[str, Stream]:
        """The streams by their names."""

    @property
    @abstractmethod
    def subscriptions(self) -> Mapping[str, Subscription]:
        """The subscriptions by their names."""

    def dependencies(self) -> DependencyGraph:
        """Which subscriptions are made from which streams, and from what was made for others."""
        planner = self.plans.planner
        edges = planner.dependency_graph()
        ends = (end for edge in edges for end in edge)
        names = dict.fromkeys((*self.streams, *planner.subscriptions, *ends))
        return DependencyGraph.of(names, edges)

    def network_svg(self) -> str:
        """The network as a picture, with links coloured by what plans lay on them."""
        planner = self.plans.planner
        network, state = planner.network, planner.state
        peers = [
            _Peer(each.name, _share(state.used_load(each.name), each.capacity))
            for each in network.peers
        ]
        links = []
        for link in network.links:
            ends = network.ends(link.source, link.target)
            used = state.used_bandwidth(ends)
            links.append(_Link(*ends, used, _share(used, link.bandwidth)))
        return network_svg(peers, links)

    def _repr_html_(self) -> str:
        graph = self.dependencies()
        drawn = draw_svg(graph) if graph.edges else ""
        networked = len(self.plans.network.peers) > 1
        return html.page(
            "mill",
            html.table(
                ("stream", "items", "steps", "quarantined"),
                (_flowed(each) for each in self.streams.values()),
                empty="no streams yet",
            ),
            html.table(
                ("subscription", "streams", "query"),
                (_asked(each) for each in self.subscriptions.values() if not each.cancelled),
                empty="no subscriptions yet",
            ),
            html.picture(drawn, "who is made from whom") if drawn else "",
            html.picture(self.network_svg(), "the network, by load") if networked else "",
        )


def _share(used: float, whole: float) -> float:
    return used / whole if whole > 0 else 0.0


def _flowed(stream: Stream) -> tuple[object, ...]:
    passed = stream.statistics()
    return stream.name, passed["items"], passed["steps"], passed["quarantined"]


def _asked(subscription: Subscription) -> tuple[object, ...]:
    text = " ".join(subscription.text.split())
    shown = text if len(text) <= 120 else f"{text[:119]}…"
    return subscription.name, ", ".join(subscription.streams), shown
