"""Selections of one stream: by data, by tags, and of the tags themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.compiler import output
from millstream.compiler.lookups import Lookups
from millstream.compiler.order import Order
from millstream.compiler.relations import named
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.likeness import TaggedTuples
from millstream.compiler.tags.question import Question
from millstream.compiler.tags.tag_statement import (
    TagStatement,
    late_rows,
    own_state,
    result_row,
    with_channel,
)
from millstream.compiler.tags.templates import TAG_SLOTS
from millstream.compiler.tags.tuple_source import TupleSource
from millstream.compiler.windows import CLOCK
from millstream.model.tags import step_layout

GIVEN = "given"
"""The role of the tags that were given before."""
STATE = own_state("state")
_RESULT, _STATE = f"'{output.RESULTS}'", f"'{output.STATE}'"


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
        if self._meets_first(self.question, tags):
            constants = self.constants.scope()
            marks = self.question.marks(self.source, constants)
            met = self.question.meeting("LEFT SEMI JOIN", marks, self.source, constants)
            return f"SELECT {tags.brought('m')}{self.source.selected(tagged=True)} {met}"
        return self.question.passed(rows, self.source, self.constants.scope(), tags)

    def _meets_first(self, question: Question, tags: StepTags) -> bool:
        """Whether tuples meet tags before anything is asked of their data."""
        return tags.few and self.tagged is None and question.met_first(self.source)

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

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        sets = ("CAST(n.tagset AS STRING)",) if self.with_tags and tags.now else ()
        row = result_row("n.channel", ("n.position",), (*self.slots, *sets))
        selected = f"SELECT {row} FROM {named(self.chosen(tags, order.late))} n"
        return " UNION ALL ".join((selected, *self.remembered(tags, order.late, full)))


@dataclass(frozen=True, slots=True)
class TagSelectionStatement(SelectionBase):
    """Each tag that is on a tuple as asked, once, with the first such tuple."""

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        parts = [*self._found(tags, order.late), *self.remembered(tags, order.late, full)]
        if full:
            parts.append(self._known(tags))
        if not parts:
            return f"SELECT {result_row('0', ('0L',), ())} WHERE false"
        return " UNION ALL ".join(parts)

    def _found(self, tags: StepTags, disordered: bool) -> Iterator[str]:
        if not tags.now:
            return
        assert self.question is not None, "tags are asked for"
        constants = self.constants.scope()
        marks = self.question.marks(self.source, constants, fleeting=tags.fleeting)
        if self._meets_first(self.question, tags):
            channel, position = "c.channel", "b.position"
            met = self.question.meeting(
                "JOIN", marks, self.source, constants, fleeting=tags.fleeting
            )
        else:
            channel, position = "n.channel", "n.position"
            met = self._met(marks, tags, disordered)
        if tags.fleeting:
            # No tag is met twice, here or later.
            row = result_row(channel, (position, "m.tag"), _slots("m"))
            yield f"SELECT {tags.brought('m')}{row} {met}"
            return
        first = (
            f"SELECT {tags.brought('m')}{channel} AS channel, m.tag, min({position}) AS position"
            f" {met} GROUP BY {channel}, m.tag"
        )
        given = f"SELECT channel, tick AS tag FROM {STATE} WHERE role = '{GIVEN}'"
        fresh = (
            f"SELECT f.* FROM {named(first)} f LEFT ANTI JOIN {named(given)} g"
            f" ON g.channel = f.channel AND g.tag = f.tag"
        )
        # An Instant tag on the next tuple, whichever it is, is never met again.
        once = "t.lifespan IS NULL AND t.applicability LIKE '%,*,{%'"
        both = f"array({_RESULT}, {_STATE})"
        kinds = both if tags.indexed else f"IF({once}, array({_RESULT}), {both})"
        joined = f"{named(fresh)} f JOIN {step_layout.TAGS} t ON t.tag = f.tag"
        yield (
            f"SELECT {tags.brought('f')}{_told_or_kept()} FROM {joined}"
            f" LATERAL VIEW explode({kinds}) k AS kind"
        )

    def _met(self, marks: str, tags: StepTags, disordered: bool) -> str:
        """FROM: the tuples n with data as asked, joined to the marks m that are on them."""
        assert self.question is not None, "tags are asked for"
        rest = self.question.rest(self.source, self.constants.scope())
        rows = self.rows(tags, disordered)
        return (
            f"FROM {with_channel(rows) if rest else f'{named(rows)} n'} JOIN {named(marks)} m"
            f" ON m.channel = n.channel AND m.tagset = n.tagset{rest}"
        )

    def _known(self, tags: StepTags) -> str:
        """The tags given before that may be met again."""
        reached = self.source.reached("q")
        end = "get(s.ordering, 0)"
        kept = _given("s.channel", "s.tick", end)
        given = f"FROM {STATE} WHERE role = '{GIVEN}'"
        newest = f"SELECT channel, max(tick) AS newest {given} GROUP BY channel"
        # An Instant tag names tuples of the run behind it, up to the next tags of the source. Only
        # a stix can put it on tuples after that, as long as it is open.
        recent = f"s.tick > w.newest - {2 * step_layout.STEP_NUMBERS}L"
        recent = "true" if tags.indexed else recent
        return (
            f"SELECT {kept} FROM {STATE} s JOIN {named(newest)} w ON w.channel = s.channel"
            f" LEFT JOIN {CLOCK} q ON q.reference = '{self.source.reference}'"
            f" WHERE s.role = '{GIVEN}'"
            f" AND coalesce({end} > {reached}, {end} IS NOT NULL OR {recent})"
        )


def _slots(tag: str) -> tuple[str, ...]:
    return tuple(f"CAST({tag}.{each} AS STRING)" for each in TAG_SLOTS)


def _told_or_kept() -> str:
    """A tag t, found at f, as a result or as one that has been given, as the kind k says."""
    result = f"k.kind = {_RESULT}"
    end = "array(CAST(t.time + t.lifespan AS BIGINT))"
    slots = output.array(_slots("t"))
    return output.row(
        kind="k.kind",
        role=f"IF({result}, NULL, '{GIVEN}')",
        channel="f.channel",
        tick=f"IF({result}, NULL, f.tag)",
        ordering=f"IF({result}, array(f.position, f.tag), {end})",
        values=f"IF({result}, {slots}, NULL)",
    )


def _given(channel: str, tag: str, end: str) -> str:
    return output.row(
        kind=f"'{output.STATE}'",
        role=f"'{GIVEN}'",
        channel=channel,
        tick=tag,
        ordering=f"array(CAST({end} AS BIGINT))",
    )
