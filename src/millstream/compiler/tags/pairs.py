"""Joins of tuples within windows: what is new meets what was there, so each pair appears once.

    a.time ≤ b.time < a.time + window of a   or   b.time ≤ a.time < b.time + window of b

Time is cut into buckets as wide as the wider window: tuples that meet are in the same bucket or in
neighbouring ones, so the join is one on equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from millstream.algebra.expressions import TRUE, Compare, Expression
from millstream.algebra.walk import conjoin, conjuncts, free_variables
from millstream.compiler import conversions, output
from millstream.compiler.comparisons import ComparedAs, compared_as, whole
from millstream.compiler.expressions import condition, items_of
from millstream.compiler.items import Item, Lexical, Node, Value
from millstream.compiler.order import Order
from millstream.compiler.relations import named
from millstream.compiler.rows import CHANNELS
from millstream.compiler.scope import Scope
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.join_side import MARK, JoinKey, JoinSide, SideTuples
from millstream.compiler.tags.tag_statement import TagStatement, late_rows
from millstream.compiler.windows import CLOCK


@dataclass(frozen=True, slots=True)
class PairStatement(TagStatement):
    """Pairs of tuples, in steps of one of their streams."""

    left: JoinSide
    right: JoinSide
    predicate: Expression
    """Flat, without constants, and without what the keys of the sides say."""
    slots: tuple[str, ...]
    """Over rows l and r."""
    with_tags: bool
    by_tags: bool
    """True when a pair has the tags by which it was joined."""

    @property
    def reference(self) -> str | None:
        return self.stepping[0].source.reference

    @property
    def other_streams(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.left.source.stream, self.right.source.stream)))

    @property
    def stepping(self) -> tuple[JoinSide, ...]:
        return tuple(each for each in (self.left, self.right) if each.stepping)

    @property
    def width(self) -> int:
        """How wide a bucket of time is."""
        return max(1, self.left.window, self.right.window)

    @property
    def asks_tags(self) -> bool:
        """Whether tags decide which tuples meet; if not, nobody needs them before results are read.

        Results say where their tuples stand, and by that their tags are found.
        """
        return self.left.tag is not None or self.right.tag is not None

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        known = tags if self.asks_tags else NO_TAGS
        results = self.finished(self._pairs(known, order.late), known)
        return " UNION ALL ".join((results, *self.remembered(known, order.late, full)))

    # Pairs.

    def _pairs(self, tags: StepTags, disordered: bool) -> str:
        """The select list of pairs, for each way in which one may come about."""
        left, right = self.left, self.right
        new_left, new_right = (each.fresh_tuples(tags, disordered) for each in (left, right))
        ways = (
            (new_left, right.kept_tuples()),
            (new_left, new_right),
            (left.kept_tuples(), new_right),
        )
        return " UNION ALL ".join(
            self._meeting(one, other, tags)
            for one, other in ways
            if one is not None and other is not None
        )

    def _meeting(self, one: SideTuples, other: SideTuples, tags: StepTags) -> str:
        both = zip(self.left.keys, self.right.keys, strict=True)
        shared = [place for place, keys in enumerate(both) if all(key.of_tag for key in keys)]
        lefts = self.left.prepared(one, self.width, exploded=False, others=other, shared=shared)
        rights = self.right.prepared(other, self.width, exploded=True, others=one, shared=shared)
        equal = "".join(f" AND r.k{place} = l.k{place}" for place in range(len(self.left.keys)))
        sets = self.sets if tags.any else ()
        numbers = "".join(f", {each} AS s{place}" for place, each in enumerate(sets))
        return (
            f"SELECT l.channel AS channel, greatest(l.time, r.time) AS time,"
            f" l.position AS one, r.position AS other,"
            f" {output.array(self.slots)} AS slots{numbers}"
            f" FROM {named(lefts)} l JOIN {named(rights)} r ON r.channel = l.channel"
            f" AND r.bucket = l.bucket{equal} AND {self.in_time}{self.asked()}"
        )

    @property
    def sets(self) -> tuple[str, ...]:
        """The tags, or the sets of tags, of rows l and r that results have in their slots."""
        if self.by_tags:
            return f"l.{MARK}tag", f"r.{MARK}tag"
        return ("l.tagset", "r.tagset") if self.with_tags else ()

    @property
    def in_time(self) -> str:
        """True when the earlier of rows l and r is still in its window at the other's time."""
        return (
            f"((l.time <= r.time AND r.time < l.time + {self.left.window}L)"
            f" OR (r.time <= l.time AND l.time < r.time + {self.right.window}L))"
        )

    def asked(self) -> str:
        """What is asked of a pair beside its keys, with its channel's constants."""
        if self.predicate == TRUE:
            return ""
        asked = condition(self.predicate, self.scope())
        if not self.constants.values:
            return f" AND {asked}"
        return f" JOIN {CHANNELS} c ON c.channel = l.channel AND {asked}"

    def scope(self) -> Scope:
        return {**self.left.scope("l"), **self.right.scope("r"), **self.constants.scope()}

    # Results and state.

    def finished(self, pairs: str, tags: StepTags) -> str:
        """Pairs as output rows, each once, with all the tags that made it."""
        sets = range(len(self.sets) if tags.any else 0)
        chosen = [f"CAST(p.s{place} AS STRING)" for place in sets]
        grouped = ""
        slots = "p.slots"
        if self.asks_tags:
            grouped = " GROUP BY p.channel, p.time, p.one, p.other"
            slots = "any_value(p.slots)"
            chosen = [self._gathered(place) for place in sets]
        values = f"concat({slots}, array({', '.join(chosen)}))" if chosen else slots
        row = output.row(
            kind=f"'{output.RESULTS}'",
            channel="p.channel",
            ordering="array(p.time, p.one, p.other)",
            values=values,
        )
        return f"SELECT {row} FROM {named(pairs)} p{grouped}"

    def _gathered(self, place: int) -> str:
        if not self.by_tags:
            return f"CAST(any_value(p.s{place}) AS STRING)"
        return f"array_join(array_sort(collect_set(p.s{place})), ',')"

    def remembered(self, tags: StepTags, disordered: bool, full: bool) -> Iterator[str]:
        """What later steps need, and what came too late."""
        for side, other in ((self.left, self.right), (self.right, self.left)):
            yield from side.remembered(tags, disordered, full, kept_by(side, other))
        if disordered:
            yield late_rows(self.stepping[0].source, tags.now)


def clock_reference(side: JoinSide, other: JoinSide) -> str:
    """How the clock of the other side's stream is called in a step of this side's."""
    reference = other.source.reference or ""
    if other.source.stream == side.source.stream:
        return reference
    return other_clock(other.source.stream, reference)


def other_clock(stream: str, reference: str) -> str:
    """The name of a clock of another stream."""
    return f"{stream}:{reference}"


def kept_by(side: JoinSide, other: JoinSide) -> str:
    """Keeps tuples n that a tuple of the other side which is not late may still meet."""
    clock = clock_reference(side, other).replace("'", "''")
    reached = other.source.reached("q")
    return (
        f" LEFT JOIN {CLOCK} q ON q.reference = '{clock}'"
        f" WHERE coalesce(n.time + {max(1, side.window)}L > {reached}, true)"
    )


@dataclass(frozen=True, slots=True)
class Keys:
    """What of a predicate are equalities of both sides, and the rest of it."""

    left: tuple[JoinKey, ...]
    right: tuple[JoinKey, ...]
    rest: Expression


def keys_of(predicate: Expression, left: JoinSide, right: JoinSide) -> Keys:
    """The equalities between a value of the left and one of the right side."""
    lefts, rights, rest = [], [], []
    for each in conjuncts(predicate):
        found = _key(each, left, right)
        if found is None:
            rest.append(each)
            continue
        lefts.append(found[0])
        rights.append(found[1])
    return Keys(tuple(lefts), tuple(rights), conjoin(rest))


def _key(predicate: Expression, left: JoinSide, right: JoinSide) -> tuple[JoinKey, JoinKey] | None:
    if not (isinstance(predicate, Compare) and predicate.operator == "="):
        return None
    one, other = predicate.left, predicate.right
    scopes = left.inner_scope(), right.inner_scope()
    if _within(one, scopes[1]) and _within(other, scopes[0]):
        one, other = other, one
    if not (_within(one, scopes[0]) and _within(other, scopes[1])):
        return None
    items = items_of(one, scopes[0]), items_of(other, scopes[1])
    if not all(isinstance(each, Value | Node | Lexical) for each in items):
        return None
    compared = _compared(*items)  # type: ignore[arg-type]
    if compared is None:
        return None
    texts = compared_as(*items) is ComparedAs.TEXTS  # type: ignore[arg-type]
    of_tags = _within(one, left.tag_scope("m.")), _within(other, right.tag_scope("m."))
    first, second = (
        # Every tag says something: said in SQL as well, Spark need not look before it compares.
        JoinKey(f"coalesce({sql}, '')" if texts and of_tag else sql, of_tag)
        for sql, of_tag in zip(compared, of_tags, strict=True)
    )
    return first, second


def _within(expression: Expression, scope: Scope) -> bool:
    variables = free_variables(expression)
    return bool(variables) and variables <= frozenset(scope)


def _compared(one: Item, other: Item) -> tuple[str, str] | None:
    match compared_as(one, other):
        case ComparedAs.INTEGERS:
            return whole(one), whole(other)
        case ComparedAs.TEXTS:
            return conversions.trimmed(one), conversions.trimmed(other)
        case ComparedAs.TIMES:
            return conversions.instant(one), conversions.instant(other)
        case ComparedAs.DOUBLES:
            # What is no number equals nothing, itself included.
            sides = (conversions.double(each) for each in (one, other))
            first, second = (f"nullif({each}, double('NaN'))" for each in sides)
            return first, second
        case _:
            return None
