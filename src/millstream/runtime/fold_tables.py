"""What a step's statement is told of folds, and of the channels that read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from millstream.compiler.alike import axis_values
from millstream.compiler.fold_statement import FoldStatement
from millstream.model.schema import ValueType
from millstream.model.slices import Cut, cuts_of
from millstream.model.window import (
    Closing,
    EndRule,
    Progress,
    WindowKind,
    WindowSpec,
    closing_windows,
)
from millstream.runtime.records import ChannelRecord, FoldRecord
from millstream.runtime.watermark import MICROSECONDS, Watermark

Row = dict[str, Any]
NOTHING = Closing(0, -1)
"""What closes of windows that no clock closes."""


@dataclass(frozen=True)
class FoldTables:
    """The folds of a statement in one step, and their channels."""

    statement: FoldStatement
    folds: Sequence[FoldRecord]
    channels: Sequence[ChannelRecord]
    now: tuple[Watermark, Progress] | None
    """For windows by time: how far the stream is."""
    ended: bool
    clocked: bool = False
    """True if the stream's time is told apart from its items: a tile does not bring it further."""

    def fold_rows(self) -> list[Row]:
        """What the items are joined to: a row a fold."""
        return [
            {
                "channel": fold.number,
                **{f"p{index}": value for index, value in enumerate(fold.constants)},
                **self._time_and_cuts(self._readers[fold.number]),
            }
            for fold in self.folds
        ]

    def member_rows(self) -> list[Row]:
        """What the slices are joined to: a row for each window, and one for each fold itself."""
        own = [self._own_row(each.number) for each in self.folds]
        return [*own, *(self._window_row(*each) for each in self._windows.items())]

    def reader_rows(self) -> list[Row]:
        """What the windows are joined to: a row for each channel, and for each fold itself."""
        own = [{"fold": each.number, "window": 0, "channel": each.number} for each in self.folds]
        forms = {name: number for number, (name, _) in enumerate(self.statement.forms)}
        numbers = {
            channel.number: window
            for (_, window), channels in self._windows.items()
            for channel in channels
        }
        rows = (
            self._channel_row(each, numbers[each.number], forms[each.signature])
            for each in self.channels
        )
        return [*own, *rows]

    def together_row(self) -> Row:
        """What tells which items no fold tells apart."""
        constants = [each.constants for each in self.folds]
        axes = axis_values(self.statement.fold.slices.dimensions, constants)
        return {**self._time_and_cuts(self.channels), **axes}

    def slices(self, least: float, greatest: float) -> float:
        """About how many slices there are between two values of the reference."""
        if self.now is None:
            return 0.0
        unit = MICROSECONDS if self.now[0].type is ValueType.TIME else 1
        ticks = (greatest - least) / unit + 1
        if not self.statement.fold.slices.cut:
            return ticks
        return 1 + ticks * sum(1 / cut.period for cut in cuts_of_channels(self.channels))

    @cached_property
    def _readers(self) -> dict[int, list[ChannelRecord]]:
        """The channels of each fold."""
        readers: dict[int, list[ChannelRecord]] = {each.number: [] for each in self.folds}
        for channel in self.channels:
            assert channel.fold is not None, "windows are made from a fold"
            readers[channel.fold].append(channel)
        return readers

    @cached_property
    def _closings(self) -> dict[int, Closing]:
        """By channel, the windows by time that this step closes."""
        if self.now is None:
            return {}
        return {each.number: self._closing(each, self.now[1]) for each in self.channels}

    def _closing(self, channel: ChannelRecord, progress: Progress) -> Closing:
        assert channel.size is not None and channel.step is not None, "folds are of windows"
        spec = WindowSpec(WindowKind.DIFF, channel.size, channel.step)
        rule, reach = EndRule(channel.end), self._reach(channel)
        return closing_windows(spec, channel.first_window, rule, progress, reach)

    def _time_and_cuts(self, channels: Sequence[ChannelRecord]) -> Row:
        row: Row = {"anchor": self.now and self.now[0].anchor}
        if self.statement.fold.slices.cut:
            for place, cut in enumerate(cuts_of_channels(channels)):
                row.update({f"period{place}": cut.period, f"offset{place}": cut.offset})
        return row

    @cached_property
    def _windows(self) -> dict[tuple[int, int], list[ChannelRecord]]:
        """The channels that are given the same windows: by fold, and by number within it."""
        found: dict[tuple[int, int], list[ChannelRecord]] = {}
        for fold, channels in self._readers.items():
            numbers: dict[tuple[object, ...], int] = {}
            for each in channels:
                window = (each.size, each.step, each.tile, each.end)
                number = numbers.setdefault(window, len(numbers) + 1)
                found.setdefault((fold, number), []).append(each)
        return found

    def _window_row(self, window: tuple[int, int], channels: Sequence[ChannelRecord]) -> Row:
        fold, number = window
        one = channels[0]
        row: Row = {"fold": fold, "window": number, "size": one.size, "step": one.step}
        row.update(tile=one.tile, reach=self._reach(one), ending=one.end, ended=self.ended)
        row.update(first_window=min(each.first_window for each in channels))
        if self._closings:
            closings = [self._closings[each.number] for each in channels]
            row.update(opens=min(each.opens for each in closings), closes=closings[0].closes)
        return row

    def _channel_row(self, channel: ChannelRecord, window: int, number: int) -> Row:
        form = self.statement.forms[number][1]
        names = (name for name, _ in form.constants)
        row: Row = dict(zip(names, channel.constants[self.statement.below :], strict=True))
        row.update(fold=channel.fold, window=window, channel=channel.number, form=number)
        row.update(size=channel.size, step=channel.step, first_window=channel.first_window)
        closing = self._closings.get(channel.number, NOTHING)
        row.update(opens=closing.opens, empty=form.empty)
        return row

    def _own_row(self, fold: int) -> Row:
        """The row of a fold itself: all windows, and which are open when this step is done."""
        following: dict[tuple[int, int, int], int] = {}
        for each in self._readers[fold]:
            closing = self._closings.get(each.number, NOTHING)
            window = (each.size or 0, each.step or 0, each.tile or 0)
            first = max(closing.opens, closing.closes + 1)
            following[window] = min(first, following.get(window, first))
        windows = [
            {"size": size, "step": step, "tile": tile, "next": next}
            for (size, step, tile), next in sorted(following.items())
        ]
        return {"fold": fold, "window": 0, "ended": self.ended, "windows": windows}

    def _reach(self, channel: ChannelRecord) -> int:
        """How far an item brings its stream beyond the tick where the item stands."""
        return 0 if self.clocked else channel.tile or 0


def cuts_of_channels(channels: Sequence[ChannelRecord]) -> tuple[Cut, ...]:
    """The edges at which a fold cuts: those of all windows of its channels."""
    return cuts_of(
        (each.size, each.step)
        for each in channels
        if each.size is not None and each.step is not None
    )
