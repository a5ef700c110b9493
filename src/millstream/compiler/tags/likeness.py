"""Contents by the objects that they have in common, kept up to date over a window.

For each tuple of the batch: the objects of each content that are on tuples which came up to it and
are in the window at its time.
"""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import Call, Expression
from millstream.algebra.walk import subexpressions
from millstream.compiler.output import floor_div
from millstream.compiler.relations import named
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.marks import (
    FIELDS,
    kept_marks,
    mark_state,
    marks_now,
    object_key,
)
from millstream.compiler.tags.tuple_source import TupleSource
from millstream.compiler.windows import CLOCK

MARKS = "marks"
_BY_OBJECTS = ("tag:jaccard", "tag:together")
SAME_STRETCH = "e.near = n.stretch"
"""What a member e and a row n that is in its window have in common."""


def asks_likeness(expression: Expression) -> bool:
    """True when an expression compares contents by their objects."""
    return any(
        isinstance(each, Call) and each.function in _BY_OBJECTS
        for each in subexpressions(expression)
    )


@dataclass(frozen=True, slots=True)
class TaggedTuples:
    """All tagged tuples of a stream in a window, and what is tagged in them."""

    source: TupleSource
    """Without selections: likeness is judged by all of the stream."""
    window: int | None

    @property
    def role(self) -> str:
        return f"{self.source.name} {MARKS}"

    def rows(self, state: str, tags: StepTags) -> str:
        """The tagged tuples of this and earlier steps."""
        return " UNION ALL ".join((self.source.old(state), *self._new(tags)))

    def marks(self, state: str, tags: StepTags) -> str:
        """What is tagged in them, for each channel."""
        kept = kept_marks(state, self.role)
        now = (own_marks(new) for new in self._new(tags))
        columns = ", ".join(("channel", "tagset", "tag", *FIELDS))
        both = " UNION ALL ".join((kept, *now))
        return f"SELECT DISTINCT {columns} FROM {named(both)}"

    def objects_at(self, rows: str, state: str, tags: StepTags) -> str:
        """For rows of channel, position and time, the objects of contents as a map."""
        return objects_at(rows, self.rows(state, tags), self.marks(state, tags), self.window)

    def state(
        self, state: str, tags: StepTags, full: bool, kept: str | None = None
    ) -> tuple[str, ...]:
        """What later steps need of them; `kept` says of a tuple n which are worth it."""
        if not full:
            new = self._new(tags)
            return (
                *(self.source.state(each) for each in new),
                *(mark_state(self.role, own_marks(each)) for each in new),
            )
        chosen = self._kept() if kept is None else kept
        rows = f"SELECT n.* FROM {named(self.rows(state, tags))} n{chosen}"
        used = (
            f"SELECT k.* FROM {named(self.marks(state, tags))} k LEFT SEMI JOIN {named(rows)} n"
            f" ON n.channel = k.channel AND n.tagset = k.tagset"
        )
        return self.source.state(rows), mark_state(self.role, used)

    def _kept(self) -> str:
        """Keeps tuples n that a tuple which is not late may still meet."""
        if self.window is None:
            return ""
        reached = self.source.reached("q")
        return (
            f" LEFT JOIN {CLOCK} q ON q.reference = '{self.source.reference}'"
            f" WHERE coalesce(n.time + {self.window}L > {reached}, true)"
        )

    def _new(self, tags: StepTags) -> tuple[str, ...]:
        if not tags.now:
            return ()
        return (f"SELECT * FROM {named(self.source.new(tagged=True))} WHERE tagset IS NOT NULL",)


def objects_at(rows: str, members: str, marks: str, window: int | None) -> str:
    """For rows of channel, position and time, the objects of contents on members, as a map."""
    asking, present_members, within = rows, members, ""
    if window is not None:
        asking, present_members = placed(rows, window), spread(members, window)
        within = f" AND {SAME_STRETCH} AND e.time <= n.time AND n.time < e.time + {window}L"
    present = (
        f"SELECT n.channel, n.position, m.content,"
        f" collect_set({object_key('m', 'CAST(e.position AS STRING)')}) AS keys"
        f" FROM {named(asking)} n JOIN {named(present_members)} e"
        f" ON e.channel = n.channel AND e.position <= n.position{within}"
        f" JOIN {named(marks)} m ON m.channel = e.channel AND m.tagset = e.tagset"
        f" GROUP BY n.channel, n.position, m.content"
    )
    return (
        f"SELECT channel, position,"
        f" map_from_entries(collect_list(struct(content, keys))) AS objects"
        f" FROM {named(present)} GROUP BY channel, position"
    )


def placed(rows: str, window: int) -> str:
    """Rows with the stretch of time that they are in, each as wide as the window."""
    return f"SELECT *, {_stretch(window)} AS stretch FROM {named(rows)}"


def spread(members: str, window: int) -> str:
    """Members once for their stretch of time, and once for the next, into which the window goes.

    So who is in the window is looked for by equality, and not among all that ever came.
    """
    stretch = _stretch(window)
    both = f"array({stretch}, {stretch} + 1)"
    return f"SELECT * FROM {named(members)} LATERAL VIEW explode({both}) u AS near"


def _stretch(window: int) -> str:
    return floor_div("time", f"{max(1, window)}L")


def own_marks(rows: str) -> str:
    """The marks of this step's tags that are on rows, for each channel."""
    return (
        f"SELECT DISTINCT n.channel, k.* FROM {named(rows)} n JOIN {named(marks_now(True))} k"
        f" ON k.tagset = n.tagset"
    )
