"""How far a stream has come, for each path that could place its items in time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from millstream.compiler.order import Order
from millstream.model.schema import ValueType
from millstream.model.window import Progress

MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Watermark:
    """The highest value seen of one reference path; times are microseconds since the epoch."""

    reference: str
    type: ValueType
    anchor: Decimal | None
    """None: the first value that arrives."""
    highest: Decimal | None = None
    fallen: Decimal | None = Decimal(0)
    """How far values have come behind the highest before them, at most; None: not known."""

    def tick(self, value: Decimal | None) -> int | None:
        """Whole units since the anchor: seconds for times, else units of the value."""
        if value is None or self.anchor is None:
            return None
        unit = MICROSECONDS if self.type is ValueType.TIME else 1
        return math.floor((value - self.anchor) / unit)

    @property
    def highest_tick(self) -> int | None:
        return self.tick(self.highest)

    def to_json(self) -> dict[str, Any]:
        return {
            "reference": self.reference,
            "type": self.type.value,
            "anchor": None if self.anchor is None else str(self.anchor),
            "highest": None if self.highest is None else str(self.highest),
            "fallen": None if self.fallen is None else str(self.fallen),
        }

    @staticmethod
    def from_json(content: dict[str, Any]) -> Watermark:
        def number(text: str | None) -> Decimal | None:
            return None if text is None else Decimal(text)

        return Watermark(
            content["reference"],
            ValueType(content["type"]),
            number(content["anchor"]),
            number(content["highest"]),
            number(content.get("fallen")),
        )


@dataclass(frozen=True, slots=True)
class Advance:
    """A watermark before and after a batch, and how far the batch fell back behind it."""

    before: Watermark
    after: Watermark
    drawdown: Decimal

    def disordered(self, lateness: int) -> bool:
        """True when some item came so late that a window of it may have closed."""
        unit = MICROSECONDS if self.after.type is ValueType.TIME else 1
        return self.drawdown > lateness * unit

    def order(self, lateness: int, *, fed: bool = False) -> Order:
        """What is known of the order of the batch; in a fed stream, another has told what is late.

        What is not late is less than a tick farther behind than lateness allows.
        """
        if not self.drawdown.is_finite():
            return Order(self.disordered(lateness), behind=None)
        unit = 1 if self.after.type is ValueType.TIME else MICROSECONDS
        behind = math.ceil(self.drawdown * unit)
        allowed = behind if fed else (lateness + 1) * MICROSECONDS
        return Order(self.disordered(lateness), behind=min(behind, allowed))

    def progress(self, lateness: int, *, ended: bool) -> Progress:
        """How far the stream was and is, in ticks."""
        before, now = self.after.tick(self.before.highest), self.after.highest_tick
        return Progress(
            None if before is None else before - lateness,
            None if now is None else now - lateness,
            now,
            ended,
        )

    def clock_row(self, lateness: int, *, ended: bool = False) -> dict[str, Any]:
        """What decides, row by row, which windows were open when an item arrived late."""
        return {
            "reference": self.after.reference,
            "anchor": self.after.anchor,
            "highest": self.after.tick(self.before.highest),
            "lateness": lateness,
            "now": self.after.highest_tick,
            "ended": ended,
        }


def advance(mark: Watermark, statistics: Iterable[Mapping[str, Any]]) -> Advance:
    """The watermark moved over the chunks of a batch, given their statistics in stream order."""
    before, drawdown = mark, Decimal(0)
    for chunk in statistics:
        if chunk.get("max") is None:
            continue
        low, high = _decimal(chunk["min"]), _decimal(chunk["max"])
        if mark.anchor is None:
            mark = replace(mark, anchor=_decimal(chunk["first"]))
        behind = Decimal(0) if mark.highest is None else mark.highest - low
        drawdown = max(drawdown, _decimal(chunk["drawdown"]), behind)
        mark = replace(mark, highest=high if mark.highest is None else max(high, mark.highest))
    if mark.fallen is not None:
        mark = replace(mark, fallen=max(mark.fallen, drawdown))
    return Advance(before, mark, drawdown)


def _decimal(value: int | float) -> Decimal:
    # The shortest text of a double is the number that was written in the item.
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
