"""Windows without items, filled in between those that have some, for channels that ask for them."""

from __future__ import annotations

from millstream.compiler import output
from millstream.compiler.partials import PartialColumn
from millstream.compiler.windows import READERS

EMITTED_ROW = -4
"""The k of a row that remembers the last window emitted."""


def filled(given: str, partials: tuple[PartialColumn, ...], contents: bool) -> str:
    """What channels are given, their windows preceded by the empty ones since those before.

    A marker follows each window; `given` has the columns channel and empty as well.
    """
    emitted = (
        f"SELECT channel, max(tick) AS emitted FROM state WHERE role = '{output.EMITTED}'"
        f" GROUP BY channel"
    )
    before = "lag(IF(f.k >= 0, f.k, NULL)) IGNORE NULLS OVER (PARTITION BY f.channel ORDER BY f.k)"
    previous = f"coalesce({before}, e.emitted, f.k - 1)"
    run = f"sequence(least({previous} + 1, f.k), f.k)"
    ks = f"IF(f.k >= 0 AND f.empty, concat({run}, array({EMITTED_ROW}L)), array(f.k))"
    own = "".join(f", IF(j = k, {each.name}, NULL) AS {each.name}" for each in partials)
    kept = ", own, node, IF(j = k, contents, NULL) AS contents" if contents else ""
    return (
        f"SELECT channel, late, IF(j = {EMITTED_ROW}, k, slice) AS slice,"
        f" j AS k, IF(j = k, n, 0) AS n{own}{kept}"
        f" FROM (SELECT f.*, {ks} AS js FROM ({given}) f"
        f" LEFT JOIN ({emitted}) e ON e.channel = f.channel) LATERAL VIEW explode(js) x AS j"
    )


def remembered() -> str:
    """The markers of the steps before, for a state that is written in full."""
    row = output.row(
        kind=f"'{output.STATE}'",
        role=f"'{output.EMITTED}'",
        channel="s.channel",
        tick="max(s.tick)",
    )
    return (
        f"SELECT {row} FROM state s JOIN {READERS} c ON c.channel = s.channel"
        f" WHERE s.role = '{output.EMITTED}' GROUP BY s.channel"
    )
