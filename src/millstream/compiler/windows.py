"""Windows in SQL: which windows a tick lies in, which of them close in a step, and slices.

Window k of size Δ and step μ is the ticks [kμ, kμ+Δ), k ≥ 0. A slice begins at the last edge of
a window at or before a tick, so all ticks of a slice lie in the same windows (see model/slices.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from millstream.compiler.names import identifier, string
from millstream.compiler.output import floor_div
from millstream.model.layout import view_name
from millstream.model.schema import Path, ValueType
from millstream.model.slices import MOST_CUTS
from millstream.model.window import EndRule

CLOCK = "clock"
"""The view with one row for each reference path: how far its stream has come."""

CLOCK_COLUMNS = (
    ("reference", "STRING"),
    ("highest", "BIGINT"),
    ("lateness", "BIGINT"),
    ("anchor", "DECIMAL(38,18)"),
    ("step", "BIGINT"),
    ("now", "BIGINT"),
    ("ended", "BOOLEAN"),
)
CUT_COLUMNS = tuple(f"{name}{place}" for place in range(MOST_CUTS) for name in ("period", "offset"))
FOLD_COLUMNS = (("anchor", "DECIMAL(38,18)"), *((name, "BIGINT") for name in CUT_COLUMNS))
"""What a fold knows of the time of its stream, and where it cuts."""
MEMBERS = "$members$"
"""Stands for the view of the windows that are made from a signature's folds."""
READERS = "$readers$"
"""Stands for the view of the channels that are given these windows."""
WINDOWS = "ARRAY<STRUCT<size: BIGINT, step: BIGINT, tile: BIGINT, next: BIGINT>>"
MEMBER_COLUMNS = (
    ("fold", "INT"),
    ("window", "INT"),
    ("size", "BIGINT"),
    ("step", "BIGINT"),
    ("tile", "BIGINT"),
    ("reach", "BIGINT"),
    ("first_window", "BIGINT"),
    ("opens", "BIGINT"),
    ("closes", "BIGINT"),
    ("ending", "STRING"),
    ("ended", "BOOLEAN"),
    ("windows", WINDOWS),
)
"""What there is to know of windows, and of the progress that their stream makes in this step.

Windows are numbered within their fold. Number 0 is the fold itself, which has the list of all,
each with the first window that is open after this step.
"""
READER_COLUMNS = (
    ("fold", "INT"),
    ("window", "INT"),
    ("channel", "INT"),
    ("form", "INT"),
    ("size", "BIGINT"),
    ("step", "BIGINT"),
    ("first_window", "BIGINT"),
    ("opens", "BIGINT"),
    ("empty", "BOOLEAN"),
)
"""What a channel is given: the windows of a number, from the first that it opens on.

What is given to the fold itself is its state; its number is one among those of channels.
"""

# What one exploded row of the last grouping stands for, beside the windows k ≥ 0.
STATE_ROW = -1
COUNTER_ROW = -2
LATE_ROW = -3


@dataclass(frozen=True, slots=True)
class Range:
    """The windows that a channel emits in this step: from and to, as SQL."""

    first: str
    last: str


def first_window(tick: str, member: str, *, tiled: bool = False) -> str:
    """The first window of a member that holds a tick, or the whole tile that starts there."""
    last = f"({tick}) + {member}.tile - 1" if tiled else f"({tick})"
    return f"greatest(0, {floor_div(f'{last} - {member}.size', f'{member}.step')} + 1)"


def last_window(tick: str, member: str) -> str:
    """The last window that holds a tick; below the first where ticks lie between windows."""
    return floor_div(tick, f"{member}.step")


def paved(ks: str, tick: str, member: str) -> str:
    """Of an array of windows, those that a tile which starts at a tick helps to pave."""
    return f"filter({ks}, k -> pmod({tick} - k * {member}.step, {member}.tile) = 0)"


def slice_start(tick: str, fold: str) -> str:
    """The last edge at or before a tick at which a fold cuts."""
    # Cuts that a fold has no need of are null, and greatest leaves out nulls.
    edges = (
        f"{tick} - pmod({tick} - {fold}.offset{place}, {fold}.period{place})"
        for place in range(MOST_CUTS)
    )
    return f"greatest({', '.join(edges)})"


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


def count_range(seen: str, total: str, member: str) -> Range:
    """The windows of an item-based channel that close when it goes from seen to total items."""
    size, step = f"{member}.size", f"{member}.step"
    full = floor_div(f"({total}) - {size}", step)
    gather = f"greatest(0, {floor_div(f'({total}) - {size} + {step} - 1', step)})"
    at_end = (
        f"CASE {member}.ending WHEN {string(EndRule.CUT.value)} THEN {full}"
        f" WHEN {string(EndRule.GATHER.value)} THEN {gather}"
        f" ELSE {floor_div(f'({total}) - 1', step)} END"
    )
    return Range(first=next_counted(seen, member), last=f"IF({member}.ended, {at_end}, {full})")


def next_counted(seen: str, member: str) -> str:
    """The first item-based window of a member that so many items leave open."""
    return f"greatest(0, {floor_div(f'({seen}) - {member}.size', f'{member}.step')} + 1)"
