"""What a planner knows of the network, as it goes over the wire."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.mill import Mill
from millstream.runtime.use import Hop
from millstream.runtime.use import LinkUse as Moved
from millstream.runtime.use import PeerUse as Done
from millstream.service.shapes.network import (
    FlowUse,
    LinkUse,
    NetworkPage,
    PeerUse,
    PlanInputPage,
    PlanPage,
    StrategyName,
)
from millstream.sharing.planner import Plan, PlanInput, Planner


def network_page(mill: Mill, strategy: StrategyName | None) -> NetworkPage:
    """The network by the strategy that runs, or as it would be by another."""
    own: StrategyName = mill.plans.strategy.value
    actual = strategy is None or strategy == own
    planner = mill.plans.planner if actual else mill.plans.under(strategy or own)
    return NetworkPage(
        strategy=strategy or own,
        actual=actual,
        peers=_peers(planner, mill.work() if actual else {}),
        links=_links(planner, mill.traffic() if actual else {}),
        flows=[
            FlowUse(
                name=each.name,
                route=list(each.route),
                made_from=each.tapped,
                subscription=each.subscription,
            )
            for each in planner.flows
        ],
    )


def plan_page(plan: Plan) -> PlanPage:
    """Where a subscription gets its data from."""
    return PlanPage(
        subscription=plan.subscription,
        peer=plan.peer,
        strategy=plan.strategy.value,
        cost=plan.cost,
        traffic=round(sum(plan.usage.traffic.values()), 3),
        inputs=[_input(each) for each in plan.inputs],
        text=str(plan),
    )


def _input(part: PlanInput) -> PlanInputPage:
    return PlanInputPage(
        stream=part.asked.stream,
        tapped=part.tapped.name,
        shared_with=part.tapped.subscription,
        tap=part.tap,
        operators=[str(each) for each in part.operators],
        route=[] if part.flow is None else list(part.flow.route),
        post=[str(each) for each in part.post],
        conditions=[f"{each.condition}: {each.text}".rstrip(": ") for each in part.match.reasons],
    )


def _peers(planner: Planner, done: Mapping[str, Done]) -> list[PeerUse]:
    state = planner.state
    found = []
    for peer in planner.network.peers:
        work = done.get(peer.name, Done())
        used = state.used_load(peer.name)
        found.append(
            PeerUse(
                name=peer.name,
                capacity=peer.capacity,
                load=used,
                share=_share(used, peer.capacity),
                seconds=round(work.seconds, 3),
                items=work.items,
                steps=work.steps,
            )
        )
    return found


def _links(planner: Planner, moved: Mapping[Hop, Moved]) -> list[LinkUse]:
    found = []
    for link in planner.network.links:
        ends = planner.network.ends(link.source, link.target)
        traffic = planner.state.used_bandwidth(ends)
        both = moved.get(ends, Moved()) + moved.get((ends[1], ends[0]), Moved())
        found.append(
            LinkUse(
                source=ends[0],
                target=ends[1],
                bandwidth=link.bandwidth,
                traffic=traffic,
                share=_share(traffic, link.bandwidth),
                bytes=both.bytes,
                items=both.items,
            )
        )
    return found


def _share(used: float, whole: float) -> float:
    return used / whole if whole > 0 else 0.0
