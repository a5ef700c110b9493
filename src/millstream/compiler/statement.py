"""The SQL of a signature: for every channel of it, results and the state that it needs next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from millstream.compiler import gaps, output
from millstream.compiler.fold import Fold
from millstream.compiler.joins import Buffer, Relation
from millstream.compiler.lookups import Lookups
from millstream.compiler.rows import CHANNELS, Rows
from millstream.compiler.window_source import TimeSource
from millstream.compiler.windows import LATE_ROW, TILE_COLUMN, WINDOW_COLUMNS

Columns = tuple[tuple[str, str], ...]
"""Names and SQL types."""


class Statement(Protocol):
    """What a signature asks of a step."""

    @property
    def channel_columns(self) -> Columns:
        """The columns of the signature's channels."""

    @property
    def reference(self) -> str | None:
        """The path whose order decides which items are late, for time-based windows."""

    @property
    def keeps(self) -> bool:
        """True when it may write more than results: state, or late items."""

    @property
    def waits(self) -> bool:
        """True when the end of the stream may complete something."""

    @property
    def other_streams(self) -> tuple[str, ...]:
        """The streams whose state it reads, as views named by joins.state_view."""

    @property
    def lookups(self) -> Lookups:
        """By what an item may find the channels that want it."""

    def sql(self, *, disordered: bool, full: bool) -> str:
        """The select that gives output rows.

        CHANNELS stands for the channels' view, MATCHED for what joins batch rows to channels.
        """


@dataclass(frozen=True, slots=True)
class PlainStatement:
    """Items that pass, each on its own."""

    rows: Rows
    slots: tuple[str, ...]

    @property
    def channel_columns(self) -> Columns:
        return (("channel", "INT"), *self.rows.constants.columns())

    @property
    def keeps(self) -> bool:
        return False

    @property
    def waits(self) -> bool:
        return False

    @property
    def reference(self) -> str | None:
        return None

    @property
    def other_streams(self) -> tuple[str, ...]:
        return ()

    @property
    def lookups(self) -> Lookups:
        return self.rows.lookups()

    def sql(self, *, disordered: bool, full: bool) -> str:
        row = output.row(
            kind=f"'{output.RESULTS}'",
            channel="c.channel",
            ordering=output.array(tuple(self.rows.ordering)),
            values=output.array(self.slots),
        )
        return f"SELECT {row} {self.rows.relation()}"


@dataclass(frozen=True, slots=True)
class WindowStatement:
    """Windows of items, and what stands above them."""

    fold: Fold
    slots: tuple[str, ...]
    where: tuple[str, ...]
    """Conditions on windows."""
    lateral: tuple[str, ...]
    """Loops over their contents."""
    ordering: tuple[str, ...]
    empty: bool
    names_constants: bool
    """True when the conditions on windows name constants of the channel."""

    @property
    def channel_columns(self) -> Columns:
        constants = self.fold.rows.constants.columns()
        tile = (TILE_COLUMN,) if self.fold.source.tiled else ()
        return (("channel", "INT"), *WINDOW_COLUMNS, *tile, *constants)

    @property
    def keeps(self) -> bool:
        return True

    @property
    def waits(self) -> bool:
        return True

    @property
    def reference(self) -> str | None:
        source = self.fold.source
        return "/".join(source.reference) if isinstance(source, TimeSource) else None

    @property
    def other_streams(self) -> tuple[str, ...]:
        return ()

    @property
    def lookups(self) -> Lookups:
        return self.fold.rows.lookups()

    def sql(self, *, disordered: bool, full: bool) -> str:
        folded = self.fold.sql(disordered=disordered, full=full)
        if self.empty:
            folded = gaps.filled(folded, self.fold.partials, self.fold.contents)
        join = f" JOIN {CHANNELS} c ON c.channel = w.channel" if self.names_constants else ""
        relation = f"({folded}) w{join}"
        laterals = "".join(f" {each}" for each in self.lateral)
        kept = " AND ".join(self.where) or "true"
        select = f"SELECT {self._row()} FROM {relation}{laterals} WHERE w.k < 0 OR ({kept})"
        return f"{select} UNION ALL {gaps.remembered()}" if self.empty and full else select

    def _row(self) -> str:
        """An output row: a window's result, a row of state, or an item that came late."""
        role, own, values, content = self.fold.state_row("w")
        result, late = "w.k >= 0", f"w.k = {LATE_ROW}"
        marker = f"w.k = {gaps.EMITTED_ROW}"
        return output.row(
            kind=f"CASE WHEN {result} THEN '{output.RESULTS}' WHEN {late} THEN '{output.LATE}'"
            f" ELSE '{output.STATE}' END",
            role=f"CASE WHEN {result} OR {late} THEN NULL WHEN {marker} THEN '{output.EMITTED}'"
            f" ELSE {role} END",
            channel="w.channel",
            tick=f"IF({result}, w.k * w.step, w.slice)",
            ordering=f"CASE WHEN {result} THEN {output.array(self.ordering)}"
            f" WHEN {late} THEN array(w.late) ELSE {own} END",
            values=f"IF({result}, {output.array(self.slots)}, {values})",
            content=f"IF({result}, NULL, {content})",
        )


@dataclass(frozen=True, slots=True)
class JoinStatement:
    """What new items of one stream complete, joined with what the others have brought."""

    relation: Relation
    buffers: tuple[Buffer, ...]
    constants: Columns
    slots: tuple[str, ...]
    """Over the relation's rows as n."""
    other_streams: tuple[str, ...]

    @property
    def channel_columns(self) -> Columns:
        return (("channel", "INT"), *self.constants)

    @property
    def keeps(self) -> bool:
        return True

    @property
    def waits(self) -> bool:
        return False

    @property
    def reference(self) -> str | None:
        return None

    @property
    def lookups(self) -> Lookups:
        # Each input has conditions of its own.
        return Lookups()

    def sql(self, *, disordered: bool, full: bool) -> str:
        row = output.row(
            kind=f"'{output.RESULTS}'",
            channel="n.channel",
            ordering="n.ordering",
            values=output.array(self.slots),
        )
        results = f"SELECT {row} FROM ({self.relation.new}) n"
        return " UNION ALL ".join((results, *(each.sql(full) for each in self.buffers)))
