"""Groups by tags: each tuple goes to the closest group in the window, or begins one.

Which groups there are depends on where earlier tuples went, so tuples are taken in order, one after
the other, within one expression. Where no tuple has a choice, none of that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.algebra.tag_operators import Likeness
from millstream.compiler.names import let, string
from millstream.compiler.relations import named
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.aggregates import AggregateStatement
from millstream.compiler.tags.functions import function_name, meaning, share
from millstream.compiler.tags.likeness import objects_at, own_marks
from millstream.compiler.tags.marks import kept_marks, mark_state, marks_now
from millstream.compiler.tags.selections import STATE
from millstream.model.tags.thesaurus import find_thesaurus

GROUP = "label"
"""The column of the group's name."""
MARKS_ROLE = "tuples marks"
UNTAGGED = "''"
_NO_LABELS = "CAST(array() AS ARRAY<STRING>)"
_MEMBER = "STRUCT<time: BIGINT, label: STRING>"


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

    def fresh(self, tags: StepTags, disordered: bool) -> str:
        tuples = AggregateStatement.fresh(self, tags, disordered)
        labelled = self._labelled(tuples, tags)
        groups = (
            f"SELECT f.channel, g.position AS position, g.label AS {GROUP}"
            f" FROM {named(self._folded(labelled))} f"
            f" LATERAL VIEW inline(f.groups) g AS position, label"
        )
        return (
            f"SELECT n.*, g.{GROUP} FROM {named(tuples)} n JOIN {named(groups)} g"
            f" ON g.channel = n.channel AND g.position = n.position"
        )

    # What the tags of a tuple call for.

    def _labelled(self, tuples: str, tags: StepTags) -> str:
        """Tuples with the labels of their tags in the order of arrival, and with objects."""
        objects = "CAST(NULL AS MAP<STRING, ARRAY<STRING>>) AS objects"
        joins = ""
        labels = _NO_LABELS
        if tags.now:
            labels = f"coalesce(k.labels, {_NO_LABELS})"
            joins = f" LEFT JOIN {named(self._labels())} k ON k.tagset = n.tagset"
        if self._by_objects:
            members = f"{self._old()} UNION ALL {tuples}"
            found = objects_at(tuples, members, self._marks(tuples, tags), self.window)
            objects = "o.objects AS objects"
            joins += (
                f" LEFT JOIN {named(found)} o ON o.channel = n.channel AND o.position = n.position"
            )
        return (
            f"SELECT n.channel, n.position, n.time, {labels} AS labels, {objects}"
            f" FROM {named(tuples)} n{joins}"
        )

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

    def _old(self) -> str:
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

    def _folded(self, labelled: str) -> str:
        kept = "" if self.untagged else " WHERE size(labels) > 0"
        rows = (
            f"SELECT channel, {_in_order('collect_list(struct(position, time, labels, objects))')}"
            f" AS tuples FROM {named(labelled)}{kept} GROUP BY channel"
        )
        known = _in_order(f"collect_list(struct(position, time, {GROUP}))")
        members = (
            f"SELECT channel, transform({known},"
            f" m -> CAST(struct(m.time, m.{GROUP}) AS {_MEMBER})) AS members"
            f" FROM {named(self.source.old(STATE))} WHERE {GROUP} <> '' GROUP BY channel"
        )
        no_members = f"CAST(array() AS ARRAY<{_MEMBER}>)"
        compared = ""
        if self._by_function:
            compared = f" LEFT JOIN {named(self._compared(labelled))} k ON k.channel = t.channel"
        return (
            f"SELECT t.channel, {self._assigned(f'coalesce(m.members, {no_members})')} AS groups"
            f" FROM {named(rows)} t LEFT JOIN {named(members)} m ON m.channel = t.channel{compared}"
        )

    def _compared(self, labelled: str) -> str:
        """How alike all contents in play are, two by two, as a map of maps for each channel."""
        known = (
            f"SELECT channel, {GROUP} AS label FROM {named(self.source.old(STATE))}"
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

    def _assigned(self, members: str) -> str:
        """The group of each tuple in t.tuples, given those that were there before."""
        start = (
            f"struct({members} AS members,"
            f" CAST(array() AS ARRAY<STRUCT<position: BIGINT, label: STRING>>) AS groups)"
        )
        joined = let("chosen", self._chosen("acc", "x"), _joined)
        one_by_one = f"aggregate(t.tuples, {start}, (acc, x) -> {joined}, acc -> acc.groups)"
        if self._by_objects or self._by_function:
            return one_by_one
        first = f"transform(t.tuples, x -> struct(x.position, {_first('x')} AS label))"
        choice = "exists(t.tuples, x -> size(array_distinct(x.labels)) > 1)"
        return f"IF({choice}, {one_by_one}, {first})"

    def _chosen(self, acc: str, x: str) -> str:
        present = f"filter({acc}.members, m -> {self._present('m', x)})"
        if not (self._by_objects or self._by_function):
            own = f"filter({present}, m -> array_contains({x}.labels, m.label))"
            found = f"get({own}, 0).label"
        else:
            found = self._closest(f"array_distinct(transform({present}, m -> m.label))", x)
        return f"IF(size({x}.labels) = 0, {UNTAGGED}, coalesce({found}, {_first(x)}))"

    def _present(self, member: str, x: str) -> str:
        if self.window is None:
            return "true"
        return f"{member}.time <= {x}.time AND {x}.time < {member}.time + {self.window}L"

    def _closest(self, groups: str, x: str) -> str:
        """Of some groups the closest to the labels of a tuple, the first among equals."""
        near = f"array_max(transform({x}.labels, y -> {self._near_to('y', 'g', x)}))"
        scored = f"transform({groups}, (g, i) -> struct({near} AS near, -i AS turn, g AS label))"
        enough = f"filter({scored}, s -> s.near >= {self.threshold!r}D AND s.near > 0D)"
        return f"array_max({enough}).label"

    def _near_to(self, one: str, other: str, x: str) -> str:
        """How alike two contents are at a tuple."""
        if self._by_function:
            return f"coalesce(try_element_at(try_element_at(k.likes, {one}), {other}), 0D)"
        objects = f"coalesce({x}.objects, CAST(map() AS MAP<STRING, ARRAY<STRING>>))"
        found = (
            f"coalesce(try_element_at({objects}, {each}), {_NO_LABELS})" for each in (one, other)
        )
        return share(*found)


def _in_order(tuples: str) -> str:
    """An array of structs in the order of their positions; what else they hold need not sort."""
    return f"array_sort({tuples}, (a, b) -> CAST(sign(a.position - b.position) AS INT))"


def _first(x: str) -> str:
    return f"coalesce(get({x}.labels, 0), {string('')})"


def _joined(chosen: str) -> str:
    """What is known after a tuple x went to a group."""
    member = f"CAST(struct(x.time, {chosen}) AS {_MEMBER})"
    members = f"IF({chosen} = '', acc.members, concat(acc.members, array({member})))"
    groups = f"concat(acc.groups, array(struct(x.position AS position, {chosen} AS label)))"
    return f"struct({members} AS members, {groups} AS groups)"
