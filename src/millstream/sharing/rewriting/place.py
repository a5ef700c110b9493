"""Where a scan finds its items: a stream of a peer in the place of the original stream."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import TRUE, Expression
from millstream.algebra.operators import Operator, Scan, Select
from millstream.algebra.scopes import free_variables, rename
from millstream.model.schema import Schema
from millstream.sharing.rewriting.window_items import WindowItems


@dataclass(frozen=True, slots=True)
class Place:
    """A stream, and what is still to be asked of it."""

    stream: str
    schema: Schema
    """Of the items of this stream."""
    remaining: Expression = TRUE
    """What is left of the selection; it speaks of one variable, whatever its name."""
    windows: WindowItems | None = None
    """Set where the items are windows; nothing can be left of the selection then."""

    def items(self, variable: str) -> Operator:
        """The selected items."""
        scan = Scan(self.stream, variable, self.schema)
        if self.remaining == TRUE:
            return scan
        names = dict.fromkeys(free_variables(self.remaining), variable)
        return Select(scan, rename(self.remaining, names))
