"""The views through which a step's statement sees its channels, and how items find them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from millstream.compiler.branch import channels_view
from millstream.compiler.grid import Grid
from millstream.compiler.matching import (
    CELL,
    Matching,
    cells_view,
    choose_matching,
    level_columns,
    level_rows,
    levels_view,
)
from millstream.compiler.statement import Statement
from millstream.runtime.arrow_tables import arrow_table
from millstream.runtime.records import ChannelRecord, FoldRecord
from millstream.runtime.session import SparkSession


@dataclass(frozen=True, slots=True)
class _Choice:
    """A matching, and what it was chosen for."""

    channels: tuple[int, ...]
    magnitude: int
    """Of the number of items, as a power of four."""
    matching: Matching


class ChannelViews:
    """Small tables of one session, sent to Spark when they change."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._tables: dict[str, pa.Table] = {}
        self._choices: dict[str, _Choice] = {}

    def set_table(self, view: str, table: pa.Table) -> None:
        """Make a small table a view, unless the view holds the same rows already."""
        if self._tables.get(view) == table:
            return
        self._session.createDataFrame(table).hint("broadcast").createOrReplaceTempView(view)
        self._tables[view] = table

    def set_channels(
        self,
        signature: str,
        statement: Statement,
        channels: Sequence[ChannelRecord | FoldRecord],
        table: pa.Table,
        items: int,
    ) -> Matching:
        """Make the channels of a signature views; the way in which so many items find them."""
        view = channels_view(signature)
        self.set_table(view, table)
        matching = self._matching(signature, statement, channels, items)
        if matching.grid is not None:
            self._set_grid(view, table, matching.grid)
        return matching

    def _matching(
        self,
        signature: str,
        statement: Statement,
        channels: Sequence[ChannelRecord | FoldRecord],
        items: int,
    ) -> Matching:
        numbers = tuple(each.number for each in channels)
        # Steps of about the same size find their channels in the same way.
        size = magnitude(items)
        known = self._choices.get(signature)
        if known and (known.channels, known.magnitude) == (numbers, size):
            return known.matching
        constants = [each.constants for each in channels]
        matching = choose_matching(statement.lookups, constants, 4**size if items else 0)
        self._choices[signature] = _Choice(numbers, size, matching)
        return matching

    def _set_grid(self, view: str, table: pa.Table, grid: Grid) -> None:
        cells = table.take(pa.array(grid.boxes)).append_column(CELL, pa.array(grid.cells))
        self.set_table(cells_view(view), cells)
        self.set_table(levels_view(view), arrow_table(level_columns(grid), level_rows(grid)))


def magnitude(items: int) -> int:
    """About how many items these are, as a power of four."""
    return (max(items, 1).bit_length() + 1) // 2
