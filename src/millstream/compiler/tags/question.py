"""What is asked of one tag on a tuple, and how tuples find the tags that answer it."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import TRUE, Call, Expression, PathTo
from millstream.algebra.tag_operators import TagVariable
from millstream.algebra.walk import conjoin, conjuncts, free_variables, subexpressions, transform
from millstream.compiler import conversions
from millstream.compiler.constants import constant_index
from millstream.compiler.expressions import condition, items_of
from millstream.compiler.relations import named
from millstream.compiler.rows import CHANNELS
from millstream.compiler.scope import Scope, ValueColumn
from millstream.compiler.sequences import single
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.functions import OBJECTS, asks_functions
from millstream.compiler.tags.likeness import asks_likeness
from millstream.compiler.tags.marks import marks_now, tag_scope
from millstream.compiler.tags.tag_statement import with_channel
from millstream.compiler.tags.tuple_source import TupleSource
from millstream.model.schema import ValueType
from millstream.model.tags import step_layout


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of one tag on a tuple, as a mark m.

    What only the tag is asked is answered once for each mark, before tuples come in.
    """

    tag: TagVariable
    predicate: Expression
    """Flat, and without constants."""

    def marks(
        self, source: TupleSource, constants: Scope, extra: str = "", *, fleeting: bool = False
    ) -> str:
        """The marks m with a tag as asked, for each channel; `extra` is asked of m as well."""
        own = conjoin(self._own(source))
        meanings = dict.fromkeys(each for each in subexpressions(own) if _is_meaning(each))
        words = {each: f"meaning{place}" for place, each in enumerate(meanings)}
        marks = named(marks_now(True, fleeting=fleeting))
        if words:
            told = (f"{self._word(each, source)} AS {name}" for each, name in words.items())
            marks = named(f"SELECT m.*, {', '.join(told)} FROM {marks} m")
        known = transform(own, lambda each: PathTo(words[each]) if each in words else each)
        columns = {each: ValueColumn(f"m.{each}", ValueType.TEXT) for each in words.values()}
        scope = {**self._scope(source), **constants, **columns}
        asked = [condition(each, scope) for each in conjuncts(known)]
        asked += [extra] if extra else []
        if not asked:
            return f"SELECT c.channel, m.* FROM {marks} m CROSS JOIN {CHANNELS} c"
        return f"SELECT c.channel, m.* FROM {marks} m JOIN {CHANNELS} c ON {' AND '.join(asked)}"

    def rest(self, source: TupleSource, constants: Scope) -> str:
        """What is asked of a tuple n, a mark m and constants c beside that, with AND before it."""
        rest = self._rest(source)
        if rest == TRUE:
            return ""
        objects = {OBJECTS: ValueColumn("n.objects", ValueType.TEXT)}
        scope = {**source.scope("n"), **self._scope(source), **constants, **objects}
        return f" AND {condition(rest, scope)}"

    def passed(
        self, rows: str, source: TupleSource, constants: Scope, tags: StepTags, extra: str = ""
    ) -> str:
        """The rows n that have a mark as asked, in SQL."""
        hint = tags.brought("m")
        marks, rest = self.marks(source, constants, extra), self.rest(source, constants)
        met = f"{named(marks)} m ON m.channel = n.channel AND m.tagset = n.tagset{rest}"
        if not rest:
            return f"SELECT {hint}n.* FROM {named(rows)} n LEFT SEMI JOIN {met}"
        if not asks_functions(self.predicate):
            return f"SELECT {hint}n.* FROM {with_channel(rows)} LEFT SEMI JOIN {met}"
        # Spark evaluates Python in inner joins only.
        found = f"SELECT {hint}n.channel, n.position FROM {with_channel(rows)} JOIN {met}"
        return (
            f"SELECT n.* FROM {named(rows)} n LEFT SEMI JOIN {named(found)} f"
            f" ON f.channel = n.channel AND f.position = n.position"
        )

    def met_first(self, source: TupleSource) -> bool:
        """Whether tuples can meet marks before anything is asked of their data."""
        asked = (self.predicate, *source.rows.predicates)
        return not any(asks_functions(each) or asks_likeness(each) for each in asked)

    def meeting(
        self,
        join: str,
        marks: str,
        source: TupleSource,
        constants: Scope,
        *,
        fleeting: bool = False,
    ) -> str:
        """FROM: the tuples b of channels c, joined to those of few marks m that are on them.

        What is asked of data is asked where a mark was met: mostly that is a part of the tuples.
        Fleeting marks know their tuples, which need not know their sets.
        """
        rest = self._rest(source)
        asked = list(source.rows.where)
        if rest != TRUE:
            scope = {**source.batch_scope(), **self._scope(source), **constants}
            asked.append(condition(rest, scope))
        # What speaks of both sides is not moved to one of them, before the join.
        guarded = f" AND IF(m.tag IS NULL, false, {' AND '.join(asked)})" if asked else ""
        # Spark finds rows far more quickly by one long number than by two; what has the same number
        # by chance is told apart after that.
        mark, own = f"m.{step_layout.TAGSET}", f"b.{step_layout.TAGSET}"
        tagged = f"{own} IS NOT NULL AND "
        if fleeting:
            mark, own, tagged = f"m.{step_layout.ON_POSITION}", "b.position", ""
        return (
            f"{source.joined(join, named(marks), 'm')} ON {tagged}"
            f"xxhash64(m.channel, {mark}) = xxhash64(c.channel, {own})"
            f" AND m.channel - c.channel = 0 AND {mark} - {own} = 0{guarded}"
        )

    def _own(self, source: TupleSource) -> tuple[Expression, ...]:
        """The conditions on the tag alone."""
        fields = self._scope(source).keys()
        return tuple(
            each
            for each in conjuncts(self.predicate)
            if not asks_likeness(each) and _variables(each) <= fields
        )

    def _rest(self, source: TupleSource) -> Expression:
        """The other conditions."""
        own = self._own(source)
        return conjoin(each for each in conjuncts(self.predicate) if each not in own)

    def _word(self, meaning: Expression, source: TupleSource) -> str:
        """What a word of a mark m means: it is looked up once, however often it is compared.

        Every tag says something; said in SQL as well, Spark need not look it up to find that out.
        """
        word = single(items_of(meaning, self._scope(source)), conversions.text, "STRING")
        return f"coalesce({word}, '')"

    def _scope(self, source: TupleSource) -> Scope:
        return tag_scope(self.tag, "m.", source.tuples.time_type)


def _is_meaning(expression: Expression) -> bool:
    """True for the meaning of what a tag says; constants are not alike for all channels."""
    if not isinstance(expression, Call) or expression.function != "tag:meaning":
        return False
    return not any(constant_index(each) is not None for each in free_variables(expression))


def _variables(expression: Expression) -> frozenset[str]:
    return frozenset(each for each in free_variables(expression) if constant_index(each) is None)
