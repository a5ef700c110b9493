"""The search of the printed algorithm: from the stream's node along all flows that match.

It looks at everything, so it also tells why a flow cannot serve. (Line 14 of Algorithm 1 matches
with the properties of the new subscription where it prints those of the original stream.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from millstream.sharing.planner.candidate import Rejection
from millstream.sharing.planner.evaluation import Evaluation
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.registry import FlowRegistry
from millstream.sharing.planner.variants import Variant


def search_breadth_first(
    evaluation: Evaluation, registry: FlowRegistry, source: Flow, out_of_time: Callable[[], bool]
) -> None:
    """Consider every flow that matches, at every peer that matching flows lead to."""
    variants = registry.variants(evaluation.wanted.stream)
    evaluation.consider(registry.variant_of(source), source.origin)
    waiting, marked = deque([source.origin]), {source.origin}
    while waiting:
        peer = waiting.popleft()
        for variant in variants:
            if out_of_time():
                evaluation.complete = False
                return
            if variant.at(peer) is None or not evaluation.serves(variant):
                continue
            evaluation.consider(variant, peer)
            for flow in variant.all_at(peer):
                found = [stop for stop in flow.route if stop not in marked]
                marked.update(found)
                waiting.extend(found)


def explain_rejections(evaluation: Evaluation, registry: FlowRegistry) -> None:
    """Note, for each variant of the stream that cannot serve, all reasons why."""
    for variant in registry.variants(evaluation.wanted.stream):
        if not evaluation.serves(variant):
            match = evaluation.matches.explained(variant)
            evaluation.rejected.append(Rejection(_oldest(variant), match))


def _oldest(variant: Variant) -> Flow:
    return next(variant.flows())
