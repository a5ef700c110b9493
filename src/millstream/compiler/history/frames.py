"""Iterations as rows: a clause of a loop adds columns, leaves rows out, or makes more of them."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.xcql.expressions import Expression
from millstream.compiler.history.sequences import Sequence
from millstream.compiler.history.sources import Source
from millstream.compiler.history.statement import Statement


@dataclass(frozen=True, slots=True)
class SortKey:
    """What rows are put in order by."""

    sql: str
    descending: bool = False
    nulls_last: bool = False

    def __str__(self) -> str:
        direction = "DESC" if self.descending else "ASC"
        return f"{self.sql} {direction} NULLS {'LAST' if self.nulls_last else 'FIRST'}"


class Frame:
    """The rows of a loop so far. Columns have names of their own, so that none is ever hidden."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.relation = ""
        self.keys: list[str] = []
        """The columns that tell the rows apart."""
        self.order: list[SortKey] = []
        self.bindings: list[tuple[str, str, str]] = []
        """For each variable that ranges over nodes: columns with its table, id and version."""
        self.answered: dict[Expression, Sequence] = {}
        """Loops inside that have been attached already."""

    def _then(self, sql: str) -> None:
        self.relation = self.statement.add("frame", lambda: sql)

    @property
    def rows(self) -> str:
        """The rows, for a FROM clause."""
        return self.relation or "(SELECT 1 AS unit)"

    def cross(self, source: Source) -> None:
        """Every row with every node of a source."""
        if self.relation:
            self._then(f"SELECT * FROM {self.relation} CROSS JOIN {source.name}")
        else:
            self._then(f"SELECT * FROM {source.name}")

    def filter(self, condition: str) -> None:
        # Named, or Spark takes WHERE (c) for a name of the rows and their only column.
        self._then(f"SELECT * FROM {self.rows} AS kept WHERE {condition}")

    def column(self, sql: str) -> str:
        """A new column with a value."""
        name = self.statement.fresh("c")
        self._then(f"SELECT *, {sql} AS {name} FROM {self.rows}")
        return name

    def positions(self, outside: tuple[int, int]) -> tuple[str, str]:
        """Columns with the place of each row among those that an outer row was made to, and all.

        `outside` tells how many keys and how many columns of the order are those of outer rows.
        """
        keys, orders = outside
        around = f"PARTITION BY {', '.join(self.keys[:keys])} " if keys else ""
        # One item at most is the first.
        order = ", ".join(map(str, self.order[orders:])) or "1"
        number = self.column(f"CAST(row_number() OVER ({around}ORDER BY {order}) AS BIGINT)")
        return number, self.column(f"count(*) OVER ({around.rstrip()})")

    def explode(self, array: str) -> tuple[str, str]:
        """A row for each element of an array; the columns with its place and itself."""
        place, value = self.statement.fresh("p"), self.statement.fresh("v")
        self._then(f"SELECT *, posexplode({array}) AS ({place}, {value}) FROM {self.rows}")
        return place, value

    def attach(self, part: str, condition: str | None) -> None:
        """The columns of a part beside each row; without a condition, of its only row."""
        if condition is None:
            self._then(f"SELECT * FROM {self.rows} CROSS JOIN {part}")
        else:
            self._then(f"SELECT * FROM {self.rows} LEFT JOIN {part} ON {condition}")
