"""The slices that a fold has: those of its batch, and those that the steps before have left.

A row of slices is fold, slice (its first tick), closed and position (of a row that came when
windows around it may have closed), fresh, counted, n, partial aggregates, and what is kept of an
element where contents are asked for. There each element is a slice of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from millstream.compiler import output
from millstream.compiler.alike import Dimension, dimensions_of, run_sql
from millstream.compiler.columns import sql_type
from millstream.compiler.names import string
from millstream.compiler.partials import PartialColumn
from millstream.compiler.rows import Rows
from millstream.compiler.scope import NodeColumn
from millstream.compiler.window_source import TimeSource, WindowSource
from millstream.compiler.windows import CUT_COLUMNS, slice_start
from millstream.errors import InternalError

SEPARATOR = ","
TOGETHER = "$together$"
"""Stands for the view of what tells which items the folds of a signature do not tell apart."""


@dataclass(frozen=True)
class FoldSlices:
    """What a fold is made of."""

    rows: Rows
    source: WindowSource
    node: NodeColumn
    """The windowed element, in the rows."""
    contents: bool

    @property
    def cut(self) -> bool:
        """True when rows are folded into slices; else each row is one."""
        return not (self.contents or self.source.tiled)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """By what items that no fold tells apart can be taken together; none if they cannot."""
        if self.contents or not isinstance(self.source, TimeSource):
            return ()
        return dimensions_of(self.rows.predicates, self.rows.scope())

    def sql(
        self, partials: tuple[PartialColumn, ...], *, disordered: bool, together: bool = False
    ) -> str:
        """All slices; together: of items that are taken together where no fold tells them apart."""
        if self.contents:
            fresh, kept = self._elements(partials, disordered), self._kept_elements(partials)
        else:
            folded = self._folded_together if together else self._folded
            fresh, kept = folded(partials, disordered), self._kept(partials)
        return f"{fresh} UNION ALL {kept}"

    def values(self, partials: tuple[PartialColumn, ...], alias: str) -> tuple[str, ...]:
        """What state tells of a slice; what its partial aggregates are is told by the layout."""
        told = _of_tags(partials) if self.contents else partials
        kept = tuple(f"{alias}.{each.name}" for each in told)
        return tuple(f"CAST({each} AS STRING)" for each in (f"{alias}.n", *kept))

    def content(self, partials: tuple[PartialColumn, ...], alias: str) -> str:
        """What state keeps of a slice beside its values: an element, or the values' layout."""
        if self.contents:
            # What an item itself does not hold stands among the values, in this order.
            names = ", ".join(string(each.name) for each in _of_tags(partials))
            tags = f", array({names}) AS tags" if names else ""
            return f"to_json(struct({alias}.node AS node{tags}))"
        # Which aggregates are asked for changes as channels come and go.
        return string(SEPARATOR.join(each.name for each in partials))

    # New ones.

    def _folded(self, partials: tuple[PartialColumn, ...], disordered: bool) -> str:
        columns = f", c.channel AS fold{self._cuts('c')}{self._added(partials)}"
        ticks = self.source.ticks(self.rows, columns, disordered)
        rows = (
            f"SELECT r.fold, {self._start('r')} AS slice, {self._arrival(disordered)}, 1L AS n"
            f"{_listed('r', partials)} FROM ({ticks}) r"
        )
        return _merged(rows, partials)

    def _folded_together(self, partials: tuple[PartialColumn, ...], disordered: bool) -> str:
        start = slice_start("b.tick", "c") if self.cut else "b.tick"
        wanted = (
            f"SELECT c.channel AS fold, {start} AS slice, b.closed, b.position, b.n"
            f"{_listed('b', partials)} {self.rows.relation(self._groups(partials, disordered))}"
        )
        return _merged(wanted, partials)

    def _groups(self, partials: tuple[PartialColumn, ...], disordered: bool) -> str:
        """Items that no fold tells apart, taken together, with the numbers of one of them."""
        views = [each.view.removeprefix("b.") for each in self.dimensions]
        # In a cell that holds a constant, only equal numbers are on the same side of it.
        told = "".join(
            f", r.run{place}, IF(r.run{place} IS NULL, r.{view}, NULL) AS own{place}, r.{view}"
            for place, view in enumerate(views)
        )
        rows = (
            f"SELECT {self._start('r')} AS tick, {self._arrival(disordered)}{told}"
            f"{_listed('r', partials)} FROM ({self._in_runs(partials, disordered)}) r"
        )
        keys = "".join(f", run{place}, own{place}" for place in range(len(views)))
        any_of = "".join(f", min({view}) AS {view}" for view in views)
        return (
            f"(SELECT tick, closed, position{any_of}, count(1) AS n{_aggregated(partials)}"
            f" FROM ({rows}) GROUP BY tick, closed, position{keys})"
        )

    def _in_runs(self, partials: tuple[PartialColumn, ...], disordered: bool) -> str:
        """All items, with the runs that their numbers are in."""
        if not isinstance(self.source, TimeSource):
            raise InternalError("only items that have a time are taken together")
        runs = "".join(
            f", {run_sql(each, place, 'g')} AS run{place}, {each.view}"
            for place, each in enumerate(self.dimensions)
        )
        columns = f"{self._cuts('g')}{runs}{self._added(partials)}"
        return self.source.all_ticks(TOGETHER, columns, disordered)

    def _added(self, partials: tuple[PartialColumn, ...]) -> str:
        """What each row adds to the partial aggregates."""
        return "".join(f", {each.contribution(self.node)} AS {each.name}" for each in partials)

    def _cuts(self, alias: str) -> str:
        return "".join(f", {alias}.{name}" for name in CUT_COLUMNS) if self.cut else ""

    def _start(self, alias: str) -> str:
        return slice_start(f"{alias}.tick", alias) if self.cut else f"{alias}.tick"

    def _elements(self, partials: tuple[PartialColumn, ...], disordered: bool) -> str:
        ordering = output.array(tuple(self.rows.ordering))
        columns = f", c.channel AS fold, {ordering} AS ordering, {self.node.sql} AS node"
        columns += self._added(_of_tags(partials))
        return (
            f"SELECT r.fold, r.tick AS slice, {self._arrival(disordered)}, true AS fresh,"
            f" 0L AS counted, 1L AS n{self._from_node(partials, 'r')}, r.ordering, r.node"
            f" FROM ({self.source.ticks(self.rows, columns, disordered)}) r"
        )

    def _arrival(self, disordered: bool) -> str:
        """How far windows had closed, and the position, of a row r that may be late."""
        if not disordered or not isinstance(self.source, TimeSource):
            return "CAST(NULL AS BIGINT) AS closed, CAST(NULL AS BIGINT) AS position"
        behind = self.source.behind("r")
        return f"IF({behind}, r.closed, NULL) AS closed, IF({behind}, r.position, NULL) AS position"

    # Those of the steps before.

    def _kept(self, partials: tuple[PartialColumn, ...]) -> str:
        values = "".join(
            f", try_cast(get(values, nullif(array_position(layout, '{each.name}'), 0))"
            f" AS {each.sql_type}) AS {each.name}"
            for each in partials
        )
        state = f"SELECT *, split(content, '{SEPARATOR}') AS layout {self._state()}"
        return f"SELECT {self._known()}{values} FROM ({state})"

    def _kept_elements(self, partials: tuple[PartialColumn, ...]) -> str:
        tags = _of_tags(partials)
        listed = ", tags: ARRAY<STRING>" if tags else ""
        content_type = f"STRUCT<node: {sql_type(self.node.element)}{listed}>"
        kept = f"from_json(content, {string(content_type)})"
        told = "".join(
            f", get(values, nullif(array_position({kept}.tags, '{each.name}'), 0)) AS {each.name}"
            for each in tags
        )
        names = "".join(f", {each.name}" for each in partials)
        columns = "fold, slice, closed, position, fresh, counted, n"
        inner = f"SELECT {self._known()}, ordering, {kept}.node AS node{told} {self._state()}"
        return (
            f"SELECT {columns}{names}, ordering, node"
            f" FROM (SELECT {columns}, ordering, node{self._from_node(partials, 'k')}"
            f" FROM ({inner}) k)"
        )

    def _known(self) -> str:
        def of(role: str, otherwise: str, value: str) -> str:
            return f"IF(role = '{role}', {value}, {otherwise})"

        number = "try_cast(get(values, 0) AS BIGINT)"
        return (
            f"channel AS fold, {of(self.role, 'NULL', 'tick')} AS slice,"
            f" CAST(NULL AS BIGINT) AS closed, CAST(NULL AS BIGINT) AS position, false AS fresh,"
            f" {of(output.COUNTER, '0L', number)} AS counted, {of(self.role, '0L', number)} AS n"
        )

    def _state(self) -> str:
        # State of other folds is read as well, as nulls, and goes with the join to channels.
        return f"FROM state WHERE role IN ('{self.role}', '{output.COUNTER}')"

    @property
    def role(self) -> str:
        """What the state of a slice is called."""
        return output.ITEM if self.contents else output.SLICE

    def _from_node(self, partials: tuple[PartialColumn, ...], alias: str) -> str:
        """What the element of a row contributes; what is known of its tags stands beside it."""
        column = NodeColumn(f"{alias}.node", self.node.element)
        return "".join(
            f", {f'{alias}.{each.name}' if each.of_tags else each.contribution(column)}"
            f" AS {each.name}"
            for each in partials
        )


def _merged(rows: str, partials: tuple[PartialColumn, ...]) -> str:
    """Rows of fold, slice, closed, position, n and partials, folded into new slices."""
    return (
        f"SELECT fold, slice, closed, position, true AS fresh, 0L AS counted, sum(n) AS n"
        f"{_aggregated(partials)} FROM ({rows}) GROUP BY fold, slice, closed, position"
    )


def _aggregated(partials: tuple[PartialColumn, ...]) -> str:
    return "".join(f", {each.merged()} AS {each.name}" for each in partials)


def _listed(alias: str, partials: tuple[PartialColumn, ...]) -> str:
    return "".join(f", {alias}.{each.name}" for each in partials)


def _of_tags(partials: tuple[PartialColumn, ...]) -> tuple[PartialColumn, ...]:
    return tuple(each for each in partials if each.of_tags)
