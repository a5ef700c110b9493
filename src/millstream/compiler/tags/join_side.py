"""One of two sources that are joined: its tuples, new and kept, with the tags asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from millstream.algebra.tag_operators import TagVariable
from millstream.compiler.joins import state_view
from millstream.compiler.names import identifier
from millstream.compiler.output import floor_div
from millstream.compiler.relations import named
from millstream.compiler.scope import Scope
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.marks import (
    FIELDS,
    NO_MARKS,
    distinct_marks,
    kept_marks,
    mark_state,
    marks_now,
)
from millstream.compiler.tags.marks import tag_scope as scope_of_tag
from millstream.compiler.tags.tag_statement import own_state
from millstream.compiler.tags.tuple_source import TupleSource

MARK = "m_"
"""Before the columns of a mark in the row of a side."""


@dataclass(frozen=True, slots=True)
class JoinKey:
    """What must be equal on both sides, as SQL over a tuple s and a mark m."""

    sql: str
    of_tag: bool
    """True when the tag alone tells it: it is computed once for each mark."""


@dataclass(frozen=True, slots=True)
class SideTuples:
    """Tuples of a side, in SQL."""

    rows: str
    marks: str | None
    """What is tagged in them, with the keys that the tag alone tells; None if nobody asks."""
    kept: bool
    """True for those that state has kept: the same marks may have been kept several times."""


@dataclass(frozen=True, slots=True)
class JoinSide:
    """A source within a window, as steps of one of the joined streams see it."""

    source: TupleSource
    window: int
    tag: TagVariable | None
    """The tag on its tuples that is asked about: only tagged tuples matter then."""
    stepping: bool
    """True when the step is one of its own stream."""
    keys: tuple[JoinKey, ...] = ()

    @property
    def state(self) -> str:
        """The state that its tuples are kept in."""
        return own_state(identifier(state_view(self.source.stream)))

    @property
    def marks_role(self) -> str:
        return f"{self.source.name} marks"

    def scope(self, alias: str) -> Scope:
        """Attributes and fields of the tag, of a row that goes by an alias."""
        return {**self.source.scope(alias), **self.tag_scope(f"{alias}.{MARK}")}

    def inner_scope(self) -> Scope:
        """The same where keys are computed."""
        return {**self.source.scope("s"), **self.tag_scope("m.")}

    def tag_scope(self, prefix: str) -> Scope:
        """The fields of the tag, as columns whose names have something before them."""
        if self.tag is None:
            return {}
        return scope_of_tag(self.tag, prefix, self.source.tuples.time_type)

    # Relations.

    def new(self, tags: StepTags, disordered: bool) -> str | None:
        """The tuples of the batch; None when the step is of another stream."""
        if not self.stepping:
            return None
        rows = self.source.new(tagged=tags.now, disordered=disordered)
        return f"SELECT * FROM {named(rows)} WHERE {self._worth}"

    @property
    def old(self) -> str:
        return self.source.old(self.state)

    def fresh_tuples(self, tags: StepTags, disordered: bool) -> SideTuples | None:
        """The tuples of the batch, with marks; None when the step is of another stream."""
        rows = self.new(tags, disordered)
        if rows is None:
            return None
        return SideTuples(rows, self._keyed(marks_now(True) if tags.now else NO_MARKS), kept=False)

    def kept_tuples(self) -> SideTuples:
        """The tuples of earlier steps, with marks."""
        marks = self._keyed(kept_marks(self.state, self.marks_role))
        return SideTuples(self.old, marks, kept=True)

    @property
    def _worth(self) -> str:
        """What tuples must have to be joined at all."""
        return "time IS NOT NULL" if self.tag is None else "time IS NOT NULL AND tagset IS NOT NULL"

    def prepared(
        self,
        tuples: SideTuples,
        width: int,
        *,
        exploded: bool,
        others: SideTuples | None = None,
        shared: Sequence[int] = (),
    ) -> str:
        """Tuples with the marks on them, their keys, and the bucket of time that they are in.

        Of others that they are to meet, the marks have some of the keys as well: tuples without a
        mark whose keys are among these are left out at once.
        """
        marks = tuples.marks
        if others is not None and shared and marks is not None and others.marks is not None:
            equal = " AND ".join(f"o.k{place} = m.k{place}" for place in shared)
            theirs = f"{named(others.marks)} o ON {equal}"
            marks = f"SELECT m.* FROM {named(marks)} m LEFT SEMI JOIN {theirs}"
        bucket = floor_div("s.time", f"{width}L")
        fields = "".join(
            f", {f'm.k{place}' if each.of_tag else each.sql} AS k{place}"
            for place, each in enumerate(self.keys)
        )
        if marks is not None:
            fields += "".join(f", m.{each} AS {MARK}{each}" for each in ("tag", *FIELDS))
        joined = "" if marks is None else self._joined(marks, kept=tuples.kept)
        lateral = ""
        if exploded:
            buckets = f"array({bucket} - 1, {bucket}, {bucket} + 1)"
            lateral, bucket = f" LATERAL VIEW explode({buckets}) u AS near", "u.near"
        rows = f"{named(tuples.rows)} s{joined}{lateral}"
        return f"SELECT s.*, {bucket} AS bucket{fields} FROM {rows}"

    def _joined(self, marks: str, *, kept: bool) -> str:
        """What joins marks m to tuples s."""
        if not kept:
            return f" JOIN {named(marks)} m ON m.tagset = s.tagset"
        keys = [f"k{place}" for place, each in enumerate(self.keys) if each.of_tag]
        once = distinct_marks(marks, keys)
        return f" JOIN {named(once)} m ON m.channel = s.channel AND m.tagset = s.tagset"

    def _keyed(self, marks: str) -> str | None:
        """Marks with the keys that the tag alone tells; None if no tags are asked about."""
        if self.tag is None:
            return None
        keys = [(place, each.sql) for place, each in enumerate(self.keys) if each.of_tag]
        told = "".join(f", {sql} AS k{place}" for place, sql in keys)
        return f"SELECT m.*{told} FROM {named(marks)} m" if told else marks

    # State.

    def remembered(self, tags: StepTags, disordered: bool, full: bool, kept: str) -> Sequence[str]:
        """State rows; `kept` says of a tuple n which may still meet others."""
        new = self.new(tags, disordered)
        if new is None:
            return ()
        rows = f"{self.old} UNION ALL {new}" if full else new
        parts = [self.source.state(rows, kept if full else "")]
        if self.tag is not None:
            parts += self._kept_marks(new, tags, full, kept)
        return parts

    def _kept_marks(self, new: str, tags: StepTags, full: bool, kept: str) -> list[str]:
        fields = ", ".join(("tagset", "tag", *FIELDS))
        found = []
        if tags.now:
            sets = f"SELECT DISTINCT channel, tagset FROM {named(new)}"
            found.append(
                f"SELECT n.channel, k.* FROM {named(sets)} n"
                f" JOIN {named(marks_now(True))} k ON k.tagset = n.tagset"
            )
        if full:
            still = f"SELECT n.channel, n.tagset FROM {named(self.old)} n{kept}"
            found.append(
                f"SELECT DISTINCT k.channel, {fields} FROM"
                f" {named(kept_marks(self.state, self.marks_role))} k"
                f" LEFT SEMI JOIN {named(still)} e"
                f" ON e.channel = k.channel AND e.tagset = k.tagset"
            )
        return [mark_state(self.marks_role, each) for each in found]
