"""The network, plans, and who depends on whom: as figures and as pictures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from millstream.rendering.network_picture import network_svg
from millstream.service.access import Identity
from millstream.service.context import Service, ServiceHere, Who
from millstream.service.discretion import discreet_plan
from millstream.service.network_view import network_page, plan_page
from millstream.service.problems import Responses, told
from millstream.service.shapes.network import (
    Dependencies,
    Edge,
    NetworkPage,
    PlanPage,
    StrategyName,
)
from millstream.sharing.graphs import DependencyGraph, draw_svg
from millstream.sharing.planner import Plan
from millstream.sharing.planner.plan_xml import plan_xml

router = APIRouter(prefix="/v1", tags=["network"])
SVG = "image/svg+xml"
_OTHER = Query(description="Another strategy: what plans of it would be. What runs stays as it is.")
Strategy = Annotated[StrategyName | None, _OTHER]


def _picture(media_type: str, *statuses: int) -> Responses:
    content = {media_type: {"schema": {"type": "string"}}}
    return {**told(*statuses), 200: {"description": "As it says.", "content": content}}


@router.get("/network", responses=told())
def get_network(service: ServiceHere, who: Who, strategy: Strategy = None) -> NetworkPage:
    """Peers, links and flows, with what plans lay on them and what went over them."""
    with service.running.planning:
        return network_page(service.mill, strategy)


@router.get("/network.svg", response_class=Response, responses=_picture(SVG))
def draw_network(service: ServiceHere, who: Who, strategy: Strategy = None) -> Response:
    """The network with links coloured by load."""
    with service.running.planning:
        page = network_page(service.mill, strategy)
        return Response(network_svg(page.peers, page.links), media_type=SVG)


@router.get("/plans", responses=told())
def list_plans(service: ServiceHere, who: Who) -> list[PlanPage]:
    """The plans of the subscriptions of whoever asks."""
    with service.running.planning:
        planner = service.mill.plans.planner
        owners = {name: each.owner for name, each in service.mill.subscriptions.items()}
        chosen = [each for each in planner.subscriptions if who.owns(owners.get(each, ""))]
        return [plan_page(_known(service, who, planner.installed(each))) for each in chosen]


@router.get("/plans/{name}", responses=told(403, 404, 409))
def get_plan(name: str, service: ServiceHere, who: Who, strategy: Strategy = None) -> PlanPage:
    """Where a subscription gets its data from, or would by another strategy."""
    service.subscription(name, who)
    with service.running.planning:
        plan = service.plan(name)
        plans = service.mill.plans
        if strategy is not None and strategy != plans.strategy.value:
            plan = plans.under(strategy).installed(name)
        return plan_page(_known(service, who, plan))


@router.get(
    "/plans/{name}/xml",
    response_class=Response,
    responses=_picture("application/xml", 403, 404, 409),
)
def get_plan_xml(name: str, service: ServiceHere, who: Who) -> Response:
    """The same as XML: one plan inside the other, from the subscriber to the tap."""
    service.subscription(name, who)
    with service.running.planning:
        return Response(plan_xml(service.plan(name)), media_type="application/xml")


@router.get("/dependencies", responses=told())
def get_dependencies(service: ServiceHere, who: Who) -> Dependencies:
    """Who is made from whom."""
    graph = _dependencies(service)
    edges = [Edge(shared=one, by=other) for one, other in sorted(graph.edges)]
    return Dependencies(names=list(graph.names), edges=edges)


@router.get("/dependencies.svg", response_class=Response, responses=_picture(SVG))
def draw_dependencies(service: ServiceHere, who: Who) -> Response:
    """Who is made from whom, drawn."""
    return Response(draw_svg(_dependencies(service), title="who shares what"), media_type=SVG)


def _known(service: Service, who: Identity, plan: Plan) -> Plan:
    return discreet_plan(plan, lambda name: service.owns(who, name))


def _dependencies(service: Service) -> DependencyGraph:
    with service.running.planning:
        return service.mill.dependencies()
