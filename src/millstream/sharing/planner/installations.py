"""What is installed: the plans of subscriptions, and what each flow uses of the network."""

from __future__ import annotations

from dataclasses import dataclass, replace

from millstream.errors import QueryError, did_you_mean
from millstream.sharing.cost import Usage
from millstream.sharing.cost.usage import total
from millstream.sharing.planner.plan import Plan, PlanInput
from millstream.sharing.planner.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Cancellation:
    """What became of a cancelled subscription's flows."""

    subscription: str
    uninstalled: tuple[str, ...]
    """Flows that ended, from the subscriber inwards; some may be of others cancelled before."""
    living: tuple[str, ...]
    """Flows of the subscription that live on."""
    dependents: tuple[str, ...]
    """The subscriptions that depend on them."""


class Installations:
    """The installed subscriptions of a network."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._plans: dict[str, Plan] = {}
        self._finishing: dict[str, Usage] = {}
        self._carrying: dict[str, tuple[PlanInput, Usage]] = {}

    def __contains__(self, subscription: str) -> bool:
        return subscription in self._plans

    def names(self) -> tuple[str, ...]:
        return tuple(self._plans)

    def plan(self, subscription: str) -> Plan:
        """The plan by which a subscription was installed."""
        if subscription not in self._plans:
            raise QueryError(
                f"there is no subscription '{subscription}'",
                code="unknown-subscription",
                help=did_you_mean(subscription, self._plans),
            )
        return self._plans[subscription]

    def install(self, plan: Plan) -> None:
        """Let the flows of a plan flow, the one nearest to its source first."""
        around = self._around
        for part in plan.inputs:
            if part.flow is not None:
                around.registry.add(part.flow, around.estimate(part.flow.content))
                usage = around.carrying(part)
                self._carrying[part.flow.name] = (lean(part), usage)
                around.state.take(usage)
            around.registry.consume(part.delivered.name, plan.subscription)
        inputs = tuple(lean(each) for each in plan.inputs)
        self._plans[plan.subscription] = replace(plan, inputs=inputs)
        self._finish(plan)

    def cancel(self, subscription: str) -> Cancellation:
        """End a subscription, and every flow that nobody needs any more."""
        plan = self.plan(subscription)
        registry = self._around.registry
        self._around.state.give_back(self._finishing.pop(subscription))
        del self._plans[subscription]
        delivered = tuple(dict.fromkeys(part.delivered.name for part in reversed(plan.inputs)))
        for name in delivered:
            registry.release(name, subscription)
        uninstalled = [each for name in delivered for each in self._uninstall(name)]
        living = tuple(each.name for each in plan.flows if each.name in registry)
        dependents = (each for name in living for each in registry.dependents(name))
        return Cancellation(
            subscription, tuple(uninstalled), living, tuple(dict.fromkeys(dependents))
        )

    def preview(self, subscription: str) -> Cancellation:
        """What would become of a subscription's flows if it were cancelled."""
        plan, registry = self.plan(subscription), self._around.registry
        ended: list[str] = []
        for part in reversed(plan.inputs):
            name: str | None = part.delivered.name
            while name is not None and name not in ended and self._ends(name, subscription, ended):
                ended.append(name)
                name = registry.flow(name).tapped
        living = tuple(each.name for each in plan.flows if each.name not in ended)
        dependents = (each for name in living for each in registry.dependents(name))
        others = dict.fromkeys(each for each in dependents if each != subscription)
        return Cancellation(subscription, tuple(ended), living, tuple(others))

    def _ends(self, name: str, subscription: str, ended: list[str]) -> bool:
        """True for a made flow that only one subscription, and flows that end, still need."""
        registry = self._around.registry
        return (
            registry.flow(name).tapped is not None
            and set(registry.consumers(name)) <= {subscription}
            and set(registry.made_from(name)) <= set(ended)
        )

    def refresh(self, stream: str) -> None:
        """Reckon anew with what is now known of a stream."""
        for name, (part, usage) in self._carrying.items():
            if part.asked.stream == stream:
                self._around.state.give_back(usage)
                self._carrying[name] = (part, self._around.carrying(part))
                self._around.state.take(self._carrying[name][1])
        for plan in self._plans.values():
            if any(each.asked.stream == stream for each in plan.inputs):
                self._around.state.give_back(self._finishing[plan.subscription])
                self._finish(plan)

    def _finish(self, plan: Plan) -> None:
        usage = total(self._around.finishing(each, plan.peer) for each in plan.inputs)
        self._finishing[plan.subscription] = usage
        self._around.state.take(usage)

    def _uninstall(self, name: str | None) -> list[str]:
        """End a flow that is not needed, then the one that it was made from, and so on."""
        registry, ended = self._around.registry, []
        while name is not None and name in registry and not registry.needed(name):
            flow = registry.remove(name)
            self._around.state.give_back(self._carrying.pop(name)[1])
            ended.append(name)
            name = flow.tapped
        return ended


def lean(part: PlanInput) -> PlanInput:
    """A part without what was considered for it: much, and of no use once it is decided."""
    return replace(part, candidates=(), rejections=())
