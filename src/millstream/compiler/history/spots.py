"""Where a node stands: in the columns of a row, or inside the element of one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from millstream.algebra.xcql.expressions import Place, Places
from millstream.compiler.history.lifespans import ALWAYS, OPEN_SQL, START_SQL, Lifespan
from millstream.compiler.history.sources import Asked, Source
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.model.schema import Path
from millstream.model.tag_structure import TagType

_COLUMN = re.compile(r"(?<![\w.])[cvp]_\d+\b")


@dataclass(frozen=True)
class Spot:
    """One node of a source: its row's own, or the one at a place of a path in the row's."""

    source: Source
    prefix: str
    """What stands before the names of the row's columns: nothing, or a variable and a dot."""
    places: Places
    path: Path = ()
    index: str = ""
    window: Lifespan | None = None
    """What of its lifespan, and of those inside it, is left."""

    def column(self, asked: Asked) -> str:
        return f"{self.prefix}{self.source.column(asked)}"

    def value(self, kind: str, name: str = "", window: Lifespan | None = None) -> str:
        """What the node has at most once."""
        column = self.column(Asked(kind, self.path, name, window=window))
        return f"get({column}, {self.index})" if self.path else column

    def below(self, path: Path, kind: str, name: str = "") -> str:
        """What those at a path below have, one each, as an array."""
        column = self.column(Asked(kind, (*self.path, *path), name))
        if not self.is_one_of_many:
            return column
        begin = self.column(Asked("from", (*self.path, *path)))
        first, end = self.value("from"), self.value("to")
        return f"filter({column}, (x, j) -> get({begin}, j) >= {first} AND get({begin}, j) < {end})"

    @property
    def is_one_of_many(self) -> bool:
        """True if other nodes of its path may stand in the same row."""
        return bool(self.path) and not self.source.is_single(self.path)

    @property
    def order(self) -> str:
        """Where it stands among all nodes of its stream."""
        own = self.column(Asked("order"))
        if not self.path:
            return own
        return f"concat({own}, array(CAST({self.value('from')} AS BIGINT)))"

    @property
    def row(self) -> Lifespan:
        """The lifespan of the filler it stands in."""
        types = {
            self.source.tables.structure.tag(branch.table).type for branch in self.source.branches
        }
        if types == {TagType.EVENT}:
            closed = "true"
        elif TagType.EVENT in types:
            closed = self.column(Asked("event"))
        else:
            closed = "false"
        return Lifespan(self.column(Asked("begin")), self.column(Asked("until")), closed)

    @property
    def has_own_lifespan(self) -> bool:
        """True if all such nodes are those of fillers; a root that was always there is none."""
        catalog, root = self.source.catalog, self.source.tables.structure.root
        return all(
            catalog.is_filler(place) and (place.tag != root.id or root.fragmented)
            for place in self.places
        )

    @property
    def has_no_lifespan(self) -> bool:
        """True if none of such nodes has one, nor has anything that may stand inside."""
        catalog, root = self.source.catalog, self.source.tables.structure.root
        return all(
            place.tag != root.id and not catalog.is_filler(place) and not catalog.has_holes(place)
            for place in self.places
        )

    @property
    def is_mixed(self) -> bool:
        """True if some such nodes are those of fillers, and others stand inside; none is a root."""
        root = self.source.tables.structure.root.id
        fillers = [self.source.catalog.is_filler(place) for place in self.places]
        names_root = any(place.tag == root for place in self.places)
        return any(fillers) and not all(fillers) and not names_root and not self.path

    @property
    def is_root(self) -> bool:
        """True for the element of the whole document."""
        return self.places == {Place(self.source.stream, self.source.tables.structure.root.id)}

    @property
    def sent_again(self) -> str:
        """Of a root: whether it has versions, which have lifespans; else it was always there."""
        return f"NOT ({self.row.begin} = {START_SQL} AND {self.row.end} = {OPEN_SQL})"

    @property
    def lifespan(self) -> Lifespan:
        """Its own lifespan, as far as the window leaves it."""
        if self.has_no_lifespan:
            return ALWAYS
        if not self.has_own_lifespan:
            raise Untranslatable("the lifespan of an element that has none of its own")
        return self.row if self.window is None else self.row.intersection(self.window)

    def inside(self, window: Lifespan) -> Spot:
        """The same node, seen through one more window."""
        left = window if self.window is None else self.window.intersection(window)
        return replace(self, window=left)


def moved(spot: Spot, prefix: str) -> Spot:
    """The same node where the columns of its row have been gathered under another name."""
    window = spot.window
    if window is None:
        return replace(spot, prefix=prefix)
    ends = (_moved(each, spot, prefix) for each in (window.begin, window.end, window.closed))
    return replace(spot, prefix=prefix, window=Lifespan(*ends))


def _moved(sql: str, spot: Spot, prefix: str) -> str:
    known = spot.source.columns()
    text = sql.replace(spot.prefix, prefix) if spot.prefix else sql
    if not spot.prefix:
        text = _COLUMN.sub(lambda each: prefix * (each[0] in known) + each[0], text)
    if _COLUMN.search(text):
        raise Untranslatable("an inner loop over what is seen through windows of others")
    return text
