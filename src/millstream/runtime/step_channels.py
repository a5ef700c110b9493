"""The channels and folds that a step serves, and what is known of its items before it runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from millstream.compiler.alike import Bounds
from millstream.compiler.fold_statement import FoldStatement
from millstream.model.window import Progress
from millstream.runtime.fold_tables import FoldTables
from millstream.runtime.journal import StreamState, channels_of, folds_of
from millstream.runtime.ledger import Json
from millstream.runtime.records import ChannelRecord, FoldRecord, StreamRecord
from millstream.runtime.watermark import Advance, Watermark


@dataclass(frozen=True, slots=True)
class StepChannels:
    """What a step serves, and how far it brings its stream."""

    channels: Sequence[ChannelRecord]
    folds: Mapping[int, FoldRecord]
    progress: Mapping[str, tuple[Watermark, Progress]]
    """By reference path."""
    ended: bool
    clocked: bool
    """True if the stream's time is told apart from its items."""
    items: int
    """How many it reads."""
    bounds: Bounds
    """What is known of their numbers."""

    def of_signature(self, signature: str) -> list[ChannelRecord]:
        """The channels of a signature."""
        return [each for each in self.channels if each.signature == signature]

    def of_folds(self, statement: FoldStatement) -> FoldTables:
        """The folds of a statement, and the channels that read them."""
        forms = {name for name, _ in statement.forms}
        channels = [each for each in self.channels if each.signature in forms]
        read = {each.fold for each in channels}
        folds = [each for number, each in self.folds.items() if number in read]
        now = self.progress.get(statement.reference or "")
        return FoldTables(statement, folds, channels, now, self.ended, self.clocked)


def step_channels(
    record: StreamRecord, state: StreamState, begun: Json, advances: Sequence[Advance]
) -> StepChannels:
    """What a step that has begun serves."""
    channels = state.channels | channels_of(begun["channels"])
    ended = begun["ended"]
    return StepChannels(
        tuple(channels[number] for number in begun["active"]),
        state.folds | folds_of(begun["folds"]),
        {
            each.after.reference: (each.after, each.progress(record.lateness, ended=ended))
            for each in advances
        },
        ended,
        record.fed,
        _items(state, begun),
        _bounds(begun["parts"]),
    )


def _items(state: StreamState, begun: Json) -> int:
    if "log" not in begun:
        return sum(part["rows"] for part in begun["parts"])
    return sum(each.rows for each in state.tables["log"] if each.name in begun["log"])


def _bounds(parts: Sequence[Json]) -> dict[str, tuple[float, float]]:
    """The least and the greatest number of each path, over all parts of a batch."""
    found: dict[str, tuple[float, float]] = {}
    for part in parts:
        for path, told in json.loads(part.get("statistics") or "{}").items():
            if not isinstance(told, dict) or told.get("min") is None:
                continue
            low, high = found.get(path, (told["min"], told["max"]))
            found[path] = (min(low, told["min"]), max(high, told["max"]))
    return found
