"""Joins that judge contents by their objects: a pair waits until all that it is judged by is there.

What is in the windows when the later of two tuples comes is told by time, and streams do not arrive
in step with each other. So a pair is given once every stream has gone past the time of its later
tuple; the time up to which all have is the frontier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.compiler.expressions import condition
from millstream.compiler.names import string
from millstream.compiler.order import Order
from millstream.compiler.output import array
from millstream.compiler.relations import named
from millstream.compiler.rows import CHANNELS
from millstream.compiler.scope import Scope, ValueColumn
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.functions import OBJECTS
from millstream.compiler.tags.join_side import JoinSide
from millstream.compiler.tags.likeness import SAME_STRETCH, TaggedTuples, placed, spread
from millstream.compiler.tags.marks import object_key
from millstream.compiler.tags.pairs import PairStatement, clock_reference
from millstream.compiler.tags.tag_statement import late_rows
from millstream.compiler.windows import CLOCK
from millstream.model.schema import ValueType

_NEVER = f"{2**63 - 1}L"
_LONG_AGO = f"{-(2**62)}L"


@dataclass(frozen=True, slots=True)
class DeferredPairStatement(PairStatement):
    """Pairs that are judged by the tagged objects in both windows."""

    left_tagged: TaggedTuples
    right_tagged: TaggedTuples

    @property
    def waits(self) -> bool:
        return True

    @property
    def _sides(self) -> tuple[tuple[JoinSide, TaggedTuples], ...]:
        return (self.left, self.left_tagged), (self.right, self.right_tagged)

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        results = self.finished(self._complete(tags, order.late), tags)
        return " UNION ALL ".join((results, *self._remembered(tags, order.late, full)))

    # How far all streams are.

    def _frontier(self) -> str:
        """A row f: up to which time pairs were given before, and are after this step."""
        own = self.stepping[0]
        other = self.right if own is self.left else self.left
        mine = self._clock(own, own.source.reference or "", "highest")
        if other.source.stream == own.source.stream:
            return mine
        theirs = self._clock(other, clock_reference(own, other), "now")
        return (
            f"SELECT least(a.before, b.before) AS before, least(a.after, b.after) AS after"
            f" FROM {named(mine)} a CROSS JOIN {named(theirs)} b"
        )

    def _clock(self, side: JoinSide, reference: str, before: str) -> str:
        reached = side.source.reached("q")
        done = reached.replace("q.highest", f"q.{before}")
        now = reached.replace("q.highest", "q.now")
        ended = f"IF(bool_or(q.ended), {_NEVER}, coalesce(max({now}), {_LONG_AGO}))"
        begun = ended if before == "now" else f"coalesce(max({done}), {_LONG_AGO})"
        clock = f"{CLOCK} q WHERE q.reference = {string(reference)}"
        return f"SELECT {begun} AS before, {ended} AS after FROM {clock}"

    # Pairs.

    def _complete(self, tags: StepTags, disordered: bool) -> str:
        lefts, rights = (
            self._all(side, tags, disordered, exploded=side is self.right)
            for side, _ in self._sides
        )
        equal = "".join(f" AND r.k{place} = l.k{place}" for place in range(len(self.left.keys)))
        sets = self.sets if tags.any else ()
        numbers = "".join(f", {each} AS s{place}" for place, each in enumerate(sets))
        later = "IF(r.time >= l.time, struct(1 AS side, r.position), struct(0 AS side, l.position))"
        asked = condition(self.predicate, self.scope())
        return (
            f"SELECT l.channel AS channel, greatest(l.time, r.time) AS time,"
            f" l.position AS one, r.position AS other, {array(self.slots)} AS slots{numbers}"
            f" FROM {named(lefts)} l JOIN {named(rights)} r ON r.channel = l.channel"
            f" AND r.bucket = l.bucket{equal} AND {self.in_time}"
            f" JOIN {named(self._frontier())} f ON greatest(l.time, r.time) >= f.before"
            f" AND greatest(l.time, r.time) < f.after"
            f" LEFT JOIN {named(self._objects(tags, disordered))} o ON o.channel = l.channel"
            f" AND o.side = {later}.side AND o.position = {later}.position"
            f" JOIN {CHANNELS} c ON c.channel = l.channel AND {asked}"
        )

    def scope(self) -> Scope:
        objects = {OBJECTS: ValueColumn("o.objects", ValueType.TEXT)}
        return {**PairStatement.scope(self), **objects}

    def _all(self, side: JoinSide, tags: StepTags, disordered: bool, *, exploded: bool) -> str:
        """All tuples of a side, with the marks on them."""
        found = (side.kept_tuples(), side.fresh_tuples(tags, disordered))
        return " UNION ALL ".join(
            side.prepared(each, self.width, exploded=exploded) for each in found if each is not None
        )

    def _moments(self, tags: StepTags, disordered: bool) -> str:
        """When later tuples come: by time, then by side, then by position."""
        found = []
        for number, (side, _) in enumerate(self._sides):
            rows = [side.old, side.new(tags, disordered)]
            found += [
                f"SELECT channel, {number} AS side, position, time FROM {named(each)}"
                for each in rows
                if each is not None
            ]
        return (
            f"SELECT m.* FROM {named(' UNION ALL '.join(found))} m"
            f" JOIN {named(self._frontier())} f ON m.time >= f.before AND m.time < f.after"
        )

    def _objects(self, tags: StepTags, disordered: bool) -> str:
        """For each moment, the objects of contents in both windows, as a map."""
        members, marks = [], []
        for number, (side, tagged) in enumerate(self._sides):
            own = tags if side.stepping else NO_TAGS
            rows = tagged.rows(side.state, own)
            members.append(
                f"SELECT channel, {number} AS side, position, time, tagset,"
                f" {side.window}L AS span, {string(side.source.stream)} AS stream"
                f" FROM {named(rows)}"
            )
            marks.append(tagged.marks(side.state, own))
        place = "concat(e.stream, ' ', CAST(e.position AS STRING))"
        present = (
            f"SELECT n.channel, n.side, n.position, m.content,"
            f" collect_set({object_key('m', place)}) AS keys"
            f" FROM {named(placed(self._moments(tags, disordered), self.width))} n"
            f" JOIN {named(spread(' UNION ALL '.join(members), self.width))} e"
            f" ON e.channel = n.channel AND {SAME_STRETCH}"
            f" AND struct(e.time, e.side, e.position) <= struct(n.time, n.side, n.position)"
            f" AND n.time < e.time + e.span"
            f" JOIN (SELECT DISTINCT * FROM {named(' UNION ALL '.join(marks))}) m"
            f" ON m.channel = e.channel AND m.tagset = e.tagset"
            f" GROUP BY n.channel, n.side, n.position, m.content"
        )
        return (
            f"SELECT channel, side, position,"
            f" map_from_entries(collect_list(struct(content, keys))) AS objects"
            f" FROM {named(present)} GROUP BY channel, side, position"
        )

    # State.

    def _remembered(self, tags: StepTags, disordered: bool, full: bool) -> Iterator[str]:
        for side, tagged in self._sides:
            if not side.stepping:
                continue
            kept = (
                f" CROSS JOIN {named(self._frontier())} f"
                f" WHERE n.time + {max(1, side.window)}L > f.before"
            )
            yield from side.remembered(tags, disordered, full, kept)
            yield from tagged.state(side.state, tags, full, kept)
        if disordered:
            yield late_rows(self.stepping[0].source, tags.now)
