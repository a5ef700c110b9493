"""How the fillers of one tag lie in rows: the contract of intake, stores and compiled queries.

Each tag whose elements come as fillers, and the root, has a table of its own, a row a filler:

  id, arrival   bigint   the filler's id, and how many fillers came before it
  valid         bigint   its validTime in microseconds since 1970, UTC
  body          string   its element as XML in the form of results, HOLE_MARK where a hole stands
  hole_ids      array<bigint>   the holes of the body, in order
  hole_tags     array<int>      their tags

and, so that a query reads only what it asks for, columns for every element inside:

  p#attributes  array<map<string,string>>   attributes in the order written
  p#text        array<string>   the text nodes directly inside, TEXT_MARK between; '' if none
  p#from, p#to  array<int>      where the element begins and ends in the body, in characters
  p#hole        array<bigint>   ids of the holes for a child that comes as fillers, in order;
                                p#from and p#to are then those of the marks

p is the path of names from the filler's element down, such as 'address/city'; since every tag has
one path, the arrays of a path hold exactly the elements of one tag, in document order, and are
never null. The filler's own element has the columns '#attributes' and '#text', not in arrays.

A table that queries read has four more columns, which follow from all fillers together:

  version       int      from 1, among the fillers with one id, by validTime and arrival
  begin, until  bigint   the lifespan: START where it was always there, OPEN where it has not
                         ended; both equal valid for an event; `until` is not included otherwise
  rank          any type that sorts: the place among all fillers in the order of the temporal view;
                         fillers that no hole is for are not in the table
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum

from millstream.model.schema import Path
from millstream.model.tag_structure import Tag, TagStructure

HOLE_MARK = "\x01"
"""Stands for a hole in a body; no XML can contain it."""
TEXT_MARK = "\x02"
"""Stands between the text nodes of one element."""

START = -(2**62)
"""The begin of what was always there."""
OPEN = 2**62
"""The end of what has not ended."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class ColumnType(Enum):
    """The types of columns, by their names in SQL."""

    LONG = "BIGINT"
    INT = "INT"
    TEXT = "STRING"
    LONGS = "ARRAY<BIGINT>"
    INTS = "ARRAY<INT>"
    TEXTS = "ARRAY<STRING>"
    ATTRIBUTES = "MAP<STRING,STRING>"
    LIST_OF_ATTRIBUTES = "ARRAY<MAP<STRING,STRING>>"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: ColumnType


STORED = (
    Column("id", ColumnType.LONG),
    Column("valid", ColumnType.LONG),
    Column("arrival", ColumnType.LONG),
    Column("body", ColumnType.TEXT),
    Column("hole_ids", ColumnType.LONGS),
    Column("hole_tags", ColumnType.INTS),
)
"""What is told of a filler as a whole."""

PLACED = (
    Column("version", ColumnType.INT),
    Column("begin", ColumnType.LONG),
    Column("until", ColumnType.LONG),
    Column("rank", ColumnType.LONG),
)
"""What follows from all fillers together."""


@dataclass(frozen=True)
class FillerLayout:
    """The columns of the fillers of one tag."""

    structure: TagStructure
    tag: Tag

    def inside(self) -> Iterator[tuple[Path, Tag]]:
        """The paths below the filler's element, with their tags; holes are not gone through."""
        waiting: list[tuple[Path, Tag]] = [
            ((child.name,), child) for child in reversed(self.tag.children)
        ]
        while waiting:
            path, tag = waiting.pop()
            yield path, tag
            if not tag.fragmented:
                waiting += [((*path, child.name), child) for child in reversed(tag.children)]

    def columns(self) -> tuple[Column, ...]:
        """The columns of a filler as it is stored."""
        own = (
            Column(attributes_of(()), ColumnType.ATTRIBUTES),
            Column(text_of(()), ColumnType.TEXT),
        )
        below = (column for path, tag in self.inside() for column in _columns(path, tag))
        return (*STORED, *own, *below)

    def placed_columns(self) -> tuple[Column, ...]:
        """The columns of a table that queries read."""
        return (*self.columns(), *PLACED)


def layouts(structure: TagStructure) -> dict[int, FillerLayout]:
    """The layout of each tag that has a table, by its id."""
    return {
        tag.id: FillerLayout(structure, tag)
        for tag in structure.tags.values()
        if tag.fragmented or tag is structure.root
    }


def _columns(path: Path, tag: Tag) -> tuple[Column, ...]:
    places = (Column(from_of(path), ColumnType.INTS), Column(to_of(path), ColumnType.INTS))
    if tag.fragmented:
        return (Column(hole_of(path), ColumnType.LONGS), *places)
    return (
        Column(attributes_of(path), ColumnType.LIST_OF_ATTRIBUTES),
        Column(text_of(path), ColumnType.TEXTS),
        *places,
    )


def attributes_of(path: Path) -> str:
    """The column of the attributes of the elements at a path."""
    return f"{'/'.join(path)}#attributes"


def text_of(path: Path) -> str:
    """The column of the text directly inside the elements at a path."""
    return f"{'/'.join(path)}#text"


def from_of(path: Path) -> str:
    """The column of where elements, or holes, begin in the body."""
    return f"{'/'.join(path)}#from"


def to_of(path: Path) -> str:
    """The column of where elements, or holes, end in the body."""
    return f"{'/'.join(path)}#to"


def hole_of(path: Path) -> str:
    """The column of the ids of holes at a path."""
    return f"{'/'.join(path)}#hole"


def microseconds(instant: datetime) -> int:
    """An instant as the columns of time hold it."""
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(microseconds: int) -> datetime:
    """The instant that a column of time holds."""
    return _EPOCH + microseconds * _MICROSECOND
