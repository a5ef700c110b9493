"""Which channels a step serves: branches of subscriptions mapped to shared channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from millstream.compiler.branch import Branch
from millstream.compiler.fold_statement import FoldStatement
from millstream.model.window import WindowKind
from millstream.runtime.journal import StreamState
from millstream.runtime.records import ChannelRecord, FoldRecord, Reading
from millstream.runtime.registry import Registered


@dataclass
class Assignment:
    """The channels of a step, and what is new about them."""

    active: dict[int, None] = field(default_factory=dict)
    channels: list[ChannelRecord] = field(default_factory=list)
    """New ones."""
    folds: list[FoldRecord] = field(default_factory=list)
    """New ones."""
    readings: dict[str, tuple[Reading, ...]] = field(default_factory=dict)
    """New or changed ones, by subscription."""
    retired: tuple[int, ...] = ()


def assign(
    states: Mapping[str, StreamState], stream: str, subscriptions: Sequence[Registered], step: int
) -> Assignment:
    """Give each branch of each subscription of a stream a channel, a new one where none fits."""
    state = states[stream]
    assigner = _Assigner(states, stream, step)
    for subscription in subscriptions:
        name = subscription.record.name
        if name in state.readings:
            assigner.assignment.active.update((each.channel, None) for each in state.readings[name])
        else:
            assigner.add(subscription)
    assignment = assigner.assignment
    assignment.readings.update(_ended(state, subscriptions, step))
    assignment.retired = tuple(each for each in state.channels if each not in assignment.active)
    return assignment


def assign_new(
    states: Mapping[str, StreamState], stream: str, subscriptions: Sequence[Registered], step: int
) -> Assignment:
    """Give subscriptions that start from the stream's past channels of their own."""
    assigner = _Assigner(states, stream, step, from_start=True)
    for subscription in subscriptions:
        assigner.add(subscription)
    return assigner.assignment


class _Assigner:
    """Finds or makes channels for new subscriptions."""

    def __init__(
        self,
        states: Mapping[str, StreamState],
        stream: str,
        step: int,
        *,
        from_start: bool = False,
    ) -> None:
        self.assignment = Assignment()
        self._states = states
        self._stream = stream
        self._step = step
        self._from_start = from_start
        self._known = {each.key(): each for each in states[stream].channels.values()}
        self._folds = {each.key(): each for each in states[stream].folds.values()}
        self._next = max(each.free_channel for each in states.values())

    def add(self, subscription: Registered) -> None:
        name = subscription.record.name
        readings = []
        for index, branch in enumerate(subscription.branches):
            if self._stream not in branch.statements:
                continue
            number = self._partner_number(name, index)
            channel = self._channel(branch, number)
            highest = self._highest(branch)
            readings.append(Reading(index, channel.number, self._step, highest))
            self.assignment.active[channel.number] = None
        self.assignment.readings[name] = tuple(readings)

    def _channel(self, branch: Branch, number: int | None) -> ChannelRecord:
        wanted = self._wanted(branch, self._next if number is None else number)
        found = self._known.get(wanted.key())
        if found is not None and number in (None, found.number):
            return found
        self._next = max(self._next, wanted.number + 1)
        new = self._folded(branch, wanted)
        self._known[new.key()] = new
        self.assignment.channels.append(new)
        return new

    def _folded(self, branch: Branch, channel: ChannelRecord) -> ChannelRecord:
        """The channel with the fold that it reads, if it has windows."""
        statement = branch.statements[self._stream]
        if not isinstance(statement, FoldStatement):
            return channel
        constants = branch.constants[: statement.below]
        wanted = FoldRecord(self._next, statement.fold_signature, constants, channel.origin)
        if wanted.key() not in self._folds:
            self._folds[wanted.key()] = wanted
            self.assignment.folds.append(wanted)
            self._next += 1
        return replace(channel, fold=self._folds[wanted.key()].number)

    def _partner_number(self, name: str, index: int) -> int | None:
        """The channel that another stream of a join has given to the branch already."""
        for stream, state in self._states.items():
            for reading in state.assigned(name) if stream != self._stream else ():
                if reading.branch == index:
                    return reading.channel
        return None

    def _wanted(self, branch: Branch, number: int) -> ChannelRecord:
        signature = branch.signature
        window = branch.window
        # Item windows count from registration, joins begin with it: only what starts with the
        # same step is equal.
        counted = window is not None and window.kind is WindowKind.COUNT
        begins = counted or self._from_start or _joins(branch)
        origin = self._step if begins and any(each.items for each in self._states.values()) else 0
        if window is None:
            return ChannelRecord(number, signature, branch.constants, origin=origin)
        highest = self._highest(branch)
        first = 0 if highest is None else max(0, highest // window.step + 1)
        return ChannelRecord(
            number,
            signature,
            branch.constants,
            window.size,
            window.step,
            branch.end.value,
            first_window=first,
            origin=origin,
            tile=branch.tile,
        )

    def _highest(self, branch: Branch) -> int | None:
        """The highest tick that a subscription has missed, if it has missed any."""
        if branch.reference is None or self._from_start:
            return None
        mark = self._states[self._stream].watermarks.get("/".join(branch.reference))
        return mark.highest_tick if mark else None


def _joins(branch: Branch) -> bool:
    return any(each.other_streams for each in branch.statements.values())


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


def channel_row(channel: ChannelRecord) -> dict[str, Any]:
    """A channel's row in the table that a step joins its batch to."""
    constants = {f"p{index}": value for index, value in enumerate(channel.constants)}
    return {"channel": channel.number, **constants}
