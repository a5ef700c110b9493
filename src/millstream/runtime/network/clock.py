"""The time of a stream that another one feeds: that of the stream it was made from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

import pyarrow as pa

from millstream.model.layout import viewed_leaves
from millstream.model.schema import Schema, ValueType
from millstream.runtime.journal import StreamState
from millstream.runtime.ledger import Json
from millstream.runtime.network.passing import drawdown
from millstream.runtime.watermark import Watermark
from millstream.sharing.rewriting.window_items import START

ITEM_BY_ITEM = -1
"""The lateness of windows by number: they close with their last item, not with the one after."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How far a stream is told to be, and how far its items fell back behind that."""

    marks: tuple[Watermark, ...]
    drawdowns: tuple[int | float, ...]

    def to_json(self) -> list[Json]:
        return [
            {**mark.to_json(), "drawdown": str(Decimal(repr(behind)))}
            for mark, behind in zip(self.marks, self.drawdowns, strict=True)
        ]

    def moves(self, state: StreamState) -> bool:
        """True when this is not what the stream was told before."""
        return any(state.watermarks.get(each.reference) != each for each in self.marks)


def clock_of_items(
    source: StreamState, schema: Schema, rows: pa.Table | None, fed: StreamState
) -> Clock:
    """The clock of items: every reference is where it is in the stream they come from."""
    leaves = [leaf for leaf in viewed_leaves(schema) if str(leaf) in source.watermarks]
    behind = (
        0 if rows is None else drawdown(rows, leaf, fed.watermarks.get(str(leaf)))
        for leaf in leaves
    )
    return Clock(tuple(source.watermarks[str(leaf)] for leaf in leaves), tuple(behind))


def clock_of_windows(source: StreamState, reference: str, lateness: int) -> Clock:
    """The clock of windows by time: whole ticks of the clock that placed their items.

    What came too late for them was set aside when they were made; no window itself is late.
    """
    mark = source.watermarks.get(reference)
    if mark is None:
        return Clock((), ())
    return Clock((_ticks(mark.highest_tick),), (min(0, lateness),))


def clock_of_numbers(counted: int) -> Clock:
    """The clock of windows by number: the number of the last item counted."""
    return Clock((_ticks(counted - 1 if counted > 0 else None),), (ITEM_BY_ITEM,))


def _ticks(highest: int | None) -> Watermark:
    mark = Watermark(START, ValueType.INTEGER, Decimal(0))
    return mark if highest is None else replace(mark, highest=Decimal(highest))
