"""What the compiler knows of the tables of a stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from millstream.algebra.xcql.expressions import Place
from millstream.model.filler_layout import FillerLayout, layouts
from millstream.model.schema import Path
from millstream.model.tag_structure import Tag, TagStructure


@dataclass(frozen=True)
class StreamTables:
    """The tables of one stream: a view for each tag that comes as fillers, and for the root.

    The views have the columns of millstream.model.filler_layout, those of places included.
    """

    structure: TagStructure
    views: Mapping[int, str]
    single: frozenset[tuple[int, str]] = frozenset()
    """Tables and paths of which no filler holds more than one element; it may be left out."""
    plain: frozenset[tuple[int, str]] = frozenset()
    """Tables and paths whose elements have at most one text node each; it may be left out."""

    @cached_property
    def layouts(self) -> Mapping[int, FillerLayout]:
        return layouts(self.structure)

    @cached_property
    def _columns(self) -> Mapping[int, frozenset[str]]:
        return {
            tsid: frozenset(column.name for column in layout.placed_columns())
            for tsid, layout in self.layouts.items()
        }

    def has_column(self, table: int, name: str) -> bool:
        return name in self._columns[table]


@dataclass(frozen=True)
class Catalog:
    """The streams that a query may read."""

    streams: Mapping[str, StreamTables]

    def tag(self, place: Place) -> Tag:
        assert place.tag is not None, "a document has no tag"
        return self.streams[place.stream].structure.tag(place.tag)

    def table(self, place: Place) -> tuple[int, Path]:
        """The table in whose rows the elements of a place stand, and the path there."""
        structure = self.streams[place.stream].structure
        line = structure.line(self.tag(place).id)
        for above in range(len(line) - 1, -1, -1):
            if line[above].fragmented or above == 0:
                return line[above].id, tuple(tag.name for tag in line[above + 1 :])
        raise AssertionError("the root has a table")

    def is_below(self, place: Place, above: Place) -> bool:
        """True if elements of a place may stand inside those of another."""
        line = self.streams[place.stream].structure.line(self.tag(place).id)
        return place.stream == above.stream and any(tag.id == above.tag for tag in line[:-1])

    def is_filler(self, place: Place) -> bool:
        """True if the elements of a place are those of fillers themselves."""
        return place.tag is not None and not self.table(place)[1]

    def has_holes(self, place: Place) -> bool:
        """True if there may be holes anywhere in the elements of a place."""
        return any(tag.fragmented for tag in self.tag(place).walk() if tag.id != place.tag)

    def is_leaf(self, place: Place) -> bool:
        return not self.tag(place).children

    def is_single(self, stream: str, table: int, path: Path) -> bool:
        return not path or (table, "/".join(path)) in self.streams[stream].single

    def is_plain(self, stream: str, table: int, path: Path) -> bool:
        return (table, "/".join(path)) in self.streams[stream].plain
