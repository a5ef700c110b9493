"""What is done at the subscriber's super-peer, as WXQuery text."""

from __future__ import annotations

from millstream.algebra.expressions import TRUE
from millstream.sharing.planner.declarations import flow_schema
from millstream.sharing.planner.options import Strategy
from millstream.sharing.planner.plan import Plan, PlanInput
from millstream.sharing.planner.query_text import query_text
from millstream.sharing.rewriting import Place, WindowItems, post_processing


def result_query(plan: Plan) -> str:
    """What makes a subscription's results, over the flows that it is made from.

    Where the query itself is not known, the items are returned as they come.
    """
    if plan.query is None:
        return "\n".join(_plain(part) for part in plan.inputs)
    places = [_place(part, plan.strategy) for part in plan.inputs]
    return query_text(post_processing(plan.query, places))


def _place(part: PlanInput, strategy: Strategy) -> Place:
    """Where results find their items, and what is left to ask of them."""
    flow = part.delivered if strategy is not Strategy.QUERY_SHIPPING else part.tapped
    content = flow.content
    windows = None
    if content.aggregated and content.window is not None:
        windows = WindowItems.of(content.window, content.schema)
    remaining = None
    if strategy is not Strategy.SHARING:
        remaining = part.asked.selection.expression()
    return Place(flow.name, flow_schema(content), remaining or TRUE, windows)


def _plain(part: PlanInput) -> str:
    schema = flow_schema(part.delivered.content)
    source = f'stream("{part.delivered.name}")/{schema.root}/{schema.item.name}'
    return f"for $p in {source} return $p"
