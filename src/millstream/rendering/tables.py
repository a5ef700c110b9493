"""Tables for terminals. Texts of users are shown as they are and never read as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from millstream.rendering.leaves import leaf_rows


def result_table(items: Iterable[str]) -> Table:
    """A table with a column for each leaf that occurs, in order of first appearance."""
    found = leaf_rows(items)
    return table_of(found.headings, found.rows)


def fact_table(facts: Sequence[Mapping[str, object]], empty: str) -> Table:
    """Facts of the same form as a table; `empty` is its heading where there are none."""
    headings = list(facts[0]) if facts else [empty]
    return table_of(headings, (list(each.values()) for each in facts))


def table_of(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table of values; numbers stand to the right."""
    kept = [list(row) for row in rows]
    table = Table()
    for place, heading in enumerate(headings):
        numbers = all(isinstance(row[place], int | float) for row in kept)
        table.add_column(
            Text(heading), overflow="fold", justify="right" if kept and numbers else "left"
        )
    for row in kept:
        table.add_row(*(Text(_shown(value)) for value in row))
    return table


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
