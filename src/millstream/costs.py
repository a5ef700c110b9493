"""What a registered subscription costs, who depends on it, and what its end would change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from millstream.model.network import EndPoints
from millstream.rendering import html
from millstream.runtime.journal import Journal
from millstream.sharing.planner import Cancellation, Plan, Planner


@dataclass(frozen=True, slots=True)
class SubscriptionCosts:
    """The account of one subscription, as it was planned."""

    plan: Plan
    dependents: tuple[str, ...]
    """The subscriptions that get their data from what was made for this one."""
    cancelling: Cancellation
    """What its end would change."""
    channel_mates: tuple[str, ...]
    """The subscriptions whose results are, row by row, the same: they are computed once."""

    @property
    def traffic(self) -> Mapping[EndPoints, float]:
        """Bytes a second that it adds to links."""
        return self.plan.usage.traffic

    @property
    def work(self) -> Mapping[str, float]:
        """Seconds of work a second that it adds to peers."""
        return self.plan.usage.work

    def to_json(self) -> dict[str, Any]:
        return {
            "subscription": self.plan.subscription,
            "peer": self.plan.peer,
            "cost": self.plan.cost,
            "made_from": [each.tapped.name for each in self.plan.inputs],
            "traffic": {"-".join(ends): round(each, 3) for ends, each in self.traffic.items()},
            "work": {peer: round(each, 9) for peer, each in self.work.items()},
            "dependents": list(self.dependents),
            "same_results": list(self.channel_mates),
            "cancelling": {
                "ends": list(self.cancelling.uninstalled),
                "lives_on": list(self.cancelling.living),
                "for": list(self.cancelling.dependents),
            },
        }

    def _repr_html_(self) -> str:
        return html.page(f"what {self.plan.subscription} costs", html.text(str(self)))

    def __str__(self) -> str:
        ends, living = self.cancelling.uninstalled, self.cancelling.living
        lines = [
            str(self.plan),
            f"who depends on it: {', '.join(self.dependents) or 'nobody'}",
            f"the same results go to: {', '.join(self.channel_mates) or 'nobody else'}",
            f"cancelling it would end: {', '.join(ends) or 'nothing that flows'}",
        ]
        if living:
            others = ", ".join(self.cancelling.dependents)
            lines.append(f"and leave flowing: {', '.join(living)}, for {others}")
        return "\n".join(lines)


def costs_of(name: str, planner: Planner, journals: Mapping[str, Journal]) -> SubscriptionCosts:
    """The account of a subscription."""
    return SubscriptionCosts(
        planner.installed(name),
        planner.dependents(name),
        planner.cancellation(name),
        _channel_mates(name, journals),
    )


def _channel_mates(name: str, journals: Mapping[str, Journal]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for journal in journals.values():
        readings = journal.state.readings
        own = {each.channel for each in readings.get(name, ())}
        for other, theirs in readings.items():
            if other != name and any(
                each.channel in own and each.to_step is None for each in theirs
            ):
                found.setdefault(other)
    return tuple(found)
