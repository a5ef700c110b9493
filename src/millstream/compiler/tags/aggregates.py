"""Aggregates that are up to date with every tuple: over its group, as far as the window goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.compiler.output import floor_div
from millstream.compiler.relations import named
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.selections import STATE, SelectionBase
from millstream.compiler.tags.tag_statement import late_rows, result_row
from millstream.compiler.windows import CLOCK
from millstream.model.tags import step_layout


@dataclass(frozen=True, slots=True)
class AggregateStatement(SelectionBase):
    """For each tuple the new answer of its group."""

    window: int | None
    keys: tuple[str, ...]
    """The columns by which tuples are of one group."""
    slots: tuple[str, ...]
    """Over a tuple r, and the tuples e of its group."""
    with_tags: bool

    @property
    def reference(self) -> str | None:
        return self.source.reference if self._windowed else None

    @property
    def _windowed(self) -> bool:
        judged = self.tagged is not None and self.tagged.window is not None
        return self.window is not None or judged

    def sql(self, *, disordered: bool, full: bool, tags: StepTags = NO_TAGS) -> str:
        fresh = self.fresh(tags, disordered)
        parts = [self._answers(fresh, tags), self._state(fresh, full)]
        parts += self.other_state(fresh, tags, full)
        return " UNION ALL ".join((*parts, *self._rest(tags, disordered, full)))

    def other_state(self, fresh: str, tags: StepTags, full: bool) -> list[str]:
        """What is kept beside the tuples."""
        return []

    def fresh(self, tags: StepTags, disordered: bool) -> str:
        """The new tuples, each in its group."""
        chosen = self.chosen(tags, disordered)
        timed = " WHERE time IS NOT NULL" if self.window is not None else ""
        return f"SELECT {', '.join(self.source.names)} FROM {named(chosen)}{timed}"

    def _rest(self, tags: StepTags, disordered: bool, full: bool) -> Iterator[str]:
        if self.tagged is not None:
            yield from self.tagged.state(STATE, tags, full)
        if disordered and self._windowed:
            yield late_rows(self.source, tags.now)

    def _answers(self, fresh: str, tags: StepTags) -> str:
        sets: tuple[str, ...] = ()
        if self.with_tags and tags.any:
            sets = ("array_join(array_sort(collect_set(e.tagset)), ',')",)
        row = result_row("r.channel", ("r.position",), (*self.slots, *sets))
        equal = "".join(f" AND e.{each} <=> r.{each}" for each in self.keys)
        members = f"{self.source.old(STATE)} UNION ALL {fresh}"
        own = ", ".join((*(f"r.{each}" for each in self._names), *self._met_by()))
        return (
            f"SELECT {row} FROM {named(self._placed(fresh))} r"
            f" JOIN {named(self._spread(members))} e ON e.channel = r.channel"
            f"{equal}{self._near()} AND e.position <= r.position GROUP BY {own}"
        )

    @property
    def _names(self) -> tuple[str, ...]:
        """The columns of a tuple r; what tags it has is told by e, as it is in its own group."""
        names = tuple(each for each in self.source.names if each != step_layout.TAGSET)
        return names if self.source.extra is None else (*names, self.source.extra)

    def _met_by(self) -> Iterator[str]:
        """What brings r and e together, as Spark spells it.

        They follow from the columns of r. But if they are said, Spark knows that rows of one
        answer are in one place already, and does not send them around once more.
        """
        if self.window is not None:
            yield "r.bucket"
        for key in self.keys:
            if key == self.source.extra or self.source.is_text(key):
                yield f"coalesce(r.{key}, '')"
                yield f"r.{key} IS NULL"

    # Time is cut into buckets as wide as the window: a group is in one bucket and the one before.

    def _placed(self, rows: str) -> str:
        if self.window is None:
            return rows
        return f"SELECT *, {floor_div('time', f'{self.window}L')} AS bucket FROM {named(rows)}"

    def _spread(self, rows: str) -> str:
        if self.window is None:
            return rows
        bucket = floor_div("time", f"{self.window}L")
        return f"SELECT * FROM {named(rows)}" + (
            f" LATERAL VIEW explode(array({bucket}, {bucket} + 1)) u AS near"
        )

    def _near(self) -> str:
        if self.window is None:
            return ""
        return f" AND e.near = r.bucket AND e.time <= r.time AND r.time < e.time + {self.window}L"

    def _state(self, fresh: str, full: bool) -> str:
        if not full:
            return self.source.state(fresh)
        rows = f"{self.source.old(STATE)} UNION ALL {fresh}"
        return self.source.state(rows, self.kept)

    @property
    def kept(self) -> str:
        """Keeps tuples n that a tuple which is not late may still meet."""
        if self.window is None:
            return ""
        reached = self.source.reached("q")
        return (
            f" LEFT JOIN {CLOCK} q ON q.reference = '{self.source.reference}'"
            f" WHERE coalesce(n.time + {self.window}L > {reached}, true)"
        )
