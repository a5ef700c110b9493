"""Rows folded into windows.

Where aggregates suffice, rows are first folded into slices, and slices into windows. Where the
contents are asked for, each row is a slice of its own. One grouping gives the windows that close
(k ≥ 0) and the rows that the next steps need (k < 0); the state that a step adds is what its own
batch brought, unless it writes the state in full.
"""

from __future__ import annotations

from dataclasses import dataclass

from millstream.compiler import output
from millstream.compiler.columns import sql_type
from millstream.compiler.output import NO_NUMBERS
from millstream.compiler.partials import Partials
from millstream.compiler.rows import Rows
from millstream.compiler.scope import NodeColumn, Scope
from millstream.compiler.window_source import WindowSource, late, open_window
from millstream.compiler.windows import (
    COUNTER_ROW,
    LATE_ROW,
    STATE_ROW,
    first_window,
    last_window,
    paved,
    slice_start,
)


@dataclass(frozen=True, slots=True)
class Fold:
    """What a window does to the rows of its input."""

    rows: Rows
    source: WindowSource
    partials: Partials
    variable: str
    """The variable of the windowed element."""
    contents: bool

    def sql(self, *, disordered: bool, full: bool) -> str:
        """Rows of channel, k, size, step, slice, late, n, partials, and the contents if kept."""
        keys = f"IF(k = {STATE_ROW}, slice, NULL) AS slice, IF(k = {LATE_ROW}, late, NULL) AS late"
        if self.contents:
            keys += f", IF(k = {STATE_ROW}, ordering, NULL) AS own, ordering, node"
        merged = "".join(f", {each.merged()} AS {each.name}" for each in self.partials.columns)
        collected = f", {_COLLECTED} AS contents, first(node) AS node" if self.contents else ""
        group = "channel, k, slice, late" + (", own" if self.contents else "")
        counted = f"IF(k = {COUNTER_ROW}, n + counted, n) AS n"
        names = "".join(f", {each.name}" for each in self.partials.columns)
        spread = self._spread(disordered, full)
        return (
            f"SELECT {group}, first(size) AS size, first(step) AS step, sum(n) AS n"
            f"{merged}{collected} FROM (SELECT channel, size, step, k, {keys}, {counted}{names}"
            f" FROM ({spread}) LATERAL VIEW explode(ks) x AS k) GROUP BY {group}"
        )

    def state_row(self, alias: str) -> tuple[str, str, str, str]:
        """Role, ordering, values and content of a state row, as SQL."""
        counter = f"{alias}.k = {COUNTER_ROW}"
        own = output.ITEM if self.contents else output.SLICE
        role = f"IF({counter}, '{output.COUNTER}', '{own}')"
        texts = (f"{alias}.n", *(f"{alias}.{each.name}" for each in self.partials.columns))
        values = output.array(tuple(f"CAST({each} AS STRING)" for each in texts))
        if not self.contents:
            return role, "NULL", values, "NULL"
        content = f"IF({counter}, NULL, to_json(struct({alias}.node AS node)))"
        return role, f"{alias}.own", values, content

    def _spread(self, disordered: bool, full: bool) -> str:
        """Each slice with the windows and state rows that it goes into, as the array ks."""
        on_time = "t.slice IS NOT NULL AND t.late IS NULL"
        fresh = "true" if full else "t.fresh"
        wanted = "NOT t.ended AND t.begins <= t.ends AND t.ends > t.closes"
        stays = f"{on_time} AND {fresh} AND {wanted}"
        windows = "sequence(t.first, t.last)"
        if self.source.tiled:
            windows = paved(windows, "t.slice", "t.tile", "t.step")
        ks = (
            f"concat(IF({on_time} AND t.first <= t.last, {windows}, {NO_NUMBERS}),"
            f" IF({stays}, array({STATE_ROW}L), {NO_NUMBERS}), {self.source.counters(full)},"
            f" IF(t.late IS NOT NULL, array({LATE_ROW}L), {NO_NUMBERS}))"
        )
        first = "greatest(t.begins, coalesce(t.open_window, 0), t.opens)"
        bounded = f"SELECT t.*, {first} AS first, least(t.ends, t.closes) AS last"
        return f"SELECT t.*, {ks} AS ks FROM ({bounded} FROM ({self._placed(disordered)}) t) t"

    def _placed(self, disordered: bool) -> str:
        """Each slice with the windows that hold it, and those of its channel that close now."""
        slices = f"{self._fresh(disordered)} UNION ALL {self._kept()}"
        begins, tile = first_window("t.slice", tiled=self.source.tiled), ""
        if self.source.tiled:
            tile = "c.tile, "
        windows = f"{begins} AS begins, {last_window('t.slice')} AS ends"
        return self.source.placed(slices, f"c.size, c.step, {tile}{windows}")

    def _fresh(self, disordered: bool) -> str:
        """The slices of this batch."""
        if self.contents:
            return self._fresh_items(disordered)
        given = self.rows.scope()
        added = "".join(
            f", {each.contribution(given)} AS {each.name}" for each in self.partials.columns
        )
        merged = "".join(f", {each.merged()} AS {each.name}" for each in self.partials.columns)
        start = "c.tick" if self.source.tiled else slice_start("c.tick")
        return (
            f"SELECT channel, slice, open_window, late, true AS fresh, 0L AS counted,"
            f" count(1) AS n{merged} FROM (SELECT c.*, {start} AS slice,"
            f" {self._lateness(disordered)}"
            f" FROM ({self.source.ticks(self.rows, added, disordered)}) c)"
            f" GROUP BY channel, slice, open_window, late"
        )

    def _fresh_items(self, disordered: bool) -> str:
        node = self.rows.variables[self.variable].sql
        columns = f", {output.array(tuple(self.rows.ordering))} AS ordering, {node} AS node"
        return (
            f"SELECT c.channel, c.tick AS slice, {self._lateness(disordered)},"
            f" true AS fresh, 0L AS counted, 1L AS n,"
            f" c.ordering, c.node{self._from_node('c.node')}"
            f" FROM ({self.source.ticks(self.rows, columns, disordered)}) c"
        )

    def _lateness(self, disordered: bool) -> str:
        tiled = self.source.tiled
        return f"{open_window(disordered, tiled)} AS open_window, {late(disordered, tiled)} AS late"

    def _kept(self) -> str:
        """The slices and counters of the steps before."""
        role = output.ITEM if self.contents else output.SLICE
        counts = (
            f"SELECT channel, IF(role = '{role}', tick, NULL) AS slice,"
            f" CAST(NULL AS BIGINT) AS open_window, CAST(NULL AS BIGINT) AS late, false AS fresh,"
            f" IF(role = '{output.COUNTER}', try_cast(get(values, 0) AS BIGINT), 0L) AS counted,"
            f" IF(role = '{role}', try_cast(get(values, 0) AS BIGINT), 0L) AS n"
        )
        # State of other signatures is read as well, as nulls, and goes with the join to channels.
        relation = f"FROM state WHERE role IN ('{role}', '{output.COUNTER}')"
        if not self.contents:
            return f"{counts}{self._from_values()} {relation}"
        node_type = sql_type(self._node().element)
        node = f"from_json(content, 'STRUCT<node: {_quoted(node_type)}>').node"
        names = "".join(f", {each.name}" for each in self.partials.columns)
        columns = "channel, slice, open_window, late, fresh, counted, n, ordering, node"
        return (
            f"SELECT {columns}{names} FROM (SELECT k.*{self._from_node('k.node')}"
            f" FROM ({counts}, ordering, {node} AS node {relation}) k)"
        )

    def _from_values(self) -> str:
        return "".join(
            f", try_cast(get(values, {index}) AS {each.sql_type}) AS {each.name}"
            for index, each in enumerate(self.partials.columns, start=1)
        )

    def _from_node(self, node: str) -> str:
        scope: Scope = {
            **self.rows.scope(),
            self.variable: NodeColumn(node, self._node().element),
        }
        return "".join(
            f", {each.contribution(scope)} AS {each.name}" for each in self.partials.columns
        )

    def _node(self) -> NodeColumn:
        column = self.rows.variables[self.variable]
        assert isinstance(column, NodeColumn), "a window holds nodes"
        return column


_COLLECTED = (
    "transform(sort_array(collect_list(IF(k >= 0, struct(ordering, node), NULL))), e -> e.node)"
)


def _quoted(type: str) -> str:
    return type.replace("\\", "\\\\").replace("'", "\\'")
