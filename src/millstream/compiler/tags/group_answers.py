"""What is known of the group of each tuple, up to it and as far as the window goes.

Members are tuples with the columns by which they are of one group, their parts x0, x1, … and
whether they are fresh. Each fresh one becomes a row with the parts p0, p1, … of its group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.compiler.output import floor_div
from millstream.compiler.relations import named
from millstream.compiler.tags.totals import Part

FRESH = "fresh"
_SO_FAR = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"


@dataclass(frozen=True, slots=True)
class GroupAnswers:
    """How groups are gone through; all ways give the same where they can be gone."""

    names: tuple[str, ...]
    """The columns that fresh tuples keep."""
    keys: tuple[str, ...]
    """The columns by which tuples are of one group."""
    parts: tuple[Part, ...]
    members: str

    def so_far(self) -> str:
        """Without a window: what came before and the tuple itself."""
        group = f"(PARTITION BY {self._group} ORDER BY position {_SO_FAR})"
        totals = self._listed("{function}(x{place}) OVER g AS p{place}")
        rows = f"SELECT *{totals} FROM {named(self.members)} WINDOW g AS {group}"
        return self._fresh(named(rows), self._listed("p{place}"))

    def sliding(self, window: int) -> str:
        """Tuples that come in order of time, with those that are in the window at their time."""
        return self._slid(self.members, window, f"IF({FRESH}, array(false, true), array(true))")

    def disturbed(self, window: int, behind: int | None) -> str:
        """Tuples that are at most so far behind others, with those in the window that came before.

        Far enough back in time, all came before: that part of the window is found as if tuples
        came in order. Each tuple looks at the members of the rest one by one.

            position  1  2  3  4  5
            time     10 12 11 14 13     behind: 1
            of 14       (       ]       window: 4
                        (  ]            all with these times came before
                            (   ]       edge: did they come before?
        """
        edge = None if behind is None else _rounded(behind)
        if edge is None or edge >= window:
            return self._paired(f"SELECT * FROM {named(self.members)} WHERE {FRESH}", window)
        x = self._listed("x{place}")
        nothing = self._listed("IF(false, x{place}, NULL) AS x{place}")
        earlier = ", ".join(_earlier(name, edge) for name in self.names)
        both = (
            f"SELECT {', '.join(self.names)}, false AS {FRESH}{x} FROM {named(self.members)}"
            f" UNION ALL SELECT {earlier}, true AS {FRESH}{nothing}"
            f" FROM {named(self.members)} WHERE {FRESH}"
        )
        settled = self._slid(both, window - edge, f"array(NOT {FRESH})")
        back = ", ".join(_earlier(name, -edge) for name in self.names)
        asking = f"SELECT {back}{self._listed('p{place}')} FROM {named(settled)}"
        return self._paired(asking, edge, settled=True)

    def last_of(self, rows: str) -> str:
        """Of all rows the one of each group that came last."""
        order = f"(PARTITION BY {self._group} ORDER BY position DESC)"
        numbered = f"SELECT *, row_number() OVER {order} AS place FROM {named(rows)}"
        return f"SELECT * FROM {named(numbered)} WHERE place = 1"

    def _slid(self, rows: str, window: int, turns: str) -> str:
        """Fresh rows with all rows that are in the window at their time.

        Time is cut into buckets as wide as the window. The members of a tuple are then the first
        ones of its bucket, up to it, and the last ones of the bucket before. What is known of all
        first ones, and of all last ones, is found in one go each; which are the last ones is told
        by the next member to leave the window. So no tuple looks at all of its members. A row takes
        turns: false for its answer, true for when it leaves.
        """
        bucket = floor_div("time", f"{window}L")
        placed = f"SELECT *, {bucket} AS bucket FROM {named(rows)} DISTRIBUTE BY {self._group}"
        first = f"(PARTITION BY {self._group}, bucket ORDER BY time, position {_SO_FAR})"
        last = f"(PARTITION BY {self._group}, bucket ORDER BY time DESC, position DESC {_SO_FAR})"
        ends = (
            f"SELECT *{self._listed('{function}(x{place}) OVER f AS f{place}')}"
            f"{self._listed('{function}(x{place}) OVER l AS l{place}')}"
            f" FROM {named(placed)} WINDOW f AS {first}, l AS {last}"
        )
        rest = ", ".join(f"l{place} AS l{place}" for place in range(len(self.parts)))
        spread = (
            f"SELECT *, bucket + IF(leaves, 1L, 0L) AS turn,"
            f" time + IF(leaves, {window}L, 0L) AS at,"
            f" IF(leaves, struct({rest}), NULL) AS rest FROM {named(ends)}"
            f" LATERAL VIEW explode({turns}) k AS leaves"
        )
        # A member that leaves at the time of a tuple is not with it any more.
        order = f"ORDER BY at DESC, leaves, position DESC {_SO_FAR}"
        found = (
            f"SELECT *, last(rest, true) OVER (PARTITION BY {self._group}, turn {order}) AS before"
            f" FROM {named(spread)}"
        )
        together = (
            f", {part.together(f'f{place}', f'before.l{place}')} AS p{place}"
            for place, part in enumerate(self.parts)
        )
        return self._fresh(named(found), "".join(together), " AND NOT leaves")

    def _paired(self, asking: str, window: int, *, settled: bool = False) -> str:
        """Each asking tuple with each of its members, beside what is settled as its parts."""
        bucket = floor_div("time", f"{window}L")
        placed = f"SELECT *, {bucket} AS bucket FROM {named(asking)}"
        # A member is in its bucket, and in the one after it.
        spread = (
            f"SELECT * FROM {named(self.members)}"
            f" LATERAL VIEW explode(array({bucket}, {bucket} + 1)) u AS near"
        )
        equal = "".join(f" AND e.{each} <=> r.{each}" for each in self.keys)
        own = ", ".join(f"r.{each}" for each in self.names)
        parts = "".join(
            f", {part.together(found, f'first(r.p{place})') if settled else found} AS p{place}"
            for place, part in enumerate(self.parts)
            for found in (f"{part.function}(e.x{place})",)
        )
        return (
            f"SELECT {own}{parts}"
            f" FROM {named(placed)} r JOIN {named(spread)} e ON e.channel = r.channel{equal}"
            f" AND e.near = r.bucket AND e.time <= r.time AND r.time < e.time + {window}L"
            f" AND e.position <= r.position GROUP BY {own}"
        )

    @property
    def _group(self) -> str:
        return ", ".join(("channel", *self.keys))

    def _listed(self, form: str) -> str:
        """A column for each part."""
        return "".join(f", {each}" for each in self._formed(form))

    def _formed(self, form: str) -> Iterator[str]:
        for place, part in enumerate(self.parts):
            yield form.format(function=part.function, place=place)

    def _fresh(self, rows: str, parts: str, condition: str = "") -> str:
        return f"SELECT {', '.join(self.names)}{parts} FROM {rows} WHERE {FRESH}{condition}"


def _rounded(behind: int) -> int:
    """More than so far; few different ones, as statements that stay the same are compiled once."""
    return 1 << (behind + 1).bit_length()


def _earlier(name: str, edge: int) -> str:
    """A column of a tuple, as if it had come earlier."""
    return f"time - {edge}L AS time" if name == "time" else name
