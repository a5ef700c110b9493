"""The ways through holes, from rows of some tables down to what fills the last ones."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from millstream.algebra.xcql.expressions import Places
from millstream.compiler.history.catalog import Catalog
from millstream.compiler.history.lifespans import Lifespan
from millstream.compiler.history.statement import Statement
from millstream.compiler.names import identifier
from millstream.model.filler_layout import from_of, hole_of
from millstream.model.schema import Path
from millstream.model.tag_structure import TagType

Holder = tuple[int, Path]
"""A table, and the path in its rows that holes are looked for below."""
_PARENT = "parent_table, parent_id, parent_version, "


class Hops:
    """A part with a row for each hole that is come to: what it is in, what it is for, the order.

    From the root, each hole is there once, however many versions above it have it.
    """

    def __init__(
        self,
        catalog: Catalog,
        statement: Statement,
        stream: str,
        holders: Iterable[Holder],
        targets: Places,
        window: Lifespan | None = None,
        from_root: bool = False,
    ) -> None:
        self.statement = statement
        self.tables = catalog.streams[stream]
        self.window = window
        self.from_root = from_root
        ends = dict.fromkeys(catalog.table(each)[0] for each in sorted(targets))
        found = (self._route(holder, end) for holder in dict.fromkeys(holders) for end in ends)
        self.routes = tuple(dict.fromkeys(route for route in found if route))
        self.name = statement.add("hops", self._write)

    def _route(self, holder: Holder, end: int) -> tuple[int, ...]:
        """The tables from a holder's, which is the first, to another; none if there is no way."""
        table, path = holder
        structure = self.tables.structure
        line = structure.line(end)
        ids = [tag.id for tag in line if tag.id in self.tables.views]
        if table not in ids[:-1]:
            return ()
        names = structure.path(end)[len(structure.path(table)) :]
        return tuple(ids[ids.index(table) :]) if names[: len(path)] == path else ()

    def _write(self) -> str:
        together = "\nUNION ALL\n".join(self._along(route) for route in self.routes)
        if self.from_root:
            return f"SELECT hole, min(o) AS o FROM (\n{together}\n) GROUP BY hole"
        if all(len(route) == 2 for route in self.routes):
            return together
        columns = f"{_PARENT}child_table, hole"
        return f"SELECT {columns}, min(o) AS o FROM (\n{together}\n) GROUP BY {columns}"

    def _along(self, route: tuple[int, ...]) -> str:
        rows = ""
        for above, below in pairwise(route):
            rows = self._hop(rows, above, below)
        return rows

    def _hop(self, before: str, above: int, below: int) -> str:
        """The holes in what fills those of the rows before; without these, in all rows."""
        structure, view = self.tables.structure, self.tables.views[above]
        names = structure.path(below)[len(structure.path(above)) :]
        hole, begin = (f"t.{identifier(of(names))}" for of in (hole_of, from_of))
        place = f"CAST(get({begin}, e.p) AS BIGINT)"
        if before:
            parent = "u.parent_table, u.parent_id, u.parent_version"
            rows = f"(\n{before}\n) u JOIN {view} t ON t.id = u.hole"
            order = f"concat(u.o, array(CAST(t.version AS BIGINT), {place}))"
        else:
            parent = f"{above} AS parent_table, t.id AS parent_id, t.version AS parent_version"
            rows = f"{view} t"
            version = "CAST(t.version AS BIGINT), " if self.from_root else ""
            order = f"array({version}{place})"
        type = structure.tag(above).type
        within = f" WHERE {lifespan_of(type).meets(self.window)}" if self.window else ""
        sql = (
            f"SELECT {parent}, {below} AS child_table, e.hole, {order} AS o FROM {rows} "
            f"LATERAL VIEW posexplode({hole}) e AS p, hole{within}"
        )
        return self.statement.reading(view, sql)


def lifespan_of(type: TagType, rows: str = "t") -> Lifespan:
    """The lifespan of the rows of a table of some type."""
    return Lifespan(f"{rows}.begin", f"{rows}.until", "true" if type is TagType.EVENT else "false")
