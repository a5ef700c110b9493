"""The whole temporal view as tables: all versions of all fillers in it, from the root on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from millstream.algebra.xcql.expressions import Place
from millstream.compiler.history.catalog import Catalog, StreamTables
from millstream.compiler.history.hops import Hops
from millstream.compiler.history.statement import Statement


class WholeTable(NamedTuple):
    """A table of the view: its name, and SQL that puts it together."""

    view: str
    sql: str


def whole_view(
    catalog: Catalog, streams: Collection[str]
) -> tuple[tuple[WholeTable, ...], Catalog]:
    """The tables of the temporal views of some streams, and a catalog in which they are asked."""
    tables: list[WholeTable] = []
    known: dict[str, StreamTables] = {}
    for name in streams or tuple(catalog.streams)[:1]:
        of_stream = catalog.streams[name]
        views = {tsid: f"{view}_whole" for tsid, view in of_stream.views.items()}
        tables += (
            WholeTable(views[tsid], _hydrating(catalog, name, tsid)) for tsid in of_stream.views
        )
        known[name] = replace(of_stream, views=views)
    return tuple(tables), Catalog({**catalog.streams, **known})


def _hydrating(catalog: Catalog, stream: str, tsid: int) -> str:
    """All rows of a table that are come to from the root, through every hole on the way."""
    tables = catalog.streams[stream]
    statement = Statement()
    root = tables.structure.root.id
    view = tables.views[tsid]
    if tsid == root:
        return f"SELECT t.* FROM {view} t"
    target = frozenset({Place(stream, tsid)})
    hops = Hops(catalog, statement, stream, [(root, ())], target, None, True)
    return statement.sql(f"SELECT t.* FROM {view} t JOIN {hops.name} w ON w.hole = t.id")
