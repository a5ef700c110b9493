"""Rows folded into slices, once for all channels that ask for the same rows, and into windows.

One grouping gives the windows that close (k ≥ 0) and the rows that the next steps need (k < 0).
Equal windows are made once, whatever is asked of them. What a step adds to the state of a fold is
what its own batch brought, unless it writes the state in full.

Channels come and go, and with them edges. Slices of the steps before may be coarser than those of
a new channel's windows; but its windows start after every tick that had been seen when it came,
so no slice of those steps is part of them:

  t   0    10   20   30   40
      [s0       [s1     ↑                  slices before, up to the highest tick seen
                          [w0       )      the new channel's first window
      [s0       [s1       [s2  [s3  )      slices since
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from millstream.compiler import output
from millstream.compiler.fold_slices import FoldSlices
from millstream.compiler.output import NO_NUMBERS
from millstream.compiler.partials import PartialColumn
from millstream.compiler.windows import (
    COUNTER_ROW,
    LATE_ROW,
    STATE_ROW,
    first_window,
    last_window,
    paved,
)

Columns = tuple[PartialColumn, ...]


@dataclass(frozen=True)
class Fold:
    """What windows do to the rows of their input."""

    slices: FoldSlices

    @cached_property
    def signature(self) -> str:
        """The same for folds that take the same rows in the same way, but for constants."""
        slices, rows = self.slices, self.slices.rows
        parts = (
            rows.source,
            *rows.lateral,
            *rows.where,
            rows.constants.columns(),
            slices.source,
            slices.contents,
            slices.node,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def sql(
        self, partials: Columns, *, disordered: bool, full: bool, together: bool = False
    ) -> str:
        """Rows of fold, window, k, slice, late, n, partials, and the contents if kept.

        Together: items that no fold tells apart are taken together first.
        """
        contents = self.slices.contents
        keys = f"CASE k WHEN {STATE_ROW} THEN slice WHEN {LATE_ROW} THEN reached END AS slice"
        keys += f", IF(k = {LATE_ROW}, position, NULL) AS late"
        if contents:
            keys += f", IF(k = {STATE_ROW}, ordering, NULL) AS own, ordering, node"
        merged = "".join(f", {each.merged()} AS {each.name}" for each in partials)
        collected = f", {_COLLECTED} AS contents, first(node) AS node" if contents else ""
        group = "fold, window, k, slice, late" + (", own" if contents else "")
        counted = f"IF(k = {COUNTER_ROW}, n + counted, n) AS n"
        names = "".join(f", {each.name}" for each in partials)
        slices = self.slices.sql(partials, disordered=disordered, together=together)
        spread = self._spread(slices, disordered, full)
        return (
            f"SELECT {group}, sum(n) AS n{merged}{collected}"
            f" FROM (SELECT fold, window, k, {keys}, {counted}{names}"
            f" FROM ({spread}) LATERAL VIEW explode(ks) x AS k) GROUP BY {group}"
        )

    def state_row(self, partials: Columns, alias: str) -> tuple[str, str, str, str]:
        """Role, ordering, values and content of a state row, as SQL."""
        slices = self.slices
        counter = f"{alias}.k = {COUNTER_ROW}"
        role = f"IF({counter}, '{output.COUNTER}', '{slices.role}')"
        own = f"{alias}.own" if slices.contents else "NULL"
        content = f"IF({counter}, NULL, {slices.content(partials, alias)})"
        return role, own, output.array(slices.values(partials, alias)), content

    def _spread(self, slices: str, disordered: bool, full: bool) -> str:
        """Each slice with the windows or state rows that it goes into, as the array ks."""
        source = self.slices.source
        kept = (
            f"concat(IF({self._stays(full)}, array({STATE_ROW}L), {NO_NUMBERS}),"
            f" {source.counters(full)})"
        )
        windows = "sequence(t.first, t.last)"
        if source.tiled:
            windows = paved(windows, "t.slice", "t")
        given = f"IF(t.slice IS NOT NULL AND t.first <= t.last, {windows}, {NO_NUMBERS})"
        if disordered:
            given = f"concat({given}, IF({_LATE}, array({LATE_ROW}L), {NO_NUMBERS}))"
        first = f"greatest(t.begins, t.opens{', t.opened' if disordered else ''})"
        bounded = f"SELECT t.*, {first} AS first, least(t.ends, t.closes) AS last"
        return (
            f"SELECT t.*, IF(t.window = 0, {kept}, {given}) AS ks"
            f" FROM ({bounded} FROM ({self._placed(slices, disordered)}) t) t"
        )

    def _placed(self, slices: str, disordered: bool) -> str:
        """Each slice with the windows that hold it, and which of these close now."""
        source = self.slices.source
        columns = (
            f"{first_window('t.slice', 't', tiled=source.tiled)} AS begins,"
            f" {last_window('t.slice', 't')} AS ends"
        )
        if disordered:
            # The first window that was still open when the row came.
            opened = output.floor_div("t.closed + t.reach - t.size", "t.step")
            columns += f", {opened} + 1 AS opened"
        placed = f"SELECT t.*, {columns} FROM ({source.placed(slices)}) t"
        return f"SELECT t.*, {self._reached(disordered)} AS reached FROM ({placed}) t"

    def _stays(self, full: bool) -> str:
        """True if a window of some channel that is still open needs slice t."""
        source = self.slices.source
        begins = first_window("t.slice", "w", tiled=source.tiled)
        first = f"greatest({begins}, {source.next_window('t', 'w')})"
        needed = f"exists(t.windows, w -> {first} <= {last_window('t.slice', 'w')})"
        fresh = "" if full else "t.fresh AND "
        return f"t.slice IS NOT NULL AND {fresh}NOT t.ended AND {needed}"

    def _reached(self, disordered: bool) -> str:
        """The last window that row t belongs to, of those that somebody may be given."""
        if not disordered:
            return "CAST(NULL AS BIGINT)"
        first = "greatest(t.begins, t.first_window)"
        if not self.slices.source.tiled:
            return f"IF({first} <= t.ends, t.ends, NULL)"
        windows = f"IF({first} <= t.ends, sequence({first}, t.ends), {NO_NUMBERS})"
        return f"array_max({paved(windows, 't.slice', 't')})"


_LATE = "t.position IS NOT NULL AND t.opened > t.reached"
"""True if all windows that row t belongs to had closed when it came."""

_COLLECTED = (
    "transform(sort_array(collect_list(IF(k >= 0, struct(ordering, node), NULL))), e -> e.node)"
)
