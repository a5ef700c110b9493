"""Selections of one stream: by data, by tags, and of the tags themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.algebra.expressions import TRUE, Expression
from millstream.algebra.tag_operators import TagVariable
from millstream.compiler import output
from millstream.compiler.expressions import condition
from millstream.compiler.lookups import Lookups
from millstream.compiler.relations import named
from millstream.compiler.scope import Scope, ValueColumn
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.functions import OBJECTS, asks_functions
from millstream.compiler.tags.likeness import TaggedTuples
from millstream.compiler.tags.marks import marks_now, tag_scope
from millstream.compiler.tags.tag_statement import (
    TagStatement,
    late_rows,
    result_row,
    with_channel,
)
from millstream.compiler.tags.templates import TAG_SLOTS
from millstream.compiler.tags.tuple_source import TupleSource
from millstream.compiler.windows import CLOCK
from millstream.model.schema import ValueType
from millstream.model.tags import step_layout

GIVEN = "given"
"""The role of the tags that were given before."""
STATE = "state"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of one tag on a tuple n, as a mark m."""

    tag: TagVariable
    predicate: Expression
    """Flat, and without constants."""

    def sql(self, source: TupleSource, constants: Scope) -> str:
        if self.predicate == TRUE:
            return "true"
        objects = {OBJECTS: ValueColumn("n.objects", ValueType.TEXT)}
        own = tag_scope(self.tag, "m.", source.tuples.time_type)
        return condition(self.predicate, {**source.scope("n"), **own, **constants, **objects})

    def passed(self, rows: str, asked: str) -> str:
        """The rows n that have a mark m as asked, in SQL."""
        marks = f"{named(marks_now(True))} m ON m.tagset = n.tagset AND {asked}"
        if not asks_functions(self.predicate):
            return f"SELECT n.* FROM {with_channel(rows)} LEFT SEMI JOIN {marks}"
        # Spark evaluates Python in inner joins only.
        found = f"SELECT n.channel, n.position FROM {with_channel(rows)} JOIN {marks}"
        return (
            f"SELECT n.* FROM {named(rows)} n LEFT SEMI JOIN {named(found)} f"
            f" ON f.channel = n.channel AND f.position = n.position"
        )


@dataclass(frozen=True, slots=True)
class SelectionBase(TagStatement):
    """A selection of the tuples of one stream."""

    source: TupleSource
    question: Question | None
    tagged: TaggedTuples | None
    """By which likeness is judged, if it is."""

    @property
    def lookups(self) -> Lookups:
        return self.source.rows.lookups()

    @property
    def reference(self) -> str | None:
        return self.source.reference if self._windowed else None

    @property
    def keeps(self) -> bool:
        return self.tagged is not None

    @property
    def _windowed(self) -> bool:
        return self.tagged is not None and self.tagged.window is not None

    def rows(self, tags: StepTags, disordered: bool) -> str:
        """The tuples of the batch, with the objects of contents where they are asked about."""
        late = disordered and self._windowed
        new = self.source.new(tagged=tags.now, disordered=late)
        if self.tagged is None:
            return new
        objects = self.tagged.objects_at(
            f"SELECT channel, position, time FROM {named(new)}", STATE, tags
        )
        return (
            f"SELECT n.*, o.objects FROM {named(new)} n LEFT JOIN {named(objects)} o"
            f" ON o.channel = n.channel AND o.position = n.position"
        )

    def chosen(self, tags: StepTags, disordered: bool) -> str:
        """The tuples of the batch with data and tags as asked."""
        rows = self.rows(tags, disordered)
        if self.question is None:
            return rows
        if not tags.now:
            return f"SELECT * FROM {named(rows)} WHERE false"
        return self.question.passed(rows, self.question.sql(self.source, self.constants.scope()))

    def remembered(self, tags: StepTags, disordered: bool, full: bool) -> Iterator[str]:
        """State, and what came too late."""
        if self.tagged is not None:
            yield from self.tagged.state(STATE, tags, full)
        if disordered and self._windowed:
            yield late_rows(self.source, tags.now)


@dataclass(frozen=True, slots=True)
class SelectionStatement(SelectionBase):
    """The tuples with data, or an object with a tag, as asked."""

    slots: tuple[str, ...]
    """Over a row n."""
    with_tags: bool

    def sql(self, *, disordered: bool, full: bool, tags: StepTags = NO_TAGS) -> str:
        sets = ("CAST(n.tagset AS STRING)",) if self.with_tags and tags.now else ()
        row = result_row("n.channel", ("n.position",), (*self.slots, *sets))
        selected = f"SELECT {row} FROM {named(self.chosen(tags, disordered))} n"
        return " UNION ALL ".join((selected, *self.remembered(tags, disordered, full)))


@dataclass(frozen=True, slots=True)
class TagSelectionStatement(SelectionBase):
    """Each tag that is on a tuple as asked, once, with the first such tuple."""

    @property
    def keeps(self) -> bool:
        return True

    def sql(self, *, disordered: bool, full: bool, tags: StepTags = NO_TAGS) -> str:
        parts = [*self._found(tags, disordered), *self.remembered(tags, disordered, full)]
        if full:
            parts.append(self._known())
        if not parts:
            return f"SELECT {result_row('0', ('0L',), ())} WHERE false"
        return " UNION ALL ".join(parts)

    def _found(self, tags: StepTags, disordered: bool) -> Iterator[str]:
        if not tags.now:
            return
        assert self.question is not None, "tags are asked for"
        asked = self.question.sql(self.source, self.constants.scope())
        first = (
            f"SELECT n.channel, m.tag, min(n.position) AS position"
            f" FROM {with_channel(self.rows(tags, disordered))} JOIN {named(marks_now(True))} m"
            f" ON m.tagset = n.tagset AND {asked} GROUP BY n.channel, m.tag"
        )
        given = f"SELECT channel, tick AS tag FROM {STATE} WHERE role = '{GIVEN}'"
        fresh = (
            f"SELECT f.* FROM {named(first)} f LEFT ANTI JOIN {named(given)} g"
            f" ON g.channel = f.channel AND g.tag = f.tag"
        )
        slots = tuple(f"CAST(t.{each} AS STRING)" for each in TAG_SLOTS)
        row = result_row("f.channel", ("f.position", "f.tag"), slots)
        joined = f"{named(fresh)} f JOIN {step_layout.TAGS} t ON t.tag = f.tag"
        yield f"SELECT {row} FROM {joined}"
        # An Instant tag on the next tuple, whichever it is, is never met again.
        once = "t.lifespan IS NULL AND t.applicability LIKE '%,*,{%'"
        kept = _given("f.channel", "f.tag", "t.time + t.lifespan")
        yield f"SELECT {kept} FROM {joined} WHERE NOT ({once})"

    def _known(self) -> str:
        """The tags given before that may be met again."""
        reached = self.source.reached("q")
        kept = _given("s.channel", "s.tick", "s.ordering[0]")
        given = f"FROM {STATE} WHERE role = '{GIVEN}'"
        newest = f"SELECT channel, max(tick) AS newest {given} GROUP BY channel"
        # An Instant tag names tuples of the run behind it, up to the next tags.
        recent = f"s.tick > w.newest - {2 * step_layout.STEP_NUMBERS}L"
        return (
            f"SELECT {kept} FROM {STATE} s JOIN {named(newest)} w ON w.channel = s.channel"
            f" LEFT JOIN {CLOCK} q ON q.reference = '{self.source.reference}'"
            f" WHERE s.role = '{GIVEN}'"
            f" AND coalesce(s.ordering[0] > {reached}, s.ordering[0] IS NOT NULL OR {recent})"
        )


def _given(channel: str, tag: str, end: str) -> str:
    return output.row(
        kind=f"'{output.STATE}'",
        role=f"'{GIVEN}'",
        channel=channel,
        tick=tag,
        ordering=f"array(CAST({end} AS BIGINT))",
    )
