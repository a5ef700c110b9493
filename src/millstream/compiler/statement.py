"""The SQL of a signature: for every channel of it, results and the state that it needs next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from millstream.compiler import output
from millstream.compiler.joins import Buffer, Relation
from millstream.compiler.lookups import Lookups
from millstream.compiler.order import Order
from millstream.compiler.rows import Rows
from millstream.compiler.step_tags import NO_TAGS, StepTags

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
    def waits(self) -> bool:
        """True when the end of the stream may complete something."""

    @property
    def other_streams(self) -> tuple[str, ...]:
        """The streams whose state it reads, as views named by joins.state_view."""

    @property
    def lookups(self) -> Lookups:
        """By what an item may find the channels that want it."""

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
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

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        row = output.row(
            kind=f"'{output.RESULTS}'",
            channel="c.channel",
            ordering=output.array(tuple(self.rows.ordering)),
            values=output.array(self.slots),
        )
        return f"SELECT {row} {self.rows.relation()}"


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
    def waits(self) -> bool:
        return False

    @property
    def reference(self) -> str | None:
        return None

    @property
    def lookups(self) -> Lookups:
        # Each input has conditions of its own.
        return Lookups()

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        row = output.row(
            kind=f"'{output.RESULTS}'",
            channel="n.channel",
            ordering="n.ordering",
            values=output.array(self.slots),
        )
        results = f"SELECT {row} FROM ({self.relation.new}) n"
        return " UNION ALL ".join((results, *(each.sql(full) for each in self.buffers)))
