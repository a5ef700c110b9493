"""Where the ticks of a window come from: a reference value, or a count of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from millstream.compiler import output
from millstream.compiler.names import identifier, string
from millstream.compiler.output import NO_NUMBERS
from millstream.compiler.rows import BATCH, CHANNELS, Rows
from millstream.compiler.windows import (
    COUNTER_ROW,
    clock_join,
    count_range,
    first_window,
    last_window,
    paved,
    tick_at,
    tick_of,
)
from millstream.model.layout import passed_name
from millstream.model.schema import Path, ValueType

_CHANNEL = "c.channel, c.size, c.step, c.first_window"


class WindowSource(Protocol):
    """How rows get their ticks, and which windows close in a step."""

    def ticks(self, rows: Rows, columns: str, disordered: bool) -> str:
        """The batch's rows: _CHANNEL, tick, position, closed, and the given columns."""

    def placed(self, slices: str, columns: str) -> str:
        """The slices t, joined to their channels c, with columns of both and opens, closes, ended.

        Of a channel's windows, those from opens to closes end with this step.
        """

    def counters(self, full: bool) -> str:
        """The counter row, if any, that a slice t adds to, as an SQL array."""

    @property
    def tiled(self) -> bool:
        """True when the items are windows themselves, of the channel's tile."""


@dataclass(frozen=True, slots=True)
class TimeSource:
    """Ticks from a reference value that does not decrease, but for the stream's lateness."""

    reference: Path
    type: ValueType
    tiled: bool = False

    def ticks(self, rows: Rows, columns: str, disordered: bool) -> str:
        source = self._with_closed() if disordered else BATCH
        # A tile that has been seen brings its stream to the tile's end.
        closed = "b.closed + c.tile" if self.tiled else "b.closed"
        closed = closed if disordered else "CAST(NULL AS BIGINT)"
        tick = tick_of(self.reference, self.type)
        relation = rows.relation(source)
        return (
            f"SELECT * FROM (SELECT {_CHANNEL}{', c.tile' if self.tiled else ''}, {tick} AS tick,"
            f" b.position AS position, {closed} AS closed{columns} {relation}) WHERE tick >= 0"
        )

    def _with_closed(self) -> str:
        """The batch with, for each row, the tick up to which windows had closed before it."""
        passed = f"b.{identifier(passed_name(self.reference))}"
        highest = f"greatest({tick_at(passed, self.type, 'q')}, q.highest)"
        join = clock_join(self.reference)
        return f"(SELECT b.*, {highest} - q.lateness AS closed FROM {BATCH} b{join})"

    def placed(self, slices: str, columns: str) -> str:
        return (
            f"SELECT t.*, c.opens, c.closes, c.ended, {columns} FROM ({slices}) t"
            f" JOIN {CHANNELS} c ON c.channel = t.channel"
        )

    def counters(self, full: bool) -> str:
        return NO_NUMBERS


@dataclass(frozen=True, slots=True)
class CountSource:
    """Ticks that number the rows of a channel, in stream order, from its registration on."""

    @property
    def tiled(self) -> bool:
        return False

    def ticks(self, rows: Rows, columns: str, disordered: bool) -> str:
        order = ", ".join(rows.ordering)
        number = f"row_number() OVER (PARTITION BY c.channel ORDER BY {order})"
        seen = (
            f"SELECT channel, sum(try_cast(get(values, 0) AS BIGINT)) AS seen FROM state"
            f" WHERE role = {string(output.COUNTER)} GROUP BY channel"
        )
        extra = f" LEFT JOIN ({seen}) s ON s.channel = c.channel"
        return (
            f"SELECT {_CHANNEL}, coalesce(s.seen, 0) + {number} - 1 AS tick,"
            f" b.position AS position, CAST(NULL AS BIGINT) AS closed{columns}"
            f" {rows.relation(None, extra)}"
        )

    def placed(self, slices: str, columns: str) -> str:
        numbered = (
            f"SELECT t.*, sum(t.counted) OVER (PARTITION BY t.channel) AS seen,"
            f" sum(IF(t.fresh, t.n, 0)) OVER (PARTITION BY t.channel) AS arrived FROM ({slices}) t"
        )
        closing = count_range("t.seen", "t.seen + t.arrived")
        return (
            f"SELECT t.*, {closing.first} AS opens, {closing.last} AS closes, c.ended, {columns}"
            f" FROM ({numbered}) t JOIN {CHANNELS} c ON c.channel = t.channel"
        )

    def counters(self, full: bool) -> str:
        kept = " OR t.counted > 0" if full else ""
        return f"IF(t.fresh{kept}, array({COUNTER_ROW}L), {NO_NUMBERS})"


def open_window(disordered: bool, tiled: bool) -> str:
    """The first window that was still open when row c arrived; null if all of its were."""
    if not disordered:
        return "CAST(NULL AS BIGINT)"
    opened = _opened()
    return f"IF({opened} > {first_window('c.tick', tiled=tiled)}, {opened}, NULL)"


def late(disordered: bool, tiled: bool) -> str:
    """The position of row c if all windows that it belongs to had closed, else null."""
    if not disordered:
        return "CAST(NULL AS BIGINT)"
    first, last = first_window("c.tick", tiled=tiled), last_window("c.tick")
    own = f"greatest({first}, c.first_window)"
    if not tiled:
        return f"IF({own} <= {last} AND {_opened()} > {last}, c.position, NULL)"
    ks = paved(
        f"IF({own} <= {last}, sequence({own}, {last}), {NO_NUMBERS})", "c.tick", "c.tile", "c.step"
    )
    return f"IF({_opened()} > array_max({ks}), c.position, NULL)"


def _opened() -> str:
    closed = output.floor_div("c.closed - c.size", "c.step")
    return f"coalesce({closed} + 1, 0)"
