"""What is saved by sharing, against every subscription by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from millstream.rendering import html
from millstream.runtime.journal import Journal
from millstream.runtime.records import StreamRecord
from millstream.runtime.use import total
from millstream.sharing.cost import REFERENCE_LOADS, Work
from millstream.sharing.network.paths import Paths
from millstream.sharing.planner import Planner
from millstream.sharing.planner.operators import (
    Rates,
    post_operators,
    whole_operators,
    work_usage,
)
from millstream.sharing.properties import flowing, original
from millstream.sharing.statistics import StreamStatistics, estimate


@dataclass(frozen=True, slots=True)
class Savings:
    """What was used, and what it would have been with every subscription by itself."""

    subscriptions: int
    items_parsed: int
    items_parsed_alone: int
    bytes_moved: int
    """Between peers, each hop counted."""
    bytes_moved_alone: int
    """If the whole stream went to every subscriber."""
    busy_seconds: float
    busy_seconds_alone: float
    """An estimate: what was measured, times how much more work there would be."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def _repr_html_(self) -> str:
        rows = (
            ("items parsed", self.items_parsed, self.items_parsed_alone),
            ("bytes moved between peers", self.bytes_moved, self.bytes_moved_alone),
            ("seconds of work", self.busy_seconds, self.busy_seconds_alone),
        )
        headings = ("", "together", "every subscription by itself")
        return html.page(f"{self.subscriptions} subscriptions", html.table(headings, rows))

    def __str__(self) -> str:
        lines = [
            f"{self.subscriptions} subscriptions",
            f"{self.items_parsed:,} items parsed instead of {self.items_parsed_alone:,}",
        ]
        if self.bytes_moved_alone:
            lines.append(
                f"{self.bytes_moved:,} bytes moved between peers instead of"
                f" {self.bytes_moved_alone:,}"
            )
        lines.append(
            f"{self.busy_seconds:.1f} s of work instead of about {self.busy_seconds_alone:.1f}"
        )
        return "\n".join(lines)


def savings_of(
    planner: Planner,
    streams: Mapping[str, tuple[StreamRecord, StreamStatistics]],
    journals: Mapping[str, Journal],
) -> Savings:
    """What the active subscriptions of a mill save."""
    paths = Paths(planner.network)
    parsed = {name: journals[name].state.items for name in streams}
    alone_items, alone_bytes = 0, 0
    shared_load, alone_load = sum(_parsing(each) for _, each in streams.values()), 0.0
    for name in planner.subscriptions:
        plan = planner.installed(name)
        shared_load += sum(plan.usage.work.values())
        for part in plan.inputs:
            record, statistics = streams[part.asked.stream]
            alone_items += parsed[record.name]
            hops = paths.hops(record.peer, plan.peer) or 0
            alone_bytes += hops * journals[record.name].state.bytes
            operators = (*whole_operators(part.asked), *post_operators(part.asked, 1))
            whole = original(record.name, statistics.schema)
            rates = Rates(estimate(whole, statistics), estimate(flowing(part.asked), statistics))
            used = work_usage(operators, plan.peer, rates, planner.network, REFERENCE_LOADS)
            alone_load += _parsing(statistics) + sum(used.work.values())
    use = total(each.state.use for each in journals.values())
    seconds = sum(each.seconds for each in use.peers.values())
    return Savings(
        len(planner.subscriptions),
        sum(parsed.values()),
        alone_items,
        sum(each.bytes for each in use.hops.values()),
        alone_bytes,
        round(seconds, 3),
        round(seconds * max(1.0, alone_load / shared_load if shared_load else 1.0), 3),
    )


def _parsing(statistics: StreamStatistics) -> float:
    """Seconds a second that it takes to read a stream."""
    return REFERENCE_LOADS[Work.RECEIVE] * statistics.frequency
