"""Groups by tags: each tuple goes to the closest group in the window, or begins one.

Which groups there are depends on where earlier tuples went, so tuples are taken in order, one after
the other, by a function that runs in Python. Where no tuple can have a choice, it is not called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.algebra.tag_operators import Likeness
from millstream.compiler.names import string
from millstream.compiler.relations import named
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.aggregates import AggregateStatement
from millstream.compiler.tags.functions import function_name, meaning
from millstream.compiler.tags.likeness import objects_at, own_marks
from millstream.compiler.tags.marks import kept_marks, mark_state, marks_now
from millstream.compiler.tags.selections import STATE
from millstream.model.tags.thesaurus import find_thesaurus

GROUP = "label"
"""The column of the group's name."""
GROUPS_FUNCTION = "tag_groups_of"
"""The function that takes tuples one after the other, which the session has to know."""
GROUPS_TYPE = "array<struct<position: bigint, label: string>>"
MARKS_ROLE = "tuples marks"
_NO_LABELS = "CAST(array() AS ARRAY<STRING>)"
_NO_OBJECTS = "CAST(NULL AS MAP<STRING, ARRAY<STRING>>)"
_NO_LIKES = "CAST(NULL AS MAP<STRING, MAP<STRING, DOUBLE>>)"
_NO_MEMBERS = f"CAST(array() AS ARRAY<STRUCT<position: BIGINT, time: BIGINT, {GROUP}: STRING>>)"


@dataclass(frozen=True, slots=True)
class TagGroupStatement(AggregateStatement):
    """For each tuple the new answer of the group that its tags bring it to."""

    likeness: Likeness
    threshold: float
    dictionary: str
    untagged: bool
    function: str

    @property
    def _by_objects(self) -> bool:
        """True when contents are alike by the objects that they have in common."""
        return self.likeness is Likeness.JACCARD

    @property
    def _by_function(self) -> bool:
        """True when a user's function tells how alike contents are."""
        return self.likeness is Likeness.FUNCTION

    @property
    def _by_label(self) -> bool:
        """True when tags are in one group only if they have one label."""
        return not (self._by_objects or self._by_function)

    def fresh(self, tags: StepTags, disordered: bool) -> str:
        tuples = AggregateStatement.fresh(self, tags, disordered)
        labelled = self._labelled(tuples, tags)
        if self._by_label and (tags.fleeting or not tags.now):
            # No tuple has more than one tag.
            found = f"SELECT channel, position, {_first('l')} AS {GROUP} FROM {named(labelled)} l"
        else:
            found = (
                f"SELECT f.channel, g.position AS position, g.label AS {GROUP}"
                f" FROM {named(self._found(labelled))} f"
                f" LATERAL VIEW inline(f.groups) g AS position, label"
            )
        return (
            f"SELECT n.*, g.{GROUP} FROM {named(tuples)} n JOIN {named(found)} g"
            f" ON g.channel = n.channel AND g.position = n.position"
        )

    # What the tags of a tuple call for.

    def _labelled(self, tuples: str, tags: StepTags) -> str:
        """Tuples with the labels of their tags in the order of arrival, and with objects."""
        objects = f"{_NO_OBJECTS} AS objects"
        joins = ""
        labels = _NO_LABELS
        if tags.now:
            labels = f"coalesce(k.labels, {_NO_LABELS})"
            joins = f" LEFT JOIN {named(self._labels())} k ON k.tagset = n.tagset"
        if self._by_objects:
            members = f"{self._kept_tuples()} UNION ALL {tuples}"
            found = objects_at(tuples, members, self._marks(tuples, tags), self.window)
            objects = "o.objects AS objects"
            joins += (
                f" LEFT JOIN {named(found)} o ON o.channel = n.channel AND o.position = n.position"
            )
        rows = (
            f"SELECT n.channel, n.position, n.time, {labels} AS labels, {objects}"
            f" FROM {named(tuples)} n{joins}"
        )
        return rows if self.untagged else f"SELECT * FROM {named(rows)} WHERE size(labels) > 0"

    def _labels(self) -> str:
        label = "content"
        if self.likeness is Likeness.DICTIONARY:
            label = meaning("content", find_thesaurus(self.dictionary))
        found = f"SELECT DISTINCT tagset, tag, {label} AS label FROM {named(marks_now(True))}"
        arrived = "array_sort(collect_list(struct(tag, label)))"
        return (
            f"SELECT tagset, transform({arrived}, t -> t.label) AS labels"
            f" FROM {named(found)} GROUP BY tagset"
        )

    def _kept_tuples(self) -> str:
        return f"SELECT {', '.join(self.source.names)} FROM {named(self.source.old(STATE))}"

    def _marks(self, tuples: str, tags: StepTags) -> str:
        """The marks of tuples, for each channel."""
        kept = kept_marks(STATE, MARKS_ROLE)
        both = f"{kept} UNION ALL {own_marks(tuples)}" if tags.now else kept
        return f"SELECT DISTINCT * FROM {named(both)}"

    def _state(self, fresh: str, tags: StepTags, full: bool) -> Iterator[str]:
        yield from AggregateStatement._state(self, fresh, tags, full)
        if self._by_objects and tags.now:
            yield mark_state(MARKS_ROLE, own_marks(fresh))
        if self._by_objects and full:
            still = f"SELECT n.channel, n.tagset FROM {named(self.source.old(STATE))} n{self.kept}"
            kept = (
                f"SELECT DISTINCT k.* FROM {named(kept_marks(STATE, MARKS_ROLE))} k"
                f" LEFT SEMI JOIN {named(still)} e ON e.channel = k.channel AND e.tagset = k.tagset"
            )
            yield mark_state(MARKS_ROLE, kept)

    # Where tuples go.

    def _found(self, labelled: str) -> str:
        """For each channel the positions and groups of its tuples."""
        rows = (
            "SELECT channel, collect_list(struct(position, time, labels, objects)) AS tuples"
            f" FROM {named(labelled)} GROUP BY channel"
        )
        members = (
            f"SELECT channel, collect_list(struct(position, time, {GROUP})) AS members"
            f" FROM {named(self._earlier())} WHERE {GROUP} <> '' GROUP BY channel"
        )
        likes, compared = _NO_LIKES, ""
        if self._by_function:
            likes = "k.likes"
            compared = f" LEFT JOIN {named(self._compared(labelled))} k ON k.channel = t.channel"
        return (
            f"SELECT t.channel, {self._groups(likes)} AS groups FROM {named(rows)} t"
            f" LEFT JOIN {named(members)} m ON m.channel = t.channel{compared}"
        )

    def _groups(self, likes: str) -> str:
        """The groups of the tuples t, given the members m that were there before."""
        window = "CAST(NULL AS BIGINT)" if self.window is None else f"{self.window}L"
        choice = "true"
        if self._by_label:
            choice = "exists(t.tuples, x -> size(array_distinct(x.labels)) > 1)"
        # Spark calls functions of Python in any case: without a choice with nothing to do.
        arguments = (
            f"IF({choice}, t.tuples, NULL)",
            f"IF({choice}, coalesce(m.members, {_NO_MEMBERS}), {_NO_MEMBERS})",
            likes,
            string(self.likeness.value),
            f"{self.threshold!r}D",
            window,
        )
        chosen = f"{GROUPS_FUNCTION}({', '.join(arguments)})"
        if not self._by_label:
            return chosen
        first = f"transform(t.tuples, x -> struct(x.position AS position, {_first('x')} AS label))"
        return f"coalesce({chosen}, {first})"

    def _earlier(self) -> str:
        """The position, time and group of the tuples that were there before."""
        return f"SELECT channel, position, time, {GROUP} FROM {named(self.source.old(STATE))}"

    def _compared(self, labelled: str) -> str:
        """How alike all contents in play are, two by two, as a map of maps for each channel."""
        known = (
            f"SELECT channel, {GROUP} AS label FROM {named(self._earlier())}"
            f" WHERE {GROUP} <> '' UNION SELECT channel, label FROM {named(labelled)}"
            f" LATERAL VIEW explode(labels) u AS label"
        )
        value = f"{function_name(self.function)}(a.label, b.label)"
        pairs = (
            f"SELECT a.channel, a.label AS one, b.label AS other, {value} AS near"
            f" FROM {named(known)} a JOIN {named(known)} b ON b.channel = a.channel"
        )
        rows = (
            f"SELECT channel, one, map_from_entries(collect_list(struct(other, near))) AS others"
            f" FROM {named(pairs)} GROUP BY channel, one"
        )
        return (
            f"SELECT channel, map_from_entries(collect_list(struct(one, others))) AS likes"
            f" FROM {named(rows)} GROUP BY channel"
        )


def _first(x: str) -> str:
    """The group that a tuple goes to which has no choice."""
    return f"coalesce(get({x}.labels, 0), '')"
