"""What is told of sharing without telling what others ask.

Whose stream is reused is no secret. Why another one is not, or that it is, would tell the
conditions of its owner's query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from millstream.mill import Explanation
from millstream.sharing.planner import Plan, PlanInput

MayKnow = Callable[[str | None], bool]
"""Whether the query of a subscription may be known; None stands for an original stream."""


def discreet(explanation: Explanation, may_know: MayKnow) -> Explanation:
    """An explanation without the queries of others."""
    return replace(explanation, plan=discreet_plan(explanation.plan, may_know))


def discreet_plan(plan: Plan, may_know: MayKnow) -> Plan:
    """A plan without the queries of others."""
    return replace(plan, inputs=tuple(_discreet_input(each, may_know) for each in plan.inputs))


def _discreet_input(part: PlanInput, may_know: MayKnow) -> PlanInput:
    kept = tuple(each for each in part.rejections if may_know(each.flow.subscription))
    match = part.match
    if not may_know(part.tapped.subscription):
        match = replace(match, reasons=tuple(replace(each, text="") for each in match.reasons))
    return replace(part, rejections=kept, match=match)
