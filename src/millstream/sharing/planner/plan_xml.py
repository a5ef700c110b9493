"""Plans as XML: one inside the other, from the subscriber's super-peer to where a flow is tapped.

<plan atPeer="SP7" id="Q2:plan-0">     makes results of what arrives from its neighbour SP5
  <add> … </add>
  <plan atPeer="SP5" id="Q2">          taps Q1's stream, selects and projects
    <add> … </add>
  </plan>
</plan>
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml import etree

from millstream.sharing.planner.declarations import declarations, flow_schema, result_declarations
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.options import Strategy
from millstream.sharing.planner.plan import Plan, PlanInput
from millstream.sharing.planner.result_text import result_query
from millstream.sharing.planner.tap_text import tap_query

NAMESPACE = "urn:streamglobe.in.tum.de/pdc"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
NAMES: Any = {None: NAMESPACE, "xsi": INSTANCE}


def plan_xml(plan: Plan) -> str:
    """The plan as an XML document."""
    root = _subscriber(plan)
    etree.indent(root)
    text = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _subscriber(plan: Plan) -> etree._Element:
    """The plan at the subscriber's super-peer, with those that feed it inside."""
    root = etree.Element(_name("plan"), nsmap=NAMES)
    root.set("atPeer", plan.peer)
    identity = plan.subscription
    if len(plan.inputs) == 1 and plan.flows:
        identity = plan.flows[0].reference(plan.peer)
    root.set("id", identity)
    added = etree.SubElement(root, _name("add"))
    if any(part.post for part in plan.inputs):
        _results(added, plan, identity)
    for part in plan.inputs:
        if part.flow is not None:
            _fed(root, added, plan, part, part.flow)
    return root


def _fed(
    root: etree._Element, added: etree._Element, plan: Plan, part: PlanInput, flow: Flow
) -> None:
    """One flow that reaches the subscriber: counted on its way, made where it is tapped."""
    inner, here = root, added
    for peer, before in zip(flow.route[:0:-1], flow.route[-2::-1], strict=True):
        if peer != plan.peer:
            inner, here = _plan(inner, peer, flow.reference(peer))
        _counter(here, flow, peer, flow.reference(before), neighbour=before)
    if len(flow.route) > 1:
        inner, here = _plan(inner, flow.origin, flow.name)
    if len(part.operators) > 1:
        _tap(here, plan, part, flow)
    else:
        _counter(here, flow, flow.origin, part.tapped.reference(part.tap))


def _results(added: etree._Element, plan: Plan, identity: str) -> None:
    """The operator that makes results from all that arrives."""
    flows = list(dict.fromkeys(part.delivered for part in plan.inputs))
    operator = _operator(added, f"{identity}:{plan.subscription}:q1#", "query")
    _dependencies(operator, ((each, plan.peer) for each in flows))
    _text(operator, "source", result_query(plan))
    for each in flows:
        _text(operator, "input-dtd", declarations(flow_schema(each.content)))
    _text(operator, "output-dtd", result_declarations(plan.query, flows[0].content))


def _tap(added: etree._Element, plan: Plan, part: PlanInput, flow: Flow) -> None:
    """The operator that makes a new flow of a tapped one."""
    operator = _operator(added, f"{flow.name}:q0", "query")
    _dependencies(operator, ((part.tapped, part.tap),))
    shipped = plan.strategy is Strategy.QUERY_SHIPPING
    _text(operator, "source", result_query(plan) if shipped else tap_query(part, flow.content))
    _text(operator, "input-dtd", declarations(flow_schema(part.tapped.content)))
    made = declarations(flow_schema(flow.content))
    _text(operator, "output-dtd", result_declarations(plan.query, part.asked) if shipped else made)


def _counter(
    added: etree._Element, flow: Flow, peer: str, reads: str, neighbour: str | None = None
) -> None:
    """The operator that counts what passes, and knows from whom it comes."""
    operator = _operator(added, flow.reference(peer), "counter")
    dependencies = etree.SubElement(operator, _name("dependencies"))
    etree.SubElement(dependencies, _name("streamreference"), id=reads)
    etree.SubElement(operator, _name("ds-item")).text = flow_schema(flow.content).item.name
    if neighbour is not None:
        etree.SubElement(operator, _name("neighbor")).text = neighbour


def _plan(outer: etree._Element, peer: str, identity: str) -> tuple[etree._Element, etree._Element]:
    inner = etree.SubElement(outer, _name("plan"), atPeer=peer, id=identity)
    return inner, etree.SubElement(inner, _name("add"))


def _operator(added: etree._Element, identity: str, kind: str) -> etree._Element:
    operator = etree.SubElement(added, _name("streamoperator"), id=identity)
    operator.set(f"{{{INSTANCE}}}type", f"{kind}StreamoperatorType")
    return operator


def _dependencies(operator: etree._Element, flows: Iterable[tuple[Flow, str]]) -> None:
    dependencies = etree.SubElement(operator, _name("dependencies"))
    for flow, peer in flows:
        kind = "stream" if flow.tapped is None else "streamreference"
        etree.SubElement(dependencies, _name(kind), id=flow.reference(peer))


def _text(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, _name(name)).text = etree.CDATA(f"\n{text}\n")


def _name(local: str) -> str:
    return f"{{{NAMESPACE}}}{local}"
