"""Aggregates that are up to date with every tuple: over its group, as far as the window goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.compiler.order import Order
from millstream.compiler.relations import named
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.group_answers import FRESH, GroupAnswers
from millstream.compiler.tags.selections import STATE, SelectionBase
from millstream.compiler.tags.tag_statement import late_rows, result_row
from millstream.compiler.tags.totals import TAG_SETS, Part
from millstream.compiler.windows import CLOCK
from millstream.model.tags import step_layout


@dataclass(frozen=True, slots=True)
class AggregateStatement(SelectionBase):
    """For each tuple the new answer of its group, of which all tuples are kept."""

    window: int | None
    last: bool
    """True when only the last answer of each group is wanted."""
    keys: tuple[str, ...]
    """The columns by which tuples are of one group."""
    parts: tuple[Part, ...]
    """What has to be known of groups, as p0, p1, … of a row r."""
    slots: tuple[str, ...]
    """Over a tuple r, with the parts of its group."""
    with_tags: bool

    @property
    def reference(self) -> str | None:
        return self.source.reference if self._windowed else None

    @property
    def _windowed(self) -> bool:
        judged = self.tagged is not None and self.tagged.window is not None
        return self.window is not None or judged

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        fresh = self.fresh(tags, order.late)
        parts = [self._answers(fresh, tags, order), *self._state(fresh, tags, full)]
        return " UNION ALL ".join((*parts, *self._rest(tags, order.late, full)))

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

    def _answers(self, fresh: str, tags: StepTags, order: Order) -> str:
        needed = self._needed(tags)
        answers = GroupAnswers(self._names, self.keys, needed, self._members(fresh, needed))
        if self.window is None or not needed:
            rows = answers.so_far()
        elif order.behind == 0:
            rows = answers.sliding(self.window)
        else:
            rows = answers.disturbed(self.window, order.behind)
        if self.last:
            rows = answers.last_of(rows)
        sets: tuple[str, ...] = ()
        if TAG_SETS in needed:
            sets = (f"array_join(array_sort(r.p{needed.index(TAG_SETS)}), ',')",)
        row = result_row("r.channel", ("r.position",), (*self.slots, *sets))
        return f"SELECT {row} FROM {named(rows)} r"

    def _needed(self, tags: StepTags) -> tuple[Part, ...]:
        return (*self.parts, TAG_SETS) if self.with_tags and tags.any else self.parts

    def _members(self, fresh: str, needed: tuple[Part, ...]) -> str:
        """What was kept and what is new, with what has to be known of each."""
        old = (
            f"SELECT e.*, false AS {FRESH}{_inputs(needed)} FROM {named(self.source.old(STATE))} e"
        )
        return f"{old} UNION ALL {self._new(fresh, needed)}"

    def _new(self, fresh: str, needed: tuple[Part, ...]) -> str:
        return f"SELECT e.*, true AS {FRESH}{_inputs(needed)} FROM {named(fresh)} e"

    @property
    def _names(self) -> tuple[str, ...]:
        """The columns of a tuple r; what tags it has is told with its group, as it is in it."""
        names = tuple(each for each in self.source.names if each != step_layout.TAGSET)
        return names if self.source.extra is None else (*names, self.source.extra)

    def _state(self, fresh: str, tags: StepTags, full: bool) -> Iterator[str]:
        """The tuples that are kept, and what is kept beside them."""
        if not full:
            yield self.source.state(fresh)
            return
        rows = f"{self.source.old(STATE)} UNION ALL {fresh}"
        yield self.source.state(rows, self.kept)

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


def _inputs(parts: tuple[Part, ...]) -> str:
    """What has to be known of a tuple e."""
    return "".join(f", {part.input} AS x{place}" for place, part in enumerate(parts))
