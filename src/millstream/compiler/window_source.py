"""Where the ticks of a window come from: a reference value, or a count of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from millstream.compiler import output
from millstream.compiler.names import identifier, string
from millstream.compiler.output import NO_NUMBERS
from millstream.compiler.rows import BATCH, Rows
from millstream.compiler.windows import (
    COUNTER_ROW,
    MEMBERS,
    clock_join,
    count_range,
    next_counted,
    tick_at,
    tick_of,
)
from millstream.model.layout import passed_name
from millstream.model.schema import Path, ValueType

_MEMBER = "m.window, m.size, m.step, m.tile, m.reach, m.first_window, m.ended, m.windows"


class WindowSource(Protocol):
    """How rows get their ticks, and which windows close in a step."""

    def ticks(self, rows: Rows, columns: str, disordered: bool) -> str:
        """The rows that folds take: tick, and the given columns of batch row b and fold c.

        Rows of a disordered batch have position and closed as well: up to where windows had
        closed before they came.
        """

    def placed(self, slices: str) -> str:
        """The slices t, joined to what is made from their folds, with opens and closes.

        Windows from opens to closes end with this step.
        """

    def next_window(self, slice: str, window: str) -> str:
        """The first window, of all with a size and step, that is open after this step."""

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
        relation = rows.relation(self._with_closed() if disordered else BATCH)
        return self._ticks(relation, "c", columns, disordered)

    def all_ticks(self, table: str, columns: str, disordered: bool) -> str:
        """The rows of the batch, whoever wants them, with columns of theirs and of a row g."""
        source = self._with_closed() if disordered else BATCH
        return self._ticks(f"FROM {source} b CROSS JOIN {table} g", "g", columns, disordered)

    def _ticks(self, relation: str, alias: str, columns: str, disordered: bool) -> str:
        arrival = ", b.position, b.closed" if disordered else ""
        tick = tick_of(self.reference, self.type, alias)
        return f"SELECT * FROM (SELECT {tick} AS tick{arrival}{columns} {relation}) WHERE tick >= 0"

    def behind(self, row: str) -> str:
        """True for a row that came when windows around it may have closed."""
        # A tile may end where its window does: it is behind as soon as the stream is as far.
        return f"{row}.closed >{'=' if self.tiled else ''} {row}.tick"

    def _with_closed(self) -> str:
        """The batch with, for each row, the tick up to which windows had closed before it."""
        passed = f"b.{identifier(passed_name(self.reference))}"
        highest = f"greatest({tick_at(passed, self.type, 'q')}, q.highest)"
        join = clock_join(self.reference)
        return f"(SELECT b.*, {highest} - q.lateness AS closed FROM {BATCH} b{join})"

    def placed(self, slices: str) -> str:
        return (
            f"SELECT t.*, {_MEMBER}, m.opens, m.closes FROM ({slices}) t"
            f" JOIN {MEMBERS} m ON m.fold = t.fold"
        )

    def next_window(self, slice: str, window: str) -> str:
        return f"{window}.next"

    def counters(self, full: bool) -> str:
        return NO_NUMBERS


@dataclass(frozen=True, slots=True)
class CountSource:
    """Ticks that number the rows of a fold, in stream order, from its beginning on."""

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
            f"SELECT coalesce(s.seen, 0) + {number} - 1 AS tick{columns}"
            f" {rows.relation(None, extra)}"
        )

    def placed(self, slices: str) -> str:
        numbered = (
            f"SELECT t.*, sum(t.counted) OVER (PARTITION BY t.fold) AS seen,"
            f" sum(IF(t.fresh, t.n, 0)) OVER (PARTITION BY t.fold) AS arrived FROM ({slices}) t"
        )
        closing = count_range("t.seen", "t.seen + t.arrived", "m")
        return (
            f"SELECT t.*, {_MEMBER}, {closing.first} AS opens, {closing.last} AS closes"
            f" FROM ({numbered}) t JOIN {MEMBERS} m ON m.fold = t.fold"
        )

    def next_window(self, slice: str, window: str) -> str:
        return next_counted(f"{slice}.seen + {slice}.arrived", window)

    def counters(self, full: bool) -> str:
        kept = " OR t.counted > 0" if full else ""
        return f"IF(t.fresh{kept}, array({COUNTER_ROW}L), {NO_NUMBERS})"
