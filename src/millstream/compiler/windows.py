"""Windows in SQL: which windows a tick lies in, which of them close in a step, and slices.

Window k of size Δ and step μ is the ticks [kμ, kμ+Δ), k ≥ 0. A slice begins at the last window
edge at or before a tick, so all ticks of a slice lie in the same windows:

  t   0    10   20   30   40   50
      [w0       )
           [w1       )
                [w2       )            size 20, step 10: slices of 10
"""

from __future__ import annotations

from dataclasses import dataclass

from millstream.compiler.names import identifier, string
from millstream.compiler.output import floor_div
from millstream.model.layout import view_name
from millstream.model.schema import Path, ValueType
from millstream.model.window import EndRule

CLOCK = "clock"
"""The view with one row for each reference path: how far its stream has come."""

CLOCK_COLUMNS = (
    ("reference", "STRING"),
    ("highest", "BIGINT"),
    ("lateness", "BIGINT"),
    ("anchor", "DECIMAL(38,18)"),
    ("step", "BIGINT"),
)
WINDOW_COLUMNS = (
    ("size", "BIGINT"),
    ("step", "BIGINT"),
    ("first_window", "BIGINT"),
    ("anchor", "DECIMAL(38,18)"),
    ("opens", "BIGINT"),
    ("closes", "BIGINT"),
    ("ending", "STRING"),
    ("ended", "BOOLEAN"),
)
"""What a channel with windows knows of itself and, in this step, of its stream's progress."""
TILE_COLUMN = ("tile", "BIGINT")
"""What it knows besides where the items are windows themselves."""

# What one exploded row of the last grouping stands for, beside the windows k ≥ 0.
STATE_ROW = -1
COUNTER_ROW = -2
LATE_ROW = -3


@dataclass(frozen=True, slots=True)
class Range:
    """The windows that a channel emits in this step: from and to, as SQL."""

    first: str
    last: str


def first_window(tick: str, *, tiled: bool = False) -> str:
    """The first window that holds a tick, or the whole tile that starts there."""
    last = f"({tick}) + c.tile - 1" if tiled else f"({tick})"
    return f"greatest(0, {floor_div(f'{last} - c.size', 'c.step')} + 1)"


def last_window(tick: str) -> str:
    """The last window that holds a tick; below the first where ticks lie between windows."""
    return floor_div(tick, "c.step")


def paved(ks: str, tick: str, tile: str, step: str) -> str:
    """Of an array of windows, those that a tile which starts at a tick helps to pave."""
    return f"filter({ks}, k -> pmod({tick} - k * {step}, {tile}) = 0)"


def slice_start(tick: str) -> str:
    """The last window edge at or before a tick."""
    start_edge = f"{floor_div(tick, 'c.step')} * c.step"
    end_edge = f"{floor_div(f'({tick}) - c.size', 'c.step')} * c.step + c.size"
    return f"greatest({start_edge}, IF({end_edge} <= ({tick}), {end_edge}, 0))"


def clock_join(reference: Path) -> str:
    """Joins the clock of a reference path as q."""
    return f" JOIN {CLOCK} q ON q.reference = {string('/'.join(reference))}"


def tick_of(reference: Path, type: ValueType, alias: str = "c") -> str:
    """The tick of a batch row: whole units of its reference value since the anchor."""
    return tick_at(f"b.{identifier(view_name(reference))}", type, alias)


def tick_at(view: str, type: ValueType, alias: str) -> str:
    """Whole units since the anchor of a value, given as an SQL view."""
    anchor = f"{alias}.anchor"
    if type is ValueType.INTEGER:
        return f"try_subtract({view}, CAST({anchor} AS BIGINT))"
    if type is ValueType.TIME:
        return floor_div(f"(unix_micros({view}) - CAST({anchor} AS BIGINT))", "1000000")
    return f"try_cast(floor(try_cast({view} AS DECIMAL(38,18)) - {anchor}) AS BIGINT)"


def count_range(seen: str, total: str) -> Range:
    """The windows of an item-based channel that close when it goes from seen to total items."""
    full = floor_div(f"({total}) - c.size", "c.step")
    gather = f"greatest(0, {floor_div(f'({total}) - c.size + c.step - 1', 'c.step')})"
    at_end = (
        f"CASE c.ending WHEN {string(EndRule.CUT.value)} THEN {full}"
        f" WHEN {string(EndRule.GATHER.value)} THEN {gather}"
        f" ELSE {floor_div(f'({total}) - 1', 'c.step')} END"
    )
    return Range(
        first=f"greatest(0, {floor_div(f'({seen}) - c.size', 'c.step')} + 1)",
        last=f"IF(c.ended, {at_end}, {full})",
    )
