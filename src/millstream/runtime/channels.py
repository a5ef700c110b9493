"""Which channels a step serves: branches of subscriptions mapped to shared channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from millstream.compiler.branch import Branch
from millstream.model.window import WindowKind
from millstream.runtime.journal import StreamState
from millstream.runtime.records import ChannelRecord, Reading
from millstream.runtime.registry import Registered


@dataclass(frozen=True)
class Assignment:
    """The channels of a step, and what is new about them."""

    active: tuple[int, ...]
    channels: tuple[ChannelRecord, ...]
    """New ones."""
    readings: dict[str, tuple[Reading, ...]]
    """New or changed ones, by subscription."""
    retired: tuple[int, ...]


def assign(
    state: StreamState, stream: str, subscriptions: Sequence[Registered], step: int
) -> Assignment:
    """Give each branch of each subscription a channel, a new one where none fits."""
    known = {channel.key(): channel for channel in state.channels.values()}
    fresh: list[ChannelRecord] = []
    readings: dict[str, tuple[Reading, ...]] = {}
    active: dict[int, None] = {}
    number = max(state.channels, default=-1) + 1
    for subscription in subscriptions:
        name = subscription.record.name
        if name in state.readings:
            active.update((each.channel, None) for each in state.readings[name])
            continue
        own: list[Reading] = []
        for branch in subscription.branches:
            if branch.stream != stream:
                continue
            wanted = _channel(branch, state, number, step)
            channel = known.get(wanted.key())
            if channel is None:
                channel = wanted
                known[wanted.key()] = wanted
                fresh.append(wanted)
                number += 1
            active[channel.number] = None
            own.append(Reading(channel.number, step, _highest(branch, state)))
        readings[name] = tuple(own)
    readings.update(_ended(state, subscriptions, step))
    retired = tuple(each for each in state.channels if each not in active)
    return Assignment(tuple(active), tuple(fresh), readings, retired)


def _ended(
    state: StreamState, subscriptions: Sequence[Registered], step: int
) -> dict[str, tuple[Reading, ...]]:
    """The readings of subscriptions that were cancelled since the last step."""
    names = {each.record.name for each in subscriptions}
    return {
        name: tuple(replace(each, to_step=step - 1) for each in readings)
        for name, readings in state.readings.items()
        if name not in names and readings and readings[0].to_step is None
    }


def _channel(branch: Branch, state: StreamState, number: int, step: int) -> ChannelRecord:
    window = branch.window
    if window is None:
        return ChannelRecord(number, branch.signature, branch.constants)
    counted = window.kind is WindowKind.COUNT
    highest = _highest(branch, state)
    first = 0 if highest is None else max(0, highest // window.step + 1)
    return ChannelRecord(
        number,
        branch.signature,
        branch.constants,
        window.size,
        window.step,
        branch.end.value,
        first_window=0 if counted else first,
        # Item windows count from registration: only what starts with the same step is equal.
        origin=step if counted and state.items > 0 else 0,
    )


def _highest(branch: Branch, state: StreamState) -> int | None:
    if branch.reference is None:
        return None
    mark = state.watermarks.get("/".join(branch.reference))
    return mark.highest_tick if mark else None
