"""A mill at a glance, as notebooks show it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from millstream.plans import Plans
from millstream.rendering import html
from millstream.runtime.stream import Stream
from millstream.runtime.subscription import Subscription
from millstream.sharing.graphs import DependencyGraph, draw_svg


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

    def _repr_html_(self) -> str:
        graph = self.dependencies()
        drawn = draw_svg(graph) if graph.edges else ""
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
        )


def _flowed(stream: Stream) -> tuple[object, ...]:
    passed = stream.statistics()
    return stream.name, passed["items"], passed["steps"], passed["quarantined"]


def _asked(subscription: Subscription) -> tuple[object, ...]:
    text = " ".join(subscription.text.split())
    shown = text if len(text) <= 120 else f"{text[:119]}…"
    return subscription.name, ", ".join(subscription.streams), shown
