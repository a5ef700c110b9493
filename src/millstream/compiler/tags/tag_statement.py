"""What the statements of TAG-QL have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from millstream.algebra.expressions import Expression, PathTo
from millstream.compiler import conversions, output
from millstream.compiler.constants import Constants
from millstream.compiler.expressions import items_of
from millstream.compiler.lookups import Lookups
from millstream.compiler.relations import named
from millstream.compiler.rows import CHANNELS
from millstream.compiler.scope import Scope
from millstream.compiler.sequences import single
from millstream.compiler.tags.marks import flattened
from millstream.compiler.tags.tuple_source import TupleSource

Columns = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TagStatement:
    """A statement over tuples: channels, and the time that its windows go by."""

    constants: Constants

    @property
    def channel_columns(self) -> Columns:
        return (("channel", "INT"), *self.constants.columns())

    @property
    def reference(self) -> str | None:
        return None

    @property
    def waits(self) -> bool:
        return False

    @property
    def other_streams(self) -> tuple[str, ...]:
        return ()

    @property
    def lookups(self) -> Lookups:
        return Lookups()


def slot(expression: Expression, source: Sequence[tuple[TupleSource, str]], scope: Scope) -> str:
    """A column of a result as text, null for nothing; attributes are as they were written."""
    for each, alias in source:
        if isinstance(expression, PathTo) and expression.variable == each.variable:
            return each.text(expression, alias)
    return single(items_of(flattened(expression), scope), conversions.text, "STRING")


def result_row(channel: str, ordering: Iterable[str], slots: Iterable[str]) -> str:
    """The select list of a result."""
    return output.row(
        kind=f"'{output.RESULTS}'",
        channel=channel,
        ordering=output.array(tuple(ordering)),
        values=output.array(tuple(slots)),
    )


def with_channel(rows: str) -> str:
    """Rows n with their channel c, whose columns hold constants."""
    return f"{named(rows)} n JOIN {CHANNELS} c ON c.channel = n.channel"


def late_rows(source: TupleSource, tagged: bool) -> str:
    """The tuples of the batch that came too late for windows."""
    row = output.row(kind=f"'{output.LATE}'", channel="n.channel", ordering="array(n.position)")
    late = source.new(tagged=tagged, disordered=True, late=True)
    return f"SELECT {row} FROM {named(late)} n"


def own_state(view: str) -> str:
    """What the channels of a signature have kept, of a view of all state.

    Others may keep rows of the same role. Whoever writes its state anew must leave them alone.
    """
    return named(
        f"SELECT /*+ BROADCAST(c) */ s.* FROM {view} s"
        f" LEFT SEMI JOIN {CHANNELS} c ON c.channel = s.channel"
    )
