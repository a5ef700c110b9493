"""The tagger: which tuples of a batch get a tag, before the tags of the step are resolved."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from millstream.algebra.expressions import TRUE, Expression
from millstream.algebra.tag_operators import TAGGER, Attach
from millstream.compiler import output
from millstream.compiler.constants import Constant
from millstream.compiler.expressions import condition
from millstream.compiler.names import string
from millstream.compiler.order import Order
from millstream.compiler.relations import named
from millstream.compiler.scope import ValueColumn
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.tags.selections import STATE, SelectionBase
from millstream.compiler.tags.tag_statement import result_row, with_channel
from millstream.model.tags.mode import Mode

FIRED = "fired"
"""The role of the channels that have attached their only tag."""


@dataclass(frozen=True, slots=True)
class AttachStatement(SelectionBase):
    """All tuples with their tags, some of which it attaches itself."""

    slots: tuple[str, ...]
    """Over a row n."""
    attach: Attach
    data: Expression
    """What is asked of tuples where no tag is asked about; flat, and without constants."""

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        sets = ("CAST(n.tagset AS STRING)",) if tags.now else ()
        row = result_row("n.channel", ("n.position",), (*self.slots, *sets))
        everything = self.source.new(tagged=tags.now)
        # Taggers that attach different tags are different, though they may choose alike.
        held = hashlib.sha256(repr(replace(self.attach, predicate=TRUE)).encode()).hexdigest()[:10]
        parts = [f"SELECT /* {held} */ {row} FROM {named(everything)} n"]
        if not self.attach.continuously:
            parts.append(self._fired(tags, full))
        return " UNION ALL ".join((*parts, *self.remembered(tags, order.late, full)))

    @property
    def alone(self) -> bool:
        """True when a tuple by itself tells whether it gets a tag that no other tag concerns."""
        attach = self.attach
        simple = attach.continuously and attach.lifespan is None and attach.attribute is None
        return simple and attach.mode is Mode.COMBINE and self.question is None

    def numbered(self, constants: Sequence[Constant], base: int, first: int) -> str:
        """The number of the set that a tuple b of the batch gets, or null, in SQL.

        Numbers go from a base on with the positions of tuples, from the first of the batch on.
        """
        values = zip(self.constants.scope(), constants, self.constants.types, strict=True)
        known = {name: ValueColumn(_constant(value), type) for name, value, type in values}
        chosen = self.source.timed
        if self.data != TRUE:
            asked = condition(self.data, {**self.source.batch_scope(), **known})
            chosen = f"{asked} AND {chosen}"
        choice = self._choice(self.source.id, self.source.time)
        place = f"(b.position - {first}L) * {len(self.attach.contents)}L + {choice}"
        return f"CASE WHEN {chosen} THEN {base}L + {place} END"

    def _choice(self, id: str, time: str) -> str:
        """Which content a tuple gets; its id and time decide, so a replay draws the same."""
        count = len(self.attach.contents)
        return f"CAST(crc32(concat({id}, '@', {time})) % {count} AS INT)" if count > 1 else "0"

    def attached(self, tags: StepTags) -> str:
        """The tuples that get a tag in this step: channel, position, time, id and the choice."""
        choice = self._choice("n.id", "n.time")
        chosen = self._chosen(tags)
        if not self.attach.continuously:
            given = f"SELECT channel FROM {STATE} WHERE role = '{FIRED}'"
            first = (
                f"SELECT *, row_number() OVER (PARTITION BY channel ORDER BY position) AS turn"
                f" FROM {named(chosen)}"
            )
            chosen = (
                f"SELECT f.* FROM {named(first)} f LEFT ANTI JOIN {named(given)} g"
                f" ON g.channel = f.channel WHERE f.turn = 1"
            )
        return (
            f"SELECT n.channel, n.position, n.time, n.id, {choice} AS choice FROM {named(chosen)} n"
            f" WHERE n.time IS NOT NULL"
        )

    def _chosen(self, tags: StepTags) -> str:
        """The tuples as asked, by tags that others have attached."""
        rows = self.rows(tags, disordered=False)
        if self.question is None and self.data == TRUE:
            return rows
        if self.question is None:
            scope = {**self.source.scope("n"), **self.constants.scope()}
            return f"SELECT n.* FROM {with_channel(rows)} WHERE {condition(self.data, scope)}"
        if not tags.now:
            return f"SELECT * FROM {named(rows)} WHERE false"
        others = f"m.{TAGGER} <> {string(self.attach.tagger)}"
        return self.question.passed(rows, self.source, self.constants.scope(), tags, others)

    def _fired(self, tags: StepTags, full: bool) -> str:
        known = f"SELECT channel FROM {STATE} WHERE role = '{FIRED}'"
        now = f"SELECT channel FROM {named(self._chosen(tags))}"
        channels = f"{now} UNION {known}" if full else f"{now} EXCEPT {known}"
        row = output.row(kind=f"'{output.STATE}'", role=f"'{FIRED}'", channel="f.channel")
        return f"SELECT {row} FROM (SELECT DISTINCT channel FROM {named(channels)}) f"


def _constant(value: Constant) -> str:
    match value:
        case str():
            return string(value)
        case float():
            return f"double('{value!r}')"
        case _:
            return f"{value}L"
