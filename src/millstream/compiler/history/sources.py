"""Nodes as rows: the tables that they stand in, and only the columns that are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from millstream.algebra.xcql.expressions import Place, Places
from millstream.compiler.history.catalog import Catalog
from millstream.compiler.history.columns import EMPTY, listed, own
from millstream.compiler.history.hops import Hops, lifespan_of
from millstream.compiler.history.lifespans import Lifespan
from millstream.compiler.history.statement import Statement
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.compiler.names import identifier, string
from millstream.model.filler_layout import from_of, to_of
from millstream.model.schema import Path
from millstream.model.tag_structure import TagType

_EMPTY = {"attribute": "STRING", "text": "STRING", "from": "INT", "to": "INT", "xml": "STRING"}


class Asked(NamedTuple):
    """A column that is asked for: of the node itself, or of what is at a path below it."""

    kind: str
    path: Path = ()
    name: str = ""
    targets: Places = frozenset()
    window: Lifespan | None = None


class Branch(NamedTuple):
    """The elements of one place: the rows of a table, or what stands at a path in them."""

    place: Place
    table: int
    path: Path


@dataclass(frozen=True, slots=True)
class Reach:
    """How nodes are come to: from the root down, within a window that is the same for all."""

    window: Lifespan | None = None


class Source:
    """The nodes of some places of one stream, one a row."""

    def __init__(
        self, catalog: Catalog, statement: Statement, places: Places, reach: Reach | None = None
    ) -> None:
        streams = {place.stream for place in places}
        if len(streams) != 1:
            raise Untranslatable("nodes of several streams in one sequence")
        self.catalog = catalog
        self.statement = statement
        self.places = places
        self.reach = reach
        (self.stream,) = streams
        self.tables = catalog.streams[self.stream]
        self.branches = tuple(
            Branch(place, *catalog.table(place))
            for place in sorted(places, key=lambda each: each.tag or 0)
        )
        self._columns: dict[Asked, str] = {}
        self._parts: dict[Asked, str] = {}
        self._children: dict[Places, Source] = {}
        self.name = statement.add("source", self._write)

    def column(self, asked: Asked) -> str:
        """The name of a column of this source's rows."""
        if asked not in self._columns:
            self._columns[asked] = self.statement.fresh("c")
            if asked.kind == "holes":
                self._hole_part(asked)
            if asked.kind == "xml":
                self._fill_parts(asked)
        return self._columns[asked]

    def columns(self) -> tuple[str, ...]:
        """The columns that were asked for so far."""
        return tuple(self._columns.values())

    def child(self, targets: Places) -> Source:
        """The source of what fills the holes on the way to some places."""
        if targets not in self._children:
            self._children[targets] = Source(self.catalog, self.statement, targets)
        return self._children[targets]

    def order_by_way(self) -> None:
        """Let the order be told by the ways from the root, which tell that of all nodes."""
        if self.reach is None:
            self.reach = Reach()

    def is_single(self, path: Path) -> bool:
        """True if every node has at most one element at a path."""
        return all(
            self.catalog.is_single(self.stream, branch.table, (*branch.path, *path))
            for branch in self.branches
        )

    def is_plain(self, path: Path) -> bool:
        """True if elements at a path have one text node at most."""
        return all(
            self.catalog.is_plain(self.stream, branch.table, (*branch.path, *path))
            for branch in self.branches
        )

    def _hole_part(self, asked: Asked) -> None:
        child = self.child(asked.targets)
        holders = [(branch.table, branch.path) for branch in self.branches]
        hops = Hops(self.catalog, self.statement, self.stream, holders, asked.targets)
        for kind in ("table", "id", "version", "inside"):
            child.column(Asked(kind))
        self._parts[asked] = self.statement.add("holes", lambda: _gathered(hops, child))

    def _fill_parts(self, asked: Asked) -> None:
        """The texts of what fills holes, for the branches that have holes."""
        for branch in self.branches:
            place = Place(self.stream, branch.table)
            if self.catalog.has_holes(branch.place):
                key = asked._replace(path=(), name=str(branch.table))
                if key not in self._parts:
                    self._parts[key] = fills_of(self.catalog, self.statement, place, asked.window)

    def _write(self) -> str:
        by_rank = self._order_is_rank()
        return "\nUNION ALL\n".join(self._branch(each, by_rank) for each in self.branches)

    def _order_is_rank(self) -> bool:
        """True if ranks, and places inside one filler, tell the order of all nodes."""
        if self.reach is not None:
            return False
        inline = {branch.table for branch in self.branches if branch.path}
        lines = (self.tables.structure.line(branch.table) for branch in self.branches)
        return not any(tag.id in inline for line in lines for tag in line[:-1])

    def _branch(self, branch: Branch, by_rank: bool) -> str:
        view = self.tables.views[branch.table]
        selected = [
            f"{self._value(branch, asked, by_rank)} AS {name}"
            for asked, name in self._columns.items()
        ]
        rows = f"{view} t"
        if branch.path:
            begin, end = (f"t.{identifier(of(branch.path))}" for of in (from_of, to_of))
            rows = (
                f"(SELECT t.*, e.i, e.f, get({end}, e.i) AS e FROM {view} t "
                f"LATERAL VIEW posexplode({begin}) e AS i, f) t"
            )
        joins = [] if by_rank else [self._way_here(branch)]
        joins += [
            f"LEFT JOIN {part} ON {part}.parent_table = {branch.table} "
            f"AND {part}.parent_id = t.id AND {part}.parent_version = t.version"
            for part in self._joined_parts(branch)
        ]
        sql = f"SELECT {', '.join(selected) or '1 AS one'} FROM {' '.join([rows, *joins])}"
        return self.statement.reading(view, sql)

    def _joined_parts(self, branch: Branch) -> Iterable[str]:
        return dict.fromkeys(
            part
            for asked, part in self._parts.items()
            if asked.kind == "holes" or asked.name == str(branch.table)
        )

    def _way_here(self, branch: Branch) -> str:
        """A join with the ways from the root, which tell the order."""
        window = self.reach.window if self.reach else None
        root = self.tables.structure.root
        type = self.tables.structure.tag(branch.table).type
        within = "true" if window is None else lifespan_of(type).meets(window)
        if branch.table == root.id:
            return f"JOIN (SELECT 1 AS one) w ON {within}"
        target = frozenset({Place(self.stream, branch.table)})
        hops = Hops(
            self.catalog, self.statement, self.stream, [(root.id, ())], target, window, True
        )
        return f"JOIN {hops.name} w ON w.hole = t.id AND {within}"

    def _value(self, branch: Branch, asked: Asked, by_rank: bool) -> str:
        """A column of the rows of one branch, as SQL over the table t."""
        match asked.kind:
            case "id" | "version" | "begin" | "until" | "arrival":
                return f"t.{asked.kind}"
            case "table":
                return str(branch.table)
            case "filler":
                return "false" if branch.path else "true"
            case "event":
                type = self.tables.structure.tag(branch.table).type
                return "true" if type is TagType.EVENT else "false"
            case "name":
                return string(self.catalog.tag(branch.place).name)
            case "inside":
                begin = "CAST(t.f AS BIGINT)" if branch.path else ""
                return f"CAST(array({begin}) AS ARRAY<BIGINT>)"
            case "order":
                return self._order(branch, by_rank)
            case "holes":
                return self._holes(branch, asked)
        path = (*branch.path, *asked.path)
        if asked.path and not self.tables.has_column(branch.table, from_of(path)):
            return f"CAST(array() AS ARRAY<{_EMPTY[asked.kind]}>)"
        fills = None
        if asked.kind == "xml":
            part = self._parts.get(asked._replace(path=(), name=str(branch.table)))
            fills = f"{part}.fills" if part else None
        if not asked.path:
            return own(asked.kind, branch.path, asked.name, fills)
        return self._within(branch, path, listed(asked.kind, path, asked.name, fills))

    def _order(self, branch: Branch, by_rank: bool) -> str:
        begin = ["CAST(t.f AS BIGINT)"] if branch.path else []
        if by_rank:
            return f"array({', '.join(['CAST(t.rank AS BIGINT)', *begin])})"
        inner = f"array({', '.join(['CAST(t.version AS BIGINT)', *begin])})"
        return inner if branch.table == self.tables.structure.root.id else f"concat(w.o, {inner})"

    def _within(self, branch: Branch, path: Path, column: str) -> str:
        """Of a column of what is at a path in the filler, that which is inside the node."""
        if self.catalog.is_single(self.stream, branch.table, branch.path):
            return column
        begin = f"get(t.{identifier(from_of(path))}, k)"
        return f"filter({column}, (x, k) -> {begin} >= t.f AND {begin} < t.e)"

    def _holes(self, branch: Branch, asked: Asked) -> str:
        nodes = f"coalesce({self._parts[asked]}.nodes, array())"
        if self.catalog.is_single(self.stream, branch.table, branch.path):
            return nodes
        return f"filter({nodes}, n -> get(n.o, 0) >= t.f AND get(n.o, 0) < t.e)"


def _gathered(hops: Hops, child: Source) -> str:
    """What fills holes, gathered for each row that they are in, in order."""
    table, id, version, inside = (
        child.column(Asked(kind)) for kind in ("table", "id", "version", "inside")
    )
    fields = ", ".join(f"c.{name}" for name in child.columns())
    order = f"concat(h.o, array(CAST(c.{version} AS BIGINT)), c.{inside})"
    return (
        "SELECT parent_table, parent_id, parent_version, "
        f"sort_array(collect_list(struct({order} AS o, {fields}))) AS nodes "
        f"FROM {hops.name} h JOIN {child.name} c ON h.hole = c.{id} AND h.child_table = c.{table} "
        "GROUP BY parent_table, parent_id, parent_version"
    )


def fills_of(catalog: Catalog, statement: Statement, place: Place, window: Lifespan | None) -> str:
    """The part with the texts that fill the holes of a table's rows, one text a hole."""
    tables = catalog.streams[place.stream]
    below = frozenset(
        Place(place.stream, tag.id)
        for _, tag in tables.layouts[place.tag or 0].inside()
        if tag.fragmented
    )
    children = [Source(catalog, statement, frozenset({each})) for each in sorted(below)]
    for child in children:
        for kind in ("table", "id", "version", "begin", "until"):
            child.column(Asked(kind))
        child.column(Asked("xml", window=window))
    view = tables.views[place.tag or 0]
    return statement.add(
        "filled", lambda: statement.reading(view, _filled(view, place, children, window))
    )


def _filled(view: str, place: Place, children: list[Source], window: Lifespan | None) -> str:
    kinds = ("table", "id", "version", "begin", "until")
    parts = []
    for child in children:
        columns = ", ".join(f"{child.column(Asked(kind))} AS {kind}" for kind in kinds)
        xml = child.column(Asked("xml", window=window))
        (only,) = child.places
        type = child.catalog.tag(only).type
        kept = "" if window is None else f" WHERE {lifespan_of(type).meets(window)}"
        parts.append(f"SELECT * FROM (SELECT {columns}, {xml} AS xml FROM {child.name}) t{kept}")
    together = "\nUNION ALL\n".join(parts)
    return (
        f"SELECT {place.tag} AS parent_table, id AS parent_id, version AS parent_version, "
        "transform(sort_array(collect_list(struct(p, xml))), e -> e.xml) AS fills FROM ("
        "SELECT h.id, h.version, h.p, coalesce(nullif(array_join(transform(sort_array(collect_list("
        "if(c.id IS NULL, NULL, struct(c.version AS v, c.xml AS xml)))), e -> e.xml), ''), ''), "
        f"{EMPTY}) AS xml "
        "FROM (SELECT t.id, t.version, e.p, e.hole, get(t.hole_tags, e.p) AS tag "
        f"FROM {view} t LATERAL VIEW posexplode(t.hole_ids) e AS p, hole) h "
        f"LEFT JOIN (\n{together}\n) c ON c.id = h.hole AND c.table = h.tag "
        "GROUP BY h.id, h.version, h.p) GROUP BY id, version"
    )
