"""Which flows, and which streams between peers, somebody still reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from millstream.runtime.records import FlowRecord, StreamRecord, SubscriptionRecord


@dataclass(frozen=True, slots=True)
class Needs:
    """What must go on flowing."""

    streams: frozenset[str]
    flows: frozenset[str]


def needs(
    subscriptions: Iterable[SubscriptionRecord],
    streams: Mapping[str, StreamRecord],
    flows: Iterable[FlowRecord],
) -> Needs:
    """What active subscriptions read, and what that is made from."""
    by_tap = {each.tap: each for each in flows}
    waiting = [
        stream
        for each in subscriptions
        if not each.cancelled and not each.tap
        for stream in each.streams
    ]
    found: set[str] = set()
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in found or name not in streams:
            continue
        found.add(name)
        flow = by_tap.get(streams[name].fed_by or "")
        if flow is not None:
            needed.add(flow.name)
            waiting.append(flow.source)
    return Needs(frozenset(found), frozenset(needed))
